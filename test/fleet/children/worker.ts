// A worker in a process of its own: `worker.ts <name of the fleet> <Redis' port> <service's URL>`.
import { createClient } from "adgen-sdk";
import { startJobWorker } from "adgen-sdk/bullmq";

const [name, port, baseUrl] = process.argv.slice(2);
const worker = startJobWorker({
  name,
  connection: { host: "127.0.0.1", port: Number(port), retryStrategy: () => 100 },
  client: createClient({ baseUrl, apiKey: "test-key" }),
  concurrency: 2,
  submitTimeoutMs: 1_500,
  settleMs: 200,
  candidateLimit: 10_000,
  targetDelayMs: 200,
  worker: { lockDuration: 1_000, stalledInterval: 300, drainDelay: 1, runRetryDelay: 100 },
});
// Broken connections are what the test is about.
worker.submissions.on("error", () => {});
worker.looks.on("error", () => {});
await worker.submissions.waitUntilReady();
console.log("ready");
