// A worker of the fleet, in a process of its own. main.ts starts several of them.
import { createClient } from "adgen-sdk";
import { startJobWorker } from "adgen-sdk/bullmq";

const worker = startJobWorker({
  name: "example",
  connection: { url: String(process.env["REDIS_URL"]), maxRetriesPerRequest: null },
  client: createClient(),
  concurrency: 2,
  // Short times, so that a killed worker is noticed while somebody watches.
  submitTimeoutMs: 2_000,
  settleMs: 500,
  worker: { lockDuration: 2_000, stalledInterval: 500 },
});
for (const part of [worker.submissions, worker.looks]) {
  part.on("error", ({ message }) => console.error(`worker ${process.pid}: ${message}`));
}
process.once("SIGTERM", () => worker.close());
