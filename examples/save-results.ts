// Makes pictures and a video, and saves their files into a folder.
//
//   npm run example examples/save-results.ts                             with the mock
//   ADGEN_BASE_URL=… ADGEN_API_KEY=… npx node examples/save-results.ts   with the service
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "adgen-sdk";
import { saveFiles } from "adgen-sdk/files";

const client = createClient();
const folder = process.argv[2] ?? join(tmpdir(), "ads");
const prompt = "Lemonade, ice cold";

const ad = await client.jobs.submitAndPoll({ action: "generate-ad", prompt, variations: 2 });
const film = await client.jobs.submitAndPoll({ action: "video-a-2", prompt, duration: 6 });
for (const job of [ad, film]) {
  if (job.status === "failed") continue;
  for (const path of await saveFiles(job, folder)) console.log(`saved ${path}`);
}
