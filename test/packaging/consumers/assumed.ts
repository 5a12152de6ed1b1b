/** A user of the ready schemas. */
import { createClient } from "adgen-sdk";
import { type AssumedImage, assumedImageResult, assumedSchemas } from "adgen-sdk/assumed";
import { createMockService } from "adgen-sdk/mocks";

declare module "adgen-sdk/assumed" {
  interface AssumedImage {
    consumer_seed?: number;
  }
}

const { fetch } = createMockService({ timeline: { queuedMs: 0, processingMs: 0 } });
const target = { baseUrl: "https://ads.test", apiKey: "test-key", fetch };
const client = createClient({ ...target, schemas: assumedSchemas });

export const use = async (): Promise<string> => {
  const job = await client.jobs.submitAndPoll({ action: "generate-ad", prompt: "Lemonade" });
  if (job.status === "failed") return String(job.error);
  const image: AssumedImage | undefined = job.result.images[0];
  const video = await client.jobs.submitAndPoll({ action: "video-a-2", duration: 5 });
  const copy = await client.jobs.submitAndPoll({ action: "generate-ad-copy" });
  const { id, name, colors } = await client.brands.create({ name: "Acme", colors: "red" });
  const ad = await client.savedAds.create({ brand_id: id });
  const facts = [
    image?.width,
    video.status === "completed" ? video.result.videos[0]?.duration : video.error,
    copy.status === "completed" ? typeof copy.result.copy[0]?.headline : copy.error,
    name,
    String(colors),
    ad.brand_id === id,
  ];
  return facts.join();
};

export const check = async (kept: unknown): Promise<AssumedImage[]> => {
  const verdict = await assumedImageResult["~standard"].validate(kept);
  if (verdict.issues) throw new Error(verdict.issues[0]?.message);
  const seed: number | undefined = verdict.value.images[0]?.consumer_seed;
  // @ts-expect-error: misspelt
  verdict.value.imagse;
  return seed === undefined ? [] : verdict.value.images;
};
