/** A process that only waits for jobs: prints what it sees, and how each wait ended. */
import { createClient } from "../../src/client.ts";
import { pollJob } from "../../src/polling/poll-job.ts";

const [baseUrl = "", ...waits] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey: "test-key" });
for (const wait of waits) {
  const { abortAfterMs, ...options } = JSON.parse(wait);
  const controller = new AbortController();
  try {
    const { status } = await pollJob(client, "job_1", {
      ...options,
      signal: controller.signal,
      onUpdate: ({ status }) => {
        console.log(`saw ${status}`);
        if (abortAfterMs) setTimeout(() => controller.abort(), abortAfterMs);
      },
    });
    console.log(`resolved ${status}`);
  } catch (error) {
    console.log(`rejected ${(error as Error).name}`);
  }
}
