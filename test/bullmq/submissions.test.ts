import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createProcessor } from "adgen-sdk/bullmq";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createMemoryStore, createSubmissions } from "adgen-sdk/submissions";
import { Redis } from "ioredis";
import { expect, test, vi } from "vitest";
import { answerWithText, failure, queued, resetConnection, success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { writeRecipe } from "../helpers/doc-blocks.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { copyJob, imageJob, openFleet, sharedRedis, startFleet, until } from "./fleet.ts";
import { startRedis } from "./redis-server.ts";

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

/** The end of a POST whose process dies. */
const ignored = new Promise<never>(() => {});

test.concurrent("a submission in doubt fails with its candidates, and goes on as decided", async () => {
  const fleet = await openFleet();
  const { add, get, failureOf, resultOf, server, submissions, posts, charges } = fleet;
  /** Adds a submission that breaks off, before or after the service has carried it out. */
  const addBroken = async (id: string, accepted: boolean) => {
    server.service.faults.play({ kind: "reset", accepted }, { operation: "jobs.submit" });
    await add(id, imageJob);
    return failureOf(id);
  };
  await fleet.startWorker({ lateArrivalMs: 500 });
  const { doubt, error, failedReason } = await addBroken("a", true);
  const { finishedOn = 0 } = await get("a");
  expect(finishedOn - Number(posts()[0])).toBeGreaterThanOrEqual(500);
  const [made] = server.service.jobs.all;
  expect(doubt).toMatchObject({
    id: "a",
    request: imageJob,
    why: "connection",
    mayStillArrive: false,
    candidates: [{ job_id: made?.job_id, status: "queued" }],
  });
  expect(error).toMatchObject({ code: "in_doubt" });
  expect(failedReason).toContain("submissions.decide(");

  // A dashboard retries a job like this.
  await (await get("a")).retry();
  const again = (await failureOf("a")).doubt ?? { id: "", token: "" };
  expect(again).toMatchObject({ token: doubt?.token });
  expect(posts()).toHaveLength(1);

  await submissions.decide(again, { adopt: String(made?.job_id) });
  await (await get("a")).retry();
  expect(await resultOf("a")).toMatchObject({ job_id: made?.job_id });
  expect([posts().length, charges()]).toEqual([1, 1]);
  expect((await get("a")).data).toEqual({ request: imageJob });

  const lost = (await addBroken("b", false)).doubt ?? { id: "", token: "" };
  expect(lost).toMatchObject({ id: "b", candidates: [] });
  await submissions.decide(lost, "resubmit");
  await (await get("b")).retry();
  expect(await resultOf("b")).toMatchObject({ status: "completed" });
  expect([posts().length, charges()]).toEqual([3, 2]);
  expect(await submissions.listOpen()).toMatchObject({ unknown: [] });
});

test.concurrent("a submission in doubt is delayed until its time is over, also after a promotion", async () => {
  const { add, get, server } = await startFleet({ lateArrivalMs: 60_000 });
  server.service.faults.play({ kind: "reset", accepted: false }, { operation: "jobs.submit" });
  await add("a", imageJob);
  const delayed = () =>
    until(async () => {
      const job = await get("a");
      // Check the delay of the job that was read, because `isDelayed` would read it again.
      if (job.delay <= 30_000) throw new Error("not yet");
      return job;
    });
  const first = await delayed();
  // A dashboard promotes a job like this.
  await first.promote();
  await until(async () => expect((await get("a")).attemptsStarted).toBeGreaterThan(1));
  const again = await delayed();
  expect(again.finishedOn).toBe(undefined);
  expect(again.attemptsStarted).toBeGreaterThan(first.attemptsStarted);
});

test.concurrent("a submission of a dead worker doesn't occupy another worker", async () => {
  const { add, get, resultOf, server, startWorker, submissions } = await openFleet();
  const dead = { method: "jobs.submit", body: copyJob, origin: server.url, timeoutMs: 60_000 };
  for (const once of ["a", "b"]) void submissions.runOnce({ ...dead, once }, () => ignored);
  await until(async () => expect((await submissions.listOpen()).underWay).toHaveLength(2));
  for (const id of ["a", "b", "c"]) await add(id, copyJob);
  await startWorker({ worker: { concurrency: 2 } });
  expect(await resultOf("c")).toMatchObject({ status: "completed" });
  const { finishedOn = 0, timestamp } = await get("c");
  expect(finishedOn - timestamp).toBeLessThan(30_000);
  for (const id of ["a", "b"]) {
    await until(async () => expect(await (await get(id)).isDelayed()).toBe(true));
  }
});

const made = { job_id: "job-1", status: "queued" };
const noCredits = Array.from({ length: 10 }, () => failure(402, "no credits"));
const page = answerWithText(200, "<h1>Maintenance</h1>", { "content-type": "text/html" });
const pages = [page, success({ jobs: [made] })];

test.concurrent.each([
  // The submission was throttled ten times before.
  ["waits for its candidates", [...noCredits, resetConnection, ...pages], "not listed: ", [made]],
  [
    "fails without candidates when the service refuses to list them",
    [resetConnection, failure(400, "no")],
    "no",
    undefined,
  ],
])("a submission in doubt %s", async (_, answers, logged, candidates) => {
  const service = await listen(...answers);
  const options = { throttleMs: 1, intervalMs: 50, candidateLimit: 1_000 };
  const { add, failureOf, queue } = await startFleet({ service, ...options });
  await add("a", copyJob);
  const { doubt } = await failureOf("a");
  expect(doubt).toMatchObject({ id: "a", mayStillArrive: false });
  expect(doubt?.candidates).toEqual(candidates);
  expect((await queue.getJobLogs("a")).logs.join()).toContain(logged);
});

test.concurrent("no paid job and no wait is lost while Redis refuses writes", async () => {
  const { add, redis, resultOf, startWorker } = await openFleet({}, await startRedis());
  const admin = new Redis(redis.connection);
  const setMemory = (most: number) => admin.config("SET", "maxmemory", most);
  const ends: NodeJS.Timeout[] = [];
  const withoutMemory =
    (answer: Answer): Answer =>
    (...answering) => {
      void setMemory(1).then(() => answer(...answering));
      ends.push(setTimeout(() => void setMemory(0), 500));
    };
  const stateOf = (status: string) => success({ job_id: "job-1", status, result: {} });
  const done = stateOf("completed");
  const answers = [queued(), stateOf("processing"), done].map(withoutMemory);
  const service = await listen(...answers, done);
  await startWorker({ service, intervalMs: 50 });
  await add("a", imageJob);
  expect(await resultOf("a")).toMatchObject({ job_id: "job-1", status: "completed" });
  expect(service.received.filter(({ method }) => method === "POST")).toHaveLength(1);
  for (const end of ends) clearTimeout(end);
  admin.disconnect();
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
