// Entry for Node, Bun and Deno: prints the tracing channels' events of a submission and of a wait.
import { tracingChannel } from "node:diagnostics_channel";
import { createClient, pollJob } from "adgen-sdk";

const told: string[] = [];
for (const name of ["submit", "poll", "wait"]) {
  tracingChannel<unknown, { jobId?: string }>(`adgen-sdk:${name}`).subscribe({
    start: () => void told.push(`${name} start`),
    end: () => {},
    asyncStart: () => {},
    asyncEnd: ({ jobId }) => void told.push(`${name} end ${jobId}`),
    error: () => {},
  });
}
const [baseUrl] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey: "test-key" });
await client.jobs.submit({ action: "generate-ad" });
await pollJob(client, "job_2");
console.log(JSON.stringify(told));
