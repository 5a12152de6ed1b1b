import type { PausedEvent } from "adgen-sdk/bullmq";
import { describe, expect, test } from "vitest";
import { rejection } from "../helpers/client.ts";
import { copyJob, imageJob, until, useFleets } from "./fleet.ts";

const openFleet = useFleets();

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `job-${i}`);

describe("a 429", () => {
  test("stops all workers for the time that it names, and submits nothing twice", async () => {
    const { queue, startWorker, server, posts } = await openFleet();
    const fault = { kind: "rate-limit", retryAfterMs: 1_000 } as const;
    server.service.faults.play(fault, { operation: "jobs.submit" });
    const workers = [startWorker({ concurrency: 1 }), startWorker({ concurrency: 1 })] as const;
    await Promise.all(workers.map(({ submissions }) => submissions.waitUntilReady()));
    const [, other] = workers;
    await other.submissions.pause();
    const ids = idsOf(6);
    await Promise.all(ids.map((id) => queue.add(id, imageJob)));
    // From the moment at which Redis holds the brake, it holds for the other worker, too. BullMQ's
    // own count of the jobs that were taken has the same key, and a time: without this maximum it
    // would look like the brake.
    const brake = Number.MAX_SAFE_INTEGER;
    await until(async () =>
      expect(await queue.submissions.getRateLimitTtl(brake)).toBeGreaterThan(0),
    );
    await other.submissions.resume();
    const jobs = await Promise.all(ids.map((id) => queue.waitForResult(id)));
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(6);
    expect(posts()).toBe(7);
    const times = server.service.journal.find({ method: "POST" }).map(({ at }) => at);
    const refusedAt = Math.min(...times);
    const soon = times.filter((at) => at - refusedAt < 900);
    expect(soon.length).toBeLessThanOrEqual(2);
  });

  test("of a look makes looks wait, and ends none", async () => {
    const { queue, startWorker, server } = await openFleet();
    const fault = { kind: "rate-limit", retryAfterMs: 1_000 } as const;
    server.service.faults.play(fault, { operation: "jobs.get" });
    startWorker();
    await queue.add("a", copyJob);
    expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
  });
});

test("a limit of the caller's holds for all workers together", async () => {
  const { queue, startWorker, server } = await openFleet();
  const limit = { max: 2, durationMs: 1_000 };
  startWorker({ limit });
  startWorker({ limit });
  await Promise.all(idsOf(5).map((id) => queue.add(id, copyJob)));
  await until(() => expect(server.service.journal.find({ method: "POST" })).toHaveLength(5));
  const times = server.service.journal.find({ method: "POST" }).map(({ at }) => at);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(1_500);
});

describe("a 402", () => {
  const credits = { image: { monthly: 2 } };

  test("pauses the submissions, burns none, and lets the looks go on", async () => {
    const { queue, startWorker, server, posts } = await openFleet({
      accounts: { "test-key": { credits } },
    });
    const paused: PausedEvent[] = [];
    startWorker({ concurrency: 1, onPaused: (event) => paused.push(event) });
    const ids = idsOf(6);
    for (const id of ids) await queue.add(id, imageJob);
    await until(() => expect(paused).toHaveLength(1));
    expect(paused[0]).toMatchObject({ error: { code: "payment_required", outcome: "refused" } });
    const settled = await Promise.all(ids.slice(0, 2).map((id) => queue.waitForResult(id)));
    expect(settled.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(posts()).toBe(3);
    expect(await queue.submissions.isPaused()).toBe(true);
    expect(await queue.looks.isPaused()).toBe(false);
    expect(await queue.get("job-2")).toMatchObject({ state: "waiting" });

    server.service.account("test-key").grant("image", { monthly: 10 });
    await queue.resume();
    await Promise.all(ids.map((id) => queue.waitForResult(id)));
    expect(posts()).toBe(7);
    expect(paused).toHaveLength(1);
  });
});

describe("a 401", () => {
  test("pauses submissions and looks", async () => {
    const { queue, startWorker, server } = await openFleet();
    const fault = { kind: "status", status: 401 } as const;
    server.service.faults.play(fault, { operation: "jobs.get" });
    const paused: PausedEvent[] = [];
    startWorker({ onPaused: (event) => paused.push(event) });
    await queue.add("a", copyJob);
    await until(() => expect(paused).toHaveLength(1));
    expect(paused[0]?.queues).toEqual([queue.submissions.name, queue.looks.name]);
    expect(await queue.get("a")).toMatchObject({ state: "looking" });
    await queue.resume();
    expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
  });
});

describe("a wait", () => {
  test("that passes its deadline is given up with the job's id, and can be taken up again", async () => {
    const timeline = { queuedMs: 60_000, processingMs: 0 };
    const { queue, startWorker, server } = await openFleet({ timeline });
    startWorker({ timeoutMs: 300 });
    await queue.add("a", copyJob);
    const error = await rejection(queue.waitForResult("a"));
    expect(error).toMatchObject({ code: "poll_timeout", attempts: expect.any(Number) });
    const [job] = server.service.jobs.all;
    expect(error.jobId).toBe(job?.job_id);
    expect(error.message).toContain('last status "queued"');
    server.service.jobs.complete(String(error.jobId));
    await (await queue.looks.getJob("a"))?.retry("failed");
    expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
  });

  test("outlasts a service that fails for a while", async () => {
    const { queue, startWorker, server } = await openFleet();
    const { faults } = server.service;
    faults.play({ kind: "status", status: 503 }, { operation: "jobs.get" });
    startWorker();
    await queue.add("a", copyJob);
    expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
    faults.assertPlayed();
  });

  test("ends when the service says that no look can succeed", async () => {
    const { queue, startWorker, server } = await openFleet();
    const body = { success: false, data: null, error: "Forbidden" };
    server.service.faults.play({ kind: "status", status: 403, body }, { operation: "jobs.get" });
    startWorker();
    await queue.add("a", copyJob);
    const error = await rejection(queue.waitForResult("a"));
    expect(error).toMatchObject({ status: 403 });
    expect(await queue.get("a")).toMatchObject({ state: "given-up", error: { status: 403 } });
  });
});
