import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { failure, queued, raw, success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { copyJob, imageJob, until, useFleets } from "./fleet.ts";

const openFleet = useFleets();

describe("a submission", () => {
  test("is carried out, and its checked result collected", async () => {
    const { queue, startWorker, server } = await openFleet();
    startWorker();
    expect(await queue.add("order-1", imageJob)).toEqual({ id: "order-1", isNew: true });
    const job = await queue.waitForResult("order-1");
    expect(job.status).toBe("completed");
    const { ledger } = server.service.account("test-key");
    expect(ledger.filter(({ reason }) => reason === "charge")).toHaveLength(1);
    const submission = await queue.get("order-1");
    expect(submission).toMatchObject({ state: "completed", jobId: job.job_id, job });
  });

  test("added twice under one id is one job, whichever process adds it, before and after", async () => {
    const { queue, openQueue, startWorker, posts } = await openFleet();
    const another = openQueue();
    const first = await Promise.all([queue.add("a", imageJob), another.add("a", imageJob)]);
    expect(first.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    startWorker();
    const { job_id } = await queue.waitForResult("a");
    const reordered = { prompt: "Summer sale", action: "generate-ad" } as const;
    expect(await queue.add("a", reordered)).toEqual({ id: "a", isNew: false });
    expect(await another.waitForResult("a")).toMatchObject({ job_id });
    expect(posts()).toBe(1);
  });

  test("is not paid again when somebody removed its BullMQ jobs and added it anew", async () => {
    const { queue, startWorker, posts } = await openFleet();
    startWorker();
    await queue.add("a", imageJob);
    const { job_id } = await queue.waitForResult("a");
    await queue.submissions.remove("a");
    await queue.looks.remove("a");
    await queue.add("a", imageJob);
    await until(async () => expect(await queue.get("a")).toMatchObject({ state: "completed" }));
    expect(await queue.waitForResult("a")).toMatchObject({ job_id });
    expect(posts()).toBe(1);
  });

  test("is forgotten when it has ended, and then is new again", async () => {
    const { name, queue, redis, startWorker, posts } = await openFleet();
    startWorker();
    await queue.add("a", copyJob, { delayMs: 200 });
    const early = await rejection(queue.forget("a"));
    expect(early).toMatchObject({ code: "invalid_request" });
    expect(early.message).toContain("is waiting: it cannot be forgotten yet");
    const { job_id } = await queue.waitForResult("a");

    await queue.forget("a");
    await queue.forget("a");

    expect(await queue.get("a")).toBeUndefined();
    const admin = new Redis(redis.connection);
    const keys = await admin.keys(`bull:${name}*`);
    expect(keys.filter((key) => /:(a|s:a|jobs)$/.test(key))).toEqual([]);
    admin.disconnect();
    expect(await queue.add("a", copyJob)).toEqual({ id: "a", isNew: true });
    expect((await queue.waitForResult("a")).job_id).not.toBe(job_id);
    expect(posts()).toBe(2);
  });

  test("with another request under an id that is there is refused", async () => {
    const { queue } = await openFleet();
    await queue.add("a", imageJob);
    const error = await rejection(queue.add("a", { ...imageJob, prompt: "Winter sale" }));
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.message).toContain('"a" has another request');
  });

  test("that cannot be sent as JSON is refused before it is added", async () => {
    const { queue } = await openFleet();
    const error = await rejection(queue.add("a", { ...imageJob, variations: Number.NaN }));
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toContain("request.variations");
    expect(await queue.get("a")).toBeUndefined();
  });

  test.each(["17", "-3", "a:b:c:d", "100%", "a%3Ab", "Übergröße 7", "x".repeat(200)])(
    "has the id %j as its caller does, though BullMQ takes not all of them",
    async (id) => {
      const { queue, startWorker } = await openFleet();
      startWorker();
      await queue.add(id, copyJob);
      await queue.waitForResult(id);
      expect(await queue.get(id)).toMatchObject({ id, state: "completed" });
    },
  );

  test.each([
    ["", "non-empty"],
    ["x".repeat(201), "201"],
    ["a\nb", "line break"],
    [7, "got 7"],
  ])("is refused under the id %j", async (id, words) => {
    const { queue } = await openFleet();
    const error = await rejection(queue.add(id as string, copyJob));
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toContain(words);
  });

  test("that the service fails is answered as a failed job, not as an error", async () => {
    const { queue, startWorker, server } = await openFleet();
    server.service.jobs.next({ fail: "No idea" });
    startWorker();
    await queue.add("a", imageJob);
    expect(await queue.waitForResult("a")).toMatchObject({ status: "failed", error: "No idea" });
    expect(await queue.get("a")).toMatchObject({ state: "failed" });
    expect(await queue.looks.getCompletedCount()).toBe(1);
  });

  test("that the service refuses rejects the wait as submit would, and is not tried again", async () => {
    const { queue, startWorker, posts } = await openFleet();
    startWorker();
    await queue.add("a", { ...imageJob, variations: 99 });
    const error = await rejection(queue.waitForResult("a"));
    expect(error).toMatchObject({ code: "bad_request", status: 400, outcome: "refused" });
    expect(await queue.get("a")).toMatchObject({ state: "refused" });
    expect(posts()).toBe(1);
  });
});

describe("an id in a failure's answer is no job", () => {
  const json = { "content-type": "application/json" };
  const echo = { success: false, data: { job_id: "job-of-another" }, error: "variations: 99" };

  test("beside a 400, which is final", async () => {
    const service = await listen(raw(400, JSON.stringify(echo), json));
    const { queue, startWorker } = await openFleet();
    startWorker({ client: clientOf(service), targetDelayMs: 50 });
    await queue.add("a", imageJob);
    const error = await rejection(queue.waitForResult("a"));
    expect(error).toMatchObject({ code: "bad_request", outcome: "refused" });
    const submission = await queue.get("a");
    expect(submission).toMatchObject({ state: "refused" });
    expect(submission?.jobId).toBeUndefined();
  });

  const errorWithId = { success: false, data: null, error: "no", id: "err_42" };
  const answerOf = (status: number) =>
    raw(status, JSON.stringify(errorWithId), { ...json, "retry-after": "0" });

  test("beside a 429 and a 402, which go back into the queue", async () => {
    const job = success({ job_id: "job-1", status: "completed", result: {} });
    const service = await listen(answerOf(429), answerOf(402), queued(), job);
    const { queue, startWorker } = await openFleet();
    startWorker({ client: clientOf(service), targetDelayMs: 50, onPaused: () => queue.resume() });
    await queue.add("a", imageJob);
    expect(await queue.waitForResult("a")).toMatchObject({ job_id: "job-1" });
    expect(service.received.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  test("beside a 503, whose submission is held", async () => {
    const list = success({ jobs: [{ job_id: "job-1", status: "queued" }] });
    const service = await listen(answerOf(503), list);
    const { queue, startWorker } = await openFleet();
    startWorker({ client: clientOf(service), targetDelayMs: 50 });
    await queue.add("a", imageJob);
    await until(async () => expect(await queue.get("a")).toMatchObject({ state: "held" }));
    expect((await queue.get("a"))?.jobId).toBeUndefined();
    expect(await queue.listHeld()).toMatchObject([{ candidates: [{ job_id: "job-1" }] }]);
  });

  test("but one that a broken answer of success names is", async () => {
    const body = '{"success":true,"data":{"job_id":"job-1","status":"que';
    const job = success({ job_id: "job-1", status: "completed", result: {} });
    const service = await listen(raw(202, body, json), job);
    const { queue, startWorker } = await openFleet();
    startWorker({ client: clientOf(service), targetDelayMs: 50 });
    await queue.add("a", imageJob);
    expect(await queue.waitForResult("a")).toMatchObject({ job_id: "job-1" });
  });
});

describe("a refusal outlives its BullMQ job", () => {
  test("where failed ones are removed, and the same id can be added again", async () => {
    const done = success({ job_id: "job-1", status: "completed", result: {} });
    const service = await listen(failure(400, "no such action"), queued(), done);
    const { openQueue, startWorker } = await openFleet();
    const queue = openQueue({ jobOptions: { removeOnFail: true } });
    startWorker({ client: clientOf(service), targetDelayMs: 50 });
    await queue.add("a", copyJob);
    const error = await rejection(queue.waitForResult("a"));
    expect(error).toMatchObject({ code: "bad_request", status: 400 });
    await until(async () => expect(await queue.submissions.getJob("a")).toBeUndefined());
    const state = { state: "refused", error: { status: 400 } };
    expect(await queue.get("a")).toMatchObject(state);

    await queue.add("a", copyJob);
    expect(await queue.waitForResult("a")).toMatchObject({ job_id: "job-1" });
  });
});

test("a wait for a result that nobody has added is refused, and one can be aborted", async () => {
  const { queue } = await openFleet();
  expect(await rejection(queue.waitForResult("a"))).toMatchObject({ code: "invalid_request" });
  await queue.add("a", copyJob);
  const stop = new AbortController();
  const waiting = rejection(queue.waitForResult("a", { signal: stop.signal }));
  stop.abort();
  expect(await waiting).toMatchObject({ code: "aborted" });
});

test("looks hold no worker: one place is enough for many slow jobs", async () => {
  const timeline = { queuedMs: 300, processingMs: 300 };
  const { queue, startWorker } = await openFleet({ timeline });
  startWorker({ concurrency: 1, lookConcurrency: 1 });
  const ids = Array.from({ length: 10 }, (_, index) => `job-${index}`);
  await Promise.all(ids.map((id) => queue.add(id, copyJob)));
  await until(async () => expect(await queue.looks.getDelayedCount()).toBe(10));
  const jobs = await Promise.all(ids.map((id) => queue.waitForResult(id)));
  expect(jobs.map(({ status }) => status)).toEqual(ids.map(() => "completed"));
});
