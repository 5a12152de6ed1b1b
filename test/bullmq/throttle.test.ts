import type { JobRequest } from "adgen-sdk";
import { resume } from "adgen-sdk/bullmq";
import { expect, test } from "vitest";
import { failure, queued, success } from "../helpers/answers.ts";
import { measureTime, pause } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { copyJob, type Fleet, imageJob, openFleet, startFleet, until } from "./fleet.ts";

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `job-${i}`);
const addAll = ({ add }: Fleet, ids: readonly string[], request: JobRequest = imageJob) =>
  Promise.all(ids.map((id) => add(id, request)));

/** Refuses the next request of an operation by a 429 that asks for a wait. */
const limit = ({ server }: Fleet, operation: "jobs.submit" | "jobs.get", retryAfterMs: number) =>
  server.service.faults.play({ kind: "rate-limit", retryAfterMs }, { operation });

const one = { concurrency: 1 };
/** A timeline on which no job ends by itself. */
const endless = { timeline: { queuedMs: 60_000, processingMs: 0 } };

test.concurrent("a 429 throttles all workers for the time that it names", async () => {
  const fleet = await openFleet();
  const { queue, resultOf, startWorker, posts } = fleet;
  limit(fleet, "jobs.submit", 2_000);
  await startWorker({ worker: one });
  const ids = idsOf(6);
  await addAll(fleet, ids);
  // Start another worker once the limit is in Redis.
  const connection = await queue.getBackend().client;
  await until(async () => expect(await connection.get(queue.toKey("adgen-limit"))).not.toBe(null));
  await startWorker({ worker: { concurrency: 4 } });
  const jobs = await Promise.all(ids.map(resultOf));
  expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(6);
  const times = posts();
  expect(times).toHaveLength(7);
  const refusedAt = Math.min(...times);
  expect(times.filter((at) => at - refusedAt < 1_900)).toEqual([refusedAt]);
});

test.concurrent("a 429 without a wait causes no burst, and a 429 of a poll throttles submissions", async () => {
  const fleet = await openFleet();
  const { add, resultOf, server, startWorker, posts } = fleet;
  limit(fleet, "jobs.submit", 0);
  limit(fleet, "jobs.get", 1_000);
  await startWorker({ worker: one });
  await add("a", copyJob);
  await until(() => server.service.faults.assertPlayed());
  await add("b", copyJob);
  await until(() => expect(posts()).toHaveLength(3));
  const [first = 0, second = 0, third = 0] = posts();
  expect(second - first).toBeGreaterThan(900);
  const [, ofPoll] = server.service.journal.find({ status: 429 });
  expect(third - Number(ofPoll?.at)).toBeGreaterThan(900);
  expect(await resultOf("a")).toMatchObject({ status: "completed" });
});

const tooMany = failure(429, "slow down", { "retry-after": "86395" });

test.concurrent("a 429 for a day ends a wait at its deadline, and a retry takes the wait up again", async () => {
  const fleet = await startFleet({ intervalMs: 50, timeoutMs: 2_000 }, endless);
  const { add, get, queue, failureOf, resultOf, server, posts } = fleet;
  limit(fleet, "jobs.get", 86_395_000);
  await add("a", imageJob);
  const { value, ms } = await measureTime(() => failureOf("a"));
  const [{ job_id } = { job_id: "none" }] = server.service.jobs.all;
  expect(value.error).toMatchObject({ code: "poll_timeout", jobId: job_id });
  expect(value.failedReason).toContain('last status "queued"');
  expect(ms).toBeLessThan(60_000);
  expect(server.service.journal.find({ status: 429 })).toHaveLength(1);
  server.service.jobs.complete(job_id);
  await resume(queue);
  await (await get("a")).retry();
  expect(await resultOf("a")).toMatchObject({ status: "completed" });
  expect(posts()).toHaveLength(1);
});

test.concurrent("a 429 for a day is reported to onThrottle, and resume ends it", async () => {
  const done = success({ job_id: "job-1", status: "completed", result: {} });
  const service = await listen(tooMany, queued(), done);
  const fleet = await startFleet({ service, intervalMs: 50, throttleMs: 500 });
  const { add, queue, resultOf, throttleEvents } = fleet;
  await add("a", imageJob);
  await until(() => expect(throttleEvents).not.toEqual([]));
  expect(throttleEvents).toMatchObject([
    { throttled: "requests", error: { code: "rate_limited" }, waitMs: 86_395_000 },
  ]);
  await pause(700);
  expect(service.received).toHaveLength(1);
  await resume(queue);
  expect(await resultOf("a")).toMatchObject({ job_id: "job-1" });
});

const accounts = { "test-key": { credits: { image: { monthly: 2 } } } };

test.concurrent("a 402 throttles submissions, but no polls and no answers on record", async () => {
  const fleet = await startFleet({ throttleMs: 60_000, worker: one }, { accounts });
  const { add, get, queue, resultOf, server, posts, throttleEvents } = fleet;
  const ids = idsOf(6);
  for (const id of ids) await add(id, imageJob);
  await until(() => expect(throttleEvents).toHaveLength(1));
  expect(throttleEvents).toMatchObject([
    { throttled: "submissions", error: { code: "payment_required", outcome: "refused" } },
  ]);
  const settled = await Promise.all(ids.slice(0, 2).map(resultOf));
  expect(settled.map(({ status }) => status)).toEqual(["completed", "completed"]);
  await (await get("job-0")).remove();
  await add("job-0", imageJob);
  expect(await resultOf("job-0")).toMatchObject({ job_id: settled[0]?.job_id });
  // An answer on record doesn't show that there are credits again.
  await add("job-6", imageJob);
  await until(async () => expect(await queue.getDelayedCount()).toBe(5));
  expect(posts()).toHaveLength(3);

  server.service.account("test-key").grant({ image: { monthly: 10 } });
  await resume(queue);
  await queue.promoteJobs();
  await Promise.all(ids.map(resultOf));
  await resultOf("job-6");
  expect([posts().length, throttleEvents.length]).toEqual([8, 1]);
});

test.concurrent("a 402 throttles one kind of credit, whatever else succeeds", async () => {
  const empty = { "test-key": { credits: { image: { monthly: 0 }, video: { monthly: 60 } } } };
  const fleet = await startFleet({ throttleMs: 60_000, worker: one }, { accounts: empty });
  const { add, get, queue, resultOf, server, posts, throttleEvents } = fleet;
  await add("picture", imageJob);
  await until(() => expect(throttleEvents).toHaveLength(1));
  expect(throttleEvents).toMatchObject([
    { throttled: "submissions", credit: "image", waitMs: 60_000 },
  ]);
  const ids = idsOf(4);
  await addAll(fleet, ids, copyJob);
  await add("video", { action: "video-a-2", duration: 5 });
  for (const id of [...ids, "video"]) {
    expect(await resultOf(id)).toMatchObject({ status: "completed" });
  }
  // The success of free jobs says nothing about the image credits.
  await add("another", imageJob);
  await until(async () => expect(await (await get("another")).getState()).toBe("delayed"));
  expect(posts()).toHaveLength(6);

  server.service.account("test-key").grant({ image: { monthly: 2 } });
  await resume(queue);
  await queue.promoteJobs();
  for (const id of ["picture", "another"]) await resultOf(id);
  expect([posts().length, throttleEvents.length]).toEqual([8, 1]);
});

test.concurrent("after a 402, one submission at a time is sent as a probe, and its success ends the throttling", async () => {
  const fleet = await openFleet({ accounts });
  const { resultOf, startWorker, server, posts } = fleet;
  const throttleMs = 1_000;
  // The other submissions could begin while the probe is under way.
  const slow = { kind: "latency", ms: 150 } as const;
  server.service.faults.play(slow, { operation: "jobs.submit", times: 15 });
  await startWorker({ throttleMs });
  const ids = idsOf(24);
  await addAll(fleet, ids);
  /** Counts the submissions that came after a pause. */
  const tries = () => {
    const times = posts();
    return times.filter((at, index) => at - (times[index - 1] ?? at) > throttleMs / 2).length;
  };
  await until(() => expect(tries()).toBeGreaterThanOrEqual(2));
  // Two submissions had credits, and up to eight were under way when the first was refused.
  expect(posts().length).toBeLessThanOrEqual(2 + 8 + tries());
  server.service.account("test-key").grant({ image: { monthly: 100 } });
  await Promise.all(ids.map(resultOf));
  // If the throttling did not end, each submission would be a probe.
  expect(tries()).toBeLessThan(12);
});

test.concurrent.each(["jobs.submit", "jobs.get"] as const)(
  "a 401 of %s throttles submissions, but fails no job",
  async (operation) => {
    const { add, resultOf, startWorker, server, throttleEvents } = await openFleet();
    const times = operation === "jobs.get" ? 3 : 1;
    server.service.faults.play({ kind: "status", status: 401 }, { operation, times });
    await startWorker({ throttleMs: 100 });
    await add("a", copyJob);
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    expect(throttleEvents).toMatchObject([
      { throttled: "submissions", error: { code: "unauthorized" } },
    ]);
  },
);

test.concurrent("three unknown outcomes in a row throttle submissions, and a known outcome ends the row", async () => {
  const fleet = await openFleet();
  const { add, get, failureOf, resultOf, startWorker, server, posts, throttleEvents } = fleet;
  const fail = (times: number) =>
    server.service.faults.play(
      { kind: "status", status: 502 },
      { operation: "jobs.submit", times },
    );
  fail(2);
  const worker = await startWorker({ throttleMs: 30_000, worker: one });
  for (const id of ["a", "b", "c"]) await add(id, copyJob);
  await resultOf("c");
  expect(throttleEvents).toEqual([]);

  fail(30);
  const ids = idsOf(30);
  await addAll(fleet, ids, copyJob);
  await until(() => expect(throttleEvents).toHaveLength(1));
  expect(throttleEvents).toMatchObject([
    { throttled: "submissions", error: { status: 502, outcome: "unknown" } },
  ]);
  // A submission that is in doubt already fails nevertheless.
  for (const id of ids.slice(0, 3)) expect((await failureOf(id)).doubt).toMatchObject({ id });
  await until(async () => expect(await (await get("job-29")).getState()).toBe("delayed"));
  expect(posts()).toHaveLength(6);
  await worker.close();
});

test.concurrent("polls run before waiting submissions", async () => {
  const fleet = await openFleet();
  const { queue, startWorker, server, posts } = fleet;
  const slow = { kind: "latency", ms: 100 } as const;
  server.service.faults.play(slow, { operation: "jobs.submit", times: 30 });
  await addAll(fleet, idsOf(30), copyJob);
  await startWorker({ intervalMs: 50, worker: one });
  await until(async () => expect(await queue.getCompletedCount()).toBeGreaterThan(3));
  expect(posts().length).toBeLessThan(25);
});

test.concurrent("one worker with one place polls many slow jobs", async () => {
  const fleet = await openFleet(endless);
  const { queue, server, startWorker } = fleet;
  await startWorker({ worker: one });
  await addAll(fleet, idsOf(10), copyJob);
  await until(async () => expect(await queue.getDelayedCount()).toBe(10));
  for (const { job_id } of server.service.jobs.all) server.service.jobs.complete(job_id);
  await until(async () => {
    await queue.promoteJobs();
    expect(await queue.getCompletedCount()).toBe(10);
  });
});
