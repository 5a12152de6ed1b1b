// A worker of the fleet, in a process of its own. main.ts starts several of them.
import { createClient } from "adgen-sdk";
import { createProcessor } from "adgen-sdk/bullmq";
import { Worker } from "bullmq";
import { openQueue, openSubmissions } from "./open.ts";

const queue = openQueue();
const { submissions } = await openSubmissions();
// Short times, so that a killed worker is noticed while somebody watches.
const client = createClient({ submissions, timeoutMs: 2_000, totalTimeoutMs: 2_000 });
const processor = createProcessor({ client, queue, submissions });
const worker = new Worker(queue.name, processor, {
  connection: { url: String(process.env["REDIS_URL"]), maxRetriesPerRequest: null },
  ...{ concurrency: 4, maxStalledCount: 1_000, lockDuration: 2_000, stalledInterval: 500 },
});
worker.on("error", ({ message }) => console.error(`worker ${process.pid}: ${message}`));
process.once("SIGTERM", async () => {
  await worker.close();
  process.exit();
});
