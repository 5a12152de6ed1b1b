/** A process that only waits for one job: prints what it sees, and how the wait ended. */
import { createClient } from "../../src/client.ts";
import { pollJob } from "../../src/polling/poll-job.ts";

const [baseUrl = "", options = "{}", abortAfterMs] = process.argv.slice(2);
const controller = new AbortController();
const client = createClient({ baseUrl, apiKey: "test-key" });
try {
  const { status } = await pollJob(client, "job_1", {
    ...JSON.parse(options),
    signal: controller.signal,
    onUpdate: ({ status }) => {
      console.log(`saw ${status}`);
      if (abortAfterMs) setTimeout(() => controller.abort(), Number(abortAfterMs));
    },
  });
  console.log(`resolved ${status}`);
} catch (error) {
  console.log(`rejected ${(error as Error).name}`);
}
