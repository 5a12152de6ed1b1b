import { type HoldEvent, resume } from "adgen-sdk/bullmq";
import { describe, expect } from "vitest";
import { failure, queued, success } from "../helpers/answers.ts";
import { pause, timed } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { copyJob, imageJob, test, until } from "./fleet.ts";

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `job-${i}`);

describe.concurrent("a 429", () => {
  test("stops all workers for the time that it names, and submits nothing twice", async ({
    openFleet,
  }) => {
    const { add, queue, resultOf, server, startWorker, posts } = await openFleet();
    const fault = { kind: "rate-limit", retryAfterMs: 5_000 } as const;
    server.service.faults.play(fault, { operation: "jobs.submit" });
    startWorker({ worker: { concurrency: 1 } });
    const ids = idsOf(6);
    await Promise.all(ids.map((id) => add(id, imageJob)));
    // From the moment at which Redis holds the limit, it holds for another worker, too.
    const connection = await queue.getBackend().client;
    const limit = queue.toKey("adgen-limit");
    await until(async () => expect(await connection.get(limit)).toBe("1"));
    startWorker({ worker: { concurrency: 4 } });
    const jobs = await Promise.all(ids.map(resultOf));
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(6);
    expect(posts()).toBe(7);
    const times = server.service.journal.find({ method: "POST" }).map(({ at }) => at);
    const refusedAt = Math.min(...times);
    expect(times.filter((at) => at - refusedAt < 4_900)).toEqual([refusedAt]);
  });

  test("that asks for no wait is no burst", async ({ openFleet }) => {
    const { add, resultOf, server, startWorker, posts } = await openFleet();
    const fault = { kind: "rate-limit", retryAfterMs: 0 } as const;
    server.service.faults.play(fault, { operation: "jobs.submit", times: 2 });
    startWorker({ worker: { concurrency: 1 } });
    await add("a", copyJob);
    await resultOf("a");
    expect(posts()).toBe(3);
    const [first = 0, second = 0, third = 0] = server.service.journal
      .find({ method: "POST" })
      .map(({ at }) => at);
    expect(Math.min(second - first, third - second)).toBeGreaterThan(900);
  });

  test("of a poll makes polls and submissions wait, and ends none", async ({ openFleet }) => {
    const { add, resultOf, startWorker, server, posts } = await openFleet();
    const fault = { kind: "rate-limit", retryAfterMs: 1_000 } as const;
    server.service.faults.play(fault, { operation: "jobs.get" });
    startWorker({ worker: { concurrency: 1 } });
    await add("a", copyJob);
    await until(() => server.service.faults.assertPlayed());
    await add("b", copyJob);
    await until(() => expect(posts()).toBe(2));
    const { journal } = server.service;
    const [refused] = journal.find({ status: 429 });
    const second = journal.find({ method: "POST" })[1];
    expect(Number(second?.at) - Number(refused?.at)).toBeGreaterThan(900);
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
  });
});

test.concurrent("a rate that BullMQ keeps for all workers survives a 429 of the service", async ({
  openFleet,
}) => {
  const { add, startWorker, server, posts } = await openFleet({
    timeline: { queuedMs: 60_000, processingMs: 0 },
  });
  const fault = { kind: "rate-limit", retryAfterMs: 50 } as const;
  server.service.faults.play(fault, { operation: "jobs.submit" });
  const limiter = { max: 2, duration: 2_000 };
  startWorker({ worker: { limiter } });
  startWorker({ worker: { limiter } });
  await Promise.all(idsOf(5).map((id) => add(id, copyJob)));
  await until(() => expect(posts()).toBe(6));
  const times = server.service.journal.find({ method: "POST" }).map(({ at }) => at);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(3_000);
});

test.concurrent("polls come before submissions that wait", async ({ openFleet }) => {
  const { add, queue, startWorker, server, posts } = await openFleet();
  const slow = { kind: "latency", ms: 100 } as const;
  server.service.faults.play(slow, { operation: "jobs.submit", times: 30 });
  await Promise.all(idsOf(30).map((id) => add(id, copyJob)));
  startWorker({ targetDelayMs: 50, worker: { concurrency: 1 } });
  await until(async () => expect(await queue.getCompletedCount()).toBeGreaterThan(3));
  expect(posts()).toBeLessThan(25);
});

test.concurrent("a submission on record of another service fails, and is not tried again", async ({
  openFleet,
}) => {
  const { add, failureOf, submissions, startWorker, posts } = await openFleet();
  const made = { job_id: "job_1", status: "queued" };
  await submissions.run(
    {
      ...{ once: "a", method: "jobs.submit", body: copyJob, timeoutMs: 5_000 },
      origin: "https://old.example",
    },
    async () => ({ verdict: "settled", answer: made, jobId: made.job_id }),
  );
  startWorker();
  await add("a", copyJob);
  expect(await failureOf("a")).toMatchObject({ error: { code: "config" } });
  expect(posts()).toBe(0);
});

describe.concurrent("a 402", () => {
  const credits = { image: { monthly: 2 } };

  test("holds the submissions back, burns none, and lets the polls go on", async ({
    openFleet,
  }) => {
    const { add, get, queue, resultOf, startWorker, server, posts } = await openFleet({
      accounts: { "test-key": { credits } },
    });
    const events: HoldEvent[] = [];
    const onHold = (event: HoldEvent) => events.push(event);
    startWorker({ holdMs: 1_500, onHold, worker: { concurrency: 1 } });
    const ids = idsOf(6);
    for (const id of ids) await add(id, imageJob);
    await until(() => expect(events).toHaveLength(1));
    expect(events).toMatchObject([
      { held: "submissions", error: { code: "payment_required", outcome: "refused" } },
    ]);
    const settled = await Promise.all(ids.slice(0, 2).map(resultOf));
    expect(settled.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(posts()).toBe(3);
    await until(async () => expect(await (await get("job-2")).getState()).toBe("delayed"));

    server.service.account("test-key").grant("image", { monthly: 10 });
    await resume(queue);
    await Promise.all(ids.map(resultOf));
    expect(posts()).toBe(7);
    expect(events).toHaveLength(1);
  });

  test("is tried again by one submission at a time, and all go on when it succeeds", async ({
    openFleet,
  }) => {
    const { add, resultOf, startWorker, server, posts } = await openFleet({
      accounts: { "test-key": { credits } },
    });
    const holdMs = 2_000;
    startWorker({ holdMs });
    const ids = idsOf(40);
    await Promise.all(ids.map((id) => add(id, imageJob)));
    /** Submissions that came when the hold was over. */
    const tries = () => {
      const times = server.service.journal.find({ method: "POST" }).map(({ at }) => at);
      return times.filter((at, index) => at - (times[index - 1] ?? at) > holdMs / 2).length;
    };
    await until(() => expect(tries()).toBeGreaterThanOrEqual(2));
    // Two had credits, and up to eight were under way when the first one was refused.
    expect(posts()).toBeLessThanOrEqual(2 + 8 + tries());
    server.service.account("test-key").grant("image", { monthly: 100 });
    await Promise.all(ids.map(resultOf));
    // One at a time would be a try for each of them.
    expect(tries()).toBeLessThan(20);
  });

  test("holds back no answer on record", async ({ openFleet }) => {
    const { add, get, resultOf, startWorker, posts } = await openFleet({
      accounts: { "test-key": { credits: { image: { monthly: 1 } } } },
    });
    const events: HoldEvent[] = [];
    startWorker({ holdMs: 60_000, onHold: (event) => events.push(event) });
    await add("a", imageJob);
    const { job_id } = await resultOf("a");
    await add("b", imageJob);
    await until(() => expect(events).toHaveLength(1));
    await (await get("a")).remove();
    await add("a", imageJob);
    expect(await resultOf("a")).toMatchObject({ job_id });
    // Nor does it say that there are credits again.
    await add("c", imageJob);
    await until(async () => expect(await (await get("c")).getState()).toBe("delayed"));
    expect(posts()).toBe(2);
  });
});

test.concurrent.for(["jobs.submit", "jobs.get"] as const)(
  "a 401 of %s holds submissions back, and ends none and no wait",
  async (operation, { openFleet }) => {
    const { add, resultOf, startWorker, server } = await openFleet();
    const times = operation === "jobs.get" ? 3 : 1;
    server.service.faults.play({ kind: "status", status: 401 }, { operation, times });
    const events: HoldEvent[] = [];
    startWorker({ holdMs: 100, onHold: (event) => events.push(event) });
    await add("a", copyJob);
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    expect(events).toMatchObject([{ held: "submissions", error: { code: "unauthorized" } }]);
  },
);

describe.concurrent("a wait of a day that a 429 asks for", () => {
  const tooMany = failure(429, "slow down", { "retry-after": "86395" });

  test("ends no later than the deadline of a wait", async ({ openFleet }) => {
    const service = await listen(queued(), tooMany);
    const { add, failureOf, startWorker } = await openFleet();
    startWorker({ service, targetDelayMs: 50, timeoutMs: 3_000 });
    await add("a", imageJob);
    const { value, ms } = await timed(() => failureOf("a"));
    expect(value.error).toMatchObject({ code: "poll_timeout", jobId: "job-1" });
    expect(value.failedReason).toContain("last failure: GET /v1/jobs/job-1 answered 429");
    expect(ms).toBeLessThan(60_000);
    expect(service.received).toHaveLength(3);
  });

  test("is told, and lifted by resume()", async ({ openFleet }) => {
    const done = success({ job_id: "job-1", status: "completed", result: {} });
    const service = await listen(tooMany, queued(), done);
    const { add, queue, resultOf, startWorker } = await openFleet();
    const events: HoldEvent[] = [];
    const onHold = (event: HoldEvent) => events.push(event);
    startWorker({ service, targetDelayMs: 50, holdMs: 500, onHold });
    await add("a", imageJob);
    await until(() => expect(events).not.toEqual([]));
    expect(events).toMatchObject([{ held: "requests", error: { code: "rate_limited" } }]);
    expect(events[0]?.waitMs).toBe(86_395_000);
    await pause(700);
    expect(service.received).toHaveLength(1);
    await resume(queue);
    expect(await resultOf("a")).toMatchObject({ job_id: "job-1" });
  });
});

describe.concurrent("a wait", () => {
  test("that passes its deadline fails with the job's id, and can be taken up again", async ({
    openFleet,
  }) => {
    const timeline = { queuedMs: 60_000, processingMs: 0 };
    const { add, get, failureOf, resultOf, startWorker, server, posts } = await openFleet({
      timeline,
    });
    startWorker({ timeoutMs: 300 });
    await add("a", copyJob);
    const { error, failedReason } = await failureOf("a");
    const [job] = server.service.jobs.all;
    expect(error).toMatchObject({ code: "poll_timeout", jobId: job?.job_id });
    expect(failedReason).toContain('last status "queued"');
    server.service.jobs.complete(String(job?.job_id));
    await (await get("a")).retry();
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    expect(posts()).toBe(1);
  });

  test("outlasts a service that fails for a while", async ({ openFleet }) => {
    const { add, resultOf, startWorker, server } = await openFleet();
    const { faults } = server.service;
    faults.play({ kind: "status", status: 503 }, { operation: "jobs.get" });
    startWorker();
    await add("a", copyJob);
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    faults.assertPlayed();
  });

  test("ends when the service says that no poll can succeed", async ({ openFleet }) => {
    const { add, failureOf, startWorker, server } = await openFleet();
    const body = { success: false, data: null, error: "Forbidden" };
    server.service.faults.play({ kind: "status", status: 403, body }, { operation: "jobs.get" });
    startWorker();
    await add("a", copyJob);
    expect((await failureOf("a")).error).toMatchObject({ status: 403 });
  });
});
