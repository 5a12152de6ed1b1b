/** A consumer of the ready schemas: type-checked against the packed package, never run. */
import { createClient } from "adgen-sdk";
import { type AssumedImage, assumedImageResult, assumedSchemas } from "adgen-sdk/assumed";

declare module "adgen-sdk/assumed" {
  interface AssumedImage {
    consumer_seed?: number;
  }
}

const client = createClient({ schemas: assumedSchemas });

export const firstUrl = async (): Promise<string | undefined> => {
  const job = await client.jobs.submitAndPoll({ action: "generate-ad", prompt: "Lemonade" });
  return job.status === "completed" ? job.result.images[0]?.url : job.error;
};

export const everyKind = async (): Promise<(string | number | undefined)[]> => {
  const video = await client.jobs.submitAndPoll({ action: "video-a-2", duration: 5 });
  const copy = await client.jobs.submitAndPoll({ action: "generate-ad-copy" });
  const { id, name, colors } = await client.brands.create({ name: "Acme", colors: "red" });
  const ad = await client.savedAds.create({ brand_id: id });
  return [
    video.status === "completed" ? video.result.videos[0]?.duration : video.error,
    copy.status === "completed" ? copy.result.copy[0]?.headline : copy.error,
    name,
    String(colors),
    ad.brand_id,
  ];
};

export const check = async (kept: unknown): Promise<AssumedImage[]> => {
  const verdict = await assumedImageResult["~standard"].validate(kept);
  if (verdict.issues) throw new Error(verdict.issues[0]?.message);
  const seed: number | undefined = verdict.value.images[0]?.consumer_seed;
  // @ts-expect-error: misspelt
  verdict.value.imagse;
  return seed === undefined ? [] : verdict.value.images;
};
