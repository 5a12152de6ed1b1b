// A worker in a process of its own: `worker <queue> <Redis' port> <service's URL> <rate of its clock>`.
import { Queue, Worker } from "bullmq";
import { createProcessor } from "../../../src/bullmq.ts";
import { createClient } from "../../../src/index.ts";
import { ownClock } from "../../../src/submissions/clock.ts";
import { createSubmissionsWith } from "../../../src/submissions/create-submissions.ts";
import { ignore, manyDeaths, openStore } from "../open-store.ts";

const [name = "", port = "", baseUrl, rate = "1"] = process.argv.slice(2);

/** Leases run out sooner by a clock that runs faster; they still outlast each POST. */
const quicken = (clock: () => number): (() => number) => {
  const startedAt = clock();
  return () => startedAt + Number(rate) * (clock() - startedAt);
};
const clock = { ...ownClock, now: quicken(ownClock.now), wall: quicken(ownClock.wall) };

const { store, ready } = openStore(Number(port), { prefix: name });
await ready;
const submissions = createSubmissionsWith(clock, store);
// It prints each of its submissions: the test kills it at one of them.
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
  settleMs: 200,
  holdMs: 500,
  candidateLimit: 10_000,
  intervalMs: 200,
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
