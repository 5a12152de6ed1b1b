import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createProcessor } from "adgen-sdk/bullmq";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createMemoryStore, createSubmissions } from "adgen-sdk/submissions";
import { expect, test, vi } from "vitest";
import { clientOf } from "../helpers/client.ts";
import { writeRecipe } from "../helpers/doc-blocks.ts";
import { copyJob, imageJob, openFleet, sharedRedis, until } from "./fleet.ts";

test.concurrent("an id is paid once, whatever becomes of its BullMQ job", async () => {
  const { add, get, resultOf, failureOf, startWorker, submissions, posts, charges } =
    await openFleet();
  await Promise.all([add("a", imageJob), add("a", imageJob)]);
  await startWorker();
  const { job_id, status } = await resultOf("a");
  expect(status).toBe("completed");
  expect(await submissions.listOpen()).toMatchObject({ unknown: [], underWay: [] });
  await (await get("a")).remove();
  await add("a", { prompt: "Summer sale", action: "generate-ad" });
  expect(await resultOf("a")).toMatchObject({ job_id });

  await (await get("a")).remove();
  await add("a", { ...imageJob, prompt: "Winter sale" });
  const { error, failedReason } = await failureOf("a");
  expect(error).toMatchObject({ code: "invalid_request" });
  expect(failedReason).toContain("belongs to another request");
  expect([posts().length, charges()]).toEqual([1, 1]);
});

test.concurrent("a submission that can never succeed fails once with its error, and keeps its data", async () => {
  const { queue, resultOf, failureOf, submissions, startWorker, server, posts } = await openFleet();
  const call = { method: "jobs.submit", body: copyJob, timeoutMs: 5_000 };
  await submissions.runOnce(
    { ...call, once: "moved", origin: "https://old.example" },
    async () => ({
      ...{ answer: { job_id: "job_1", status: "queued" }, jobId: "job_1" },
    }),
  );
  await startWorker();
  const refused = { request: { ...imageJob, variations: 99 }, customer: "Ada" };
  await queue.add("ad", refused, { jobId: "refused" });
  await queue.add("ad", { request: copyJob }, { jobId: "moved" });
  // BullMQ chooses a number as the id of this job.
  const { id: unnamed = "" } = await queue.add("ad", { request: copyJob });
  expect(await failureOf("refused")).toMatchObject({
    ...refused,
    error: { code: "bad_request", status: 400, outcome: "refused" },
  });
  expect(await failureOf("moved")).toMatchObject({ error: { code: "invalid_request" } });
  const { failedReason } = await failureOf(unnamed);
  expect(failedReason).toContain('an id of yours, { jobId: "order-1138" }');
  expect(posts()).toHaveLength(1);
  // A job that failed at the service is a result.
  server.service.jobs.next({ fail: "No idea" });
  await queue.add("ad", { request: imageJob }, { jobId: "order" });
  expect(await resultOf("order")).toMatchObject({ status: "failed", error: "No idea" });
});

test.concurrent("a submission that one worker can't send is tried again later, and throttles no other", async () => {
  const { add, queue, resultOf, startWorker, throttleEvents } = await openFleet();
  const cutOff = await startWorker({ service: { url: "http://127.0.0.1:9" } });
  const ids = ["a", "b", "c", "d"];
  await Promise.all(ids.map((id) => add(id, copyJob)));
  await until(async () => expect(await queue.getDelayedCount()).toBe(4));
  const { logs } = await queue.getJobLogs("a");
  expect(logs.join()).toContain("Not sent, tried again later: ");
  await cutOff.close();
  await startWorker();
  await add("e", copyJob);
  expect(await resultOf("e")).toMatchObject({ status: "completed" });
  expect(throttleEvents).toEqual([]);
  await queue.promoteJobs();
  for (const id of ids) expect(await resultOf(id)).toMatchObject({ status: "completed" });
});

test.concurrent("a worker that bounds the starts of a job refuses a submission, and another worker takes it", async () => {
  const { add, get, failureOf, resultOf, startWorker, posts } = await openFleet();
  const bounded = await startWorker({ worker: { maxStartedAttempts: 2 } });
  await add("a", imageJob);
  expect(await failureOf("a")).toMatchObject({
    failedReason: expect.stringContaining("this worker has maxStartedAttempts: 2, and each poll"),
  });
  expect(posts()).toEqual([]);
  await bounded.close();
  await (await get("a")).retry();
  await startWorker();
  expect(await resultOf("a")).toMatchObject({ status: "completed" });
});

test.concurrent("a 402, a 429 and two failed polls don't fail a BullMQ job with a single attempt", async () => {
  const { queue, resultOf, startWorker, submissions, server, charges } = await openFleet();
  const { faults } = server.service;
  faults.play({ kind: "status", status: 402 }, { operation: "jobs.submit" });
  faults.play({ kind: "rate-limit", retryAfterMs: 500 }, { operation: "jobs.submit" });
  faults.play({ kind: "status", status: 503 }, { operation: "jobs.get", times: 2 });
  const worker = { removeOnFail: { count: 0 }, maxStartedAttempts: 0 };
  await startWorker({ worker, throttleMs: 100 });
  await queue.add("ad", { request: imageJob }, { jobId: "a", attempts: 1 });
  // A failed BullMQ job would be gone, because the worker keeps no failed jobs.
  expect(await resultOf("a")).toMatchObject({ status: "completed" });
  faults.assertPlayed();
  expect(charges()).toBe(1);
  expect(await submissions.find("a")).toMatchObject({ state: "settled" });
});

test.concurrent("a submission that exceeds its whole budget fails, and throttles no other", async () => {
  const { add, failureOf, resultOf, startWorker, throttleEvents, posts } = await openFleet();
  await startWorker({ budget: { day: { imageCredits: 1 } } });
  await add("a", { ...imageJob, variations: 2 });
  expect((await failureOf("a")).error).toMatchObject({
    code: "payment_required",
    outcome: "not-sent",
    limit: { kind: "imageCredits", limit: 1 },
  });
  expect(posts()).toEqual([]);
  await add("b", imageJob);
  expect(await resultOf("b")).toMatchObject({ status: "completed" });
  expect(throttleEvents).toEqual([]);
});

const client = clientOf({ url: "http://127.0.0.1:9" });
const submissions = createSubmissions(createMemoryStore());
const queue = { getBackend: () => {}, toKey: (name: string) => name };

test.for([
  ["createProcessor needs a client", { client: undefined }],
  ["createProcessor needs the queue of its worker", { queue: undefined }],
  ["createProcessor needs the client's submissions", { submissions: undefined }],
  ["client must be what createClient gave", { client: {} }],
  ["queue must be a Queue of BullMQ", { queue: "ads" }],
  ["submissions must be what createSubmissions gave", { submissions: {} }],
  ["throttleMs", { throttleMs: 0 }],
  ['"setleMs"', { setleMs: 7 }],
] as const)("createProcessor refuses its options with %j", ([words, options]) => {
  const all = { client, queue, submissions, ...options };
  expect(() => createProcessor(all as never)).toThrow(words);
});

test("createProcessor warns once of a queue without a priority", async () => {
  const { queue: own, resultOf, startWorker } = await openFleet();
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  await startWorker();
  for (const jobId of ["a", "b"]) {
    await own.add("ad", { request: copyJob }, { jobId, priority: 0 });
    await resultOf(jobId);
  }
  const lines = warn.mock.calls.map(([line]) => String(line));
  warn.mockRestore();
  expect(lines).toEqual([expect.stringContaining("defaultJobOptions: { priority: 1 }")]);
});

const fromSource = pathToFileURL(resolve("test/helpers/from-source.ts")).href;

test("the guide's program adds its order once, however often it is started", async () => {
  const redis = await sharedRedis();
  const folder = writeRecipe("docs/guides/fleet.md", (code) =>
    code.replace("6379", String(redis.port)),
  );
  const mock = await startMockServer({ accounts: { key: {} } });
  const env = { ...process.env, ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: "key" };
  for (let runs = 0; runs < 2; runs++) {
    const args = ["--import", fromSource, "ads.ts"];
    const child = spawn(process.execPath, args, { cwd: folder, env });
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    // The second run finds that the job is done.
    if (runs === 0) await until(() => expect(output).toContain("order-1138: completed as job_"));
    else await until(() => expect(mock.service.journal.find({ method: "POST" })).toHaveLength(1));
    child.kill();
    await once(child, "close");
    expect(output).not.toMatch(/Error|warn/i);
  }
  expect(mock.service.account("key").charges).toHaveLength(1);
  await mock.close();
});
