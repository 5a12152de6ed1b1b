import { createProcessor } from "adgen-sdk/bullmq";
import { createMemoryStore, createSubmissions } from "adgen-sdk/submissions";
import { Worker } from "bullmq";
import { expect, vi } from "vitest";
import { clientOf } from "../helpers/client.ts";
import { copyJob, test } from "./fleet.ts";

const client = clientOf({ url: "http://127.0.0.1:9" });
const submissions = createSubmissions(createMemoryStore());
const queue = { getBackend: () => {}, toKey: (name: string) => name };

const refusalOf = (options: object): string => {
  try {
    createProcessor(options as never);
    return "";
  } catch (error) {
    return String(error);
  }
};

test.each([
  ["createProcessor needs a client", { queue, submissions }],
  ["createProcessor needs the queue of its worker", { client, submissions }],
  ["createProcessor needs the client's submissions", { client, queue }],
  ["client must be what createClient gave", { client: {}, queue, submissions }],
  ["queue must be a Queue of BullMQ", { client, queue: "ads", submissions }],
  ["submissions must be what createSubmissions gave", { client, queue, submissions: {} }],
  ["holdMs", { client, queue, submissions, holdMs: 0 }],
  ['"setleMs"', { client, queue, submissions, setleMs: 7 }],
])("refuses with %j", (words, options) => {
  expect(refusalOf(options)).toContain(words);
});

test("warns once of a queue whose polls stand behind all submissions", async ({ openFleet }) => {
  const { queue: own, resultOf, startWorker } = await openFleet();
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  startWorker();
  for (const jobId of ["a", "b"]) {
    await own.add("ad", { request: copyJob }, { jobId, priority: 0 });
    await resultOf(jobId);
  }
  const lines = warn.mock.calls.map(([line]) => String(line));
  warn.mockRestore();
  expect(lines).toEqual([expect.stringContaining("defaultJobOptions: { priority: 1 }")]);
});

test("a client without submissions fails the job, and sends nothing", async ({ openFleet }) => {
  const { name, queue: own, redis, server, failureOf, posts } = await openFleet();
  const plain = clientOf(server, { apiKey: "test-key" });
  const processor = createProcessor({ client: plain, queue: own, submissions });
  const worker = new Worker(name, processor, { connection: redis.connection });
  await own.add("ad", { request: copyJob }, { jobId: "a" });
  expect((await failureOf("a")).failedReason).toContain("once needs a store");
  expect(posts()).toBe(0);
  await worker.close();
});
