// Makes an ad and prints the URLs of its pictures.
//
//   npm run example examples/tasks/an-ad-and-its-urls.ts
import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";

const client = createClient({ schemas: assumedSchemas });
const request = { action: "generate-ad", prompt: "Lemonade, ice cold", variations: 3 } as const;
const job = await client.jobs.submitAndPoll(request);
if (job.status === "failed") throw new Error(`No ad: ${job.error}`);
for (const { url } of job.result.images) console.log(url);
