// Makes some ads and saves their pictures. A second run pays for no ad that was made before.
//
//   node make-ads.ts        ADGEN_BASE_URL and ADGEN_API_KEY name the service, or `npx adgen-mock`
import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { saveFiles } from "adgen-sdk/files";
import { createSubmissions } from "adgen-sdk/submissions";
import { openFileStore } from "adgen-sdk/submissions/file";

const folder = process.env["STATE_DIRECTORY"] ?? ".";
const store = await openFileStore(`${folder}/submissions`);
const client = createClient({ submissions: createSubmissions(store), schemas: assumedSchemas });

for (const prompt of ["Lemonade, ice cold", "Iced tea in the shade"]) {
  const request = { action: "generate-ad", prompt, variations: 2 } as const; // two image credits
  const job = await client.jobs.submitAndPoll(request, { once: `ad of ${prompt}` });
  if (job.status === "failed") {
    console.error(`${prompt}: ${job.error ?? "the service does not say why"}`);
    process.exitCode = 1;
    continue;
  }
  console.log(`${prompt}: ${job.result.images.length} pictures`);
  for (const path of await saveFiles(job, `${folder}/ads`)) console.log(path);
}
await store.close();
