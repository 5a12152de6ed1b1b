// A worker in a process of its own: `worker <queue> <Redis' port> <service's URL>`.
import { Queue, Worker } from "bullmq";
import { createProcessor } from "../../../src/bullmq/index.ts";
import { createClient } from "../../../src/client/index.ts";
import { createSubmissions } from "../../../src/submissions/create-submissions.ts";
import { ignore, manyDeaths, openStore } from "../open-store.ts";

const [name = "", port = "", baseUrl] = process.argv.slice(2);

const { store, ready } = openStore(Number(port), { prefix: name });
await ready;
const submissions = createSubmissions(store, { lateArrivalMs: 200 });
// It prints each of its submissions, and the test kills it at one of them.
const hooks = {
  onRequest: ({ method }: { readonly method: string }): void => {
    if (method === "POST") process.stdout.write("sends\n");
  },
};
const time = { timeoutMs: 1_500, totalTimeoutMs: 1_500 };
const client = createClient({ baseUrl, apiKey: "test-key", submissions, hooks, ...time });
const connection = { host: "127.0.0.1", port: Number(port), retryStrategy: () => 100 };
const queue = new Queue(name, { connection });
const processor = createProcessor({
  client,
  queue,
  submissions,
  throttleMs: 500,
  candidateLimit: 10_000,
  intervalMs: 200,
});
const worker = new Worker(name, processor, {
  ...{ connection: { ...connection, maxRetriesPerRequest: null }, concurrency: 4, ...manyDeaths },
  ...{ lockDuration: 1_000, stalledInterval: 300, drainDelay: 1, runRetryDelay: 100 },
});
// The test breaks connections on purpose.
console.error = ignore;
worker.on("error", ignore);
queue.on("error", ignore);
await worker.waitUntilReady();
