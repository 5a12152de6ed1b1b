// Makes pictures and a video, and saves their files into a folder.
//
//   npm run example examples/save-results.ts                             with the mock
//   ADGEN_BASE_URL=… ADGEN_API_KEY=… npx node examples/save-results.ts   with the service
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { type SaveOptions, saveFile } from "./save-file.ts";

const baseUrl = process.env["ADGEN_BASE_URL"] ?? "https://api.example.com";
const client = createClient({ baseUrl, schemas: assumedSchemas });

const folder = process.argv[2] ?? join(tmpdir(), "ads");
const options: SaveOptions = {
  origins: new Set([new URL(baseUrl).origin, "https://files.example.com"]),
  maxBytes: 100_000_000,
  timeoutMs: 120_000,
};

/** Saves the files of a job one after the other. Its id is foreign, too: no slash may stay in it. */
const saveAll = async (jobId: string, files: readonly { url: string }[]): Promise<void> => {
  for (const [index, { url }] of files.entries()) {
    const name = `${encodeURIComponent(jobId)}-${index + 1}`;
    console.log(`saved ${await saveFile(url, join(folder, name), options)}`);
  }
};

const prompt = "Lemonade, ice cold";
const ad = await client.jobs.submitAndPoll({ action: "generate-ad", prompt, variations: 2 });
if (ad.status === "completed") await saveAll(ad.job_id, ad.result.images);

const film = await client.jobs.submitAndPoll({ action: "video-a-2", prompt, duration: 6 });
if (film.status === "completed") await saveAll(film.job_id, film.result.videos);
