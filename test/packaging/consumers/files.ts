/** A user of files in and out. */
import { createClient } from "adgen-sdk";
import { type OpenedFile, openFile, saveFiles, toDataUrl } from "adgen-sdk/files";
import { createMockService } from "adgen-sdk/mocks";

const { fetch } = createMockService({ timeline: { queuedMs: 0, processingMs: 0 } });
const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch });

export const use = async (_: string, folder: string): Promise<string> => {
  const images = [await toDataUrl(new Blob(["<svg/>"], { type: "image/svg+xml" }))];
  const job = await client.jobs.submitAndPoll({ action: "edit-ad", prompt: "Lemonade", images });
  if (job.status === "failed") return String(job.error);
  const paths: string[] = await saveFiles(job, `${folder}/ads`, { maxBytes: 1_000_000 });
  const { ending, type }: OpenedFile = await openFile(images[0] ?? "");
  const stream = (await openFile(images[0] ?? "")).body;
  const text = await new Response(stream).text();
  // @ts-expect-error: an unfinished job has no files
  const refused = saveFiles({ job_id: "job_1", status: "queued" }, folder);
  const { code } = await refused.then(
    () => ({ code: "saved" }),
    (error) => error,
  );
  return [paths.length, paths[0]?.slice(-6), ending, type, text, code].join();
};
