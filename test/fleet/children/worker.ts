// A worker in a process of its own: `worker.ts <name of the queue> <Redis' port> <service's URL>`.
import { createClient } from "adgen-sdk";
import { createProcessor } from "adgen-sdk/bullmq";
import { createSubmissions } from "adgen-sdk/submissions";
import { Queue, Worker } from "bullmq";
import { ignore, manyDeaths, openStore } from "../fleet.ts";

const [name = "", port = "", baseUrl] = process.argv.slice(2);
const { store, ready } = openStore(Number(port), name);
await ready;
const submissions = createSubmissions(store);
const time = { timeoutMs: 1_500, totalTimeoutMs: 1_500 };
const client = createClient({ baseUrl, apiKey: "test-key", submissions, ...time });
const connection = { host: "127.0.0.1", port: Number(port), retryStrategy: () => 100 };
const queue = new Queue(name, { connection });
const processor = createProcessor({
  client,
  queue,
  submissions,
  settleMs: 200,
  holdMs: 500,
  candidateLimit: 10_000,
  targetDelayMs: 200,
});
const worker = new Worker(name, processor, {
  ...{ connection: { ...connection, maxRetriesPerRequest: null }, concurrency: 4, ...manyDeaths },
  ...{ lockDuration: 1_000, stalledInterval: 300, drainDelay: 1, runRetryDelay: 100 },
});
// Broken connections, and what they leave for later, are what the test is about.
console.error = ignore;
worker.on("error", ignore);
queue.on("error", ignore);
await worker.waitUntilReady();
console.log("ready");
