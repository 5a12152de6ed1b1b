import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { nameFleet } from "../../src/bullmq/fleet-names.ts";
import { createRecords } from "../../src/bullmq/records.ts";
import { createSubmitStep, type SubmitSetting } from "../../src/bullmq/submit-step.ts";
import { failure, queued, success } from "../helpers/answers.ts";
import { clientOf, pause, rejection, timed } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { copyJob, imageJob, until, useFleets } from "./fleet.ts";

const openFleet = useFleets();

describe("a Redis", () => {
  test("that refuses writes for a moment ends no wait", async () => {
    const { queue, redis, startWorker } = await openFleet();
    const admin = new Redis(redis.connection);
    const setMemory = (most: number) => admin.config("SET", "maxmemory", most);
    const done = success({ job_id: "job-1", status: "completed", result: {} });
    const doneWithoutMemory: Answer = (...answering) => {
      void setMemory(1).then(() => done(...answering));
      setTimeout(() => void setMemory(0), 300);
    };
    const service = await listen(queued(), doneWithoutMemory, done);
    startWorker({ client: clientOf(service), targetDelayMs: 50 });
    await queue.add("a", imageJob);
    expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
    admin.disconnect();
  });

  test("that is away ends no wait for a result, and keeps no worker and no queue open", async () => {
    const { openQueue, redis, startWorker } = await openFleet();
    const queue = openQueue({ timeoutMs: 300 });
    const another = openQueue({ timeoutMs: 300 });
    const worker = startWorker();
    await worker.submissions.waitUntilReady();
    await another.get("a");
    await queue.add("a", copyJob, { delayMs: 600 });
    const waiting = queue.waitForResult("a");
    const closed = Promise.withResolvers<void>();
    const down = redis.crash(closed.promise);
    await until(async () => expect(await rejection(queue.get("a"))).toBeDefined());
    const { ms } = await timed(() =>
      Promise.all([worker.close({ timeoutMs: 200 }), another.close()]),
    );
    expect(ms).toBeLessThan(2_000);
    closed.resolve();
    await down;
    startWorker();
    expect(await waiting).toMatchObject({ status: "completed" });
  });

  test("that is slow holds no submission back, and its intent allows for the time", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const later = <T>(value: T) =>
      new Promise<T>((resolve) => setTimeout(() => resolve(value), 1_040));
    const claimedFor: number[] = [];
    const submit = vi.fn(async () => ({ job_id: "job-1", status: "queued" }));
    const record = { state: "known", action: "generate-ad", jobId: "job-1" };
    const setting = {
      client: { jobs: { submit } },
      records: {
        claim: (...[, , , , at]: [string, string, string, string, number]) => {
          claimedFor.push(at - Date.now());
          return later("go");
        },
        settle: () => later("known"),
        read: () => later(record),
      },
      queues: { looks: { add: async () => {} } },
      submitTimeoutMs: 60_000,
      firstWait: () => 0,
    };
    const step = createSubmitStep(setting as unknown as SubmitSetting);
    const data = { id: "a", request: imageJob, digest: "" };
    const done = step({ data } as Parameters<typeof step>[0]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await done).toEqual({ job_id: "job-1" });
    expect(submit).toHaveBeenCalledOnce();
    expect(claimedFor).toEqual([0, 2_080]);
  });
});

describe("a wait of a day that a 429 asks for", () => {
  const tooMany = failure(429, "slow down", { "retry-after": "86395" });

  test("ends no later than the deadline of a wait", async () => {
    const service = await listen(queued(), tooMany);
    const { queue, startWorker } = await openFleet();
    startWorker({ client: clientOf(service), targetDelayMs: 50, timeoutMs: 300 });
    await queue.add("a", imageJob);
    const { value: error, ms } = await timed(() => rejection(queue.waitForResult("a")));
    expect(error).toMatchObject({ code: "poll_timeout", jobId: "job-1" });
    expect(error.message).toContain("last failure: GET /v1/jobs/job-1 answered 429");
    expect(ms).toBeLessThan(3_000);
    expect(service.received).toHaveLength(3);
  });

  test("is told, and lifted by resume()", async () => {
    const done = success({ job_id: "job-1", status: "completed", result: {} });
    const service = await listen(tooMany, queued(), done);
    const { queue, startWorker } = await openFleet();
    const paused: unknown[] = [];
    startWorker({
      client: clientOf(service),
      targetDelayMs: 50,
      onPaused: ({ error, queues }) => paused.push(error.code, queues),
    });
    await queue.add("a", imageJob);
    await until(() => expect(paused).not.toEqual([]));
    expect(paused).toEqual(["rate_limited", [queue.submissions.name, queue.looks.name]]);
    await pause(200);
    expect(service.received).toHaveLength(1);
    await queue.resume();
    expect(await queue.waitForResult("a")).toMatchObject({ job_id: "job-1" });
  });
});

describe("an answer that comes late", () => {
  /** A fleet with a submission whose answer is held back, and records as another process has them. */
  const openLate = async () => {
    const answered = Promise.withResolvers<void>();
    const fleet = await openFleet();
    const { name, queue, server, posts, startWorker } = fleet;
    const real = clientOf(server, { apiKey: "test-key" });
    const submit: typeof real.jobs.submit = async (request, options) => {
      const job = await real.jobs.submit(request, options);
      await answered.promise;
      return job;
    };
    const jobs = Object.assign(Object.create(real.jobs), { submit });
    const worker = startWorker({ client: { ...real, jobs } });
    await queue.add("a", imageJob);
    await until(() => expect(posts()).toBe(1));
    const records = createRecords(nameFleet(name), () => queue.looks.getBackend().client);
    return { ...fleet, worker, records, answer: answered.resolve };
  };

  test("and contradicts the records is an error, and stays on a list", async () => {
    const { answer, queue, records, server, worker } = await openLate();
    const errors: string[] = [];
    worker.submissions.on("error", ({ message }) => errors.push(message));
    await records.settle("a", "job-of-another-process", Date.now(), undefined);
    answer();
    const [job] = server.service.jobs.all;
    await until(() => expect(errors.join()).toContain(String(job?.job_id)));
    expect(errors.join()).toContain("job-of-another-process");
    const [contradiction, ...others] = await queue.listContradictions();
    expect(contradiction).toMatchObject({ id: "a", jobId: job?.job_id });
    expect(contradiction).toMatchObject({ otherJobId: "job-of-another-process" });
    expect(others).toEqual([]);
  });

  test("and whose process dies before its first look is told, and mended by another addition", async () => {
    const { queue, name, server, startWorker } = await openFleet();
    const { faults, jobs } = server.service;
    faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
    startWorker();
    await queue.add("a", copyJob);
    await until(async () => expect(await queue.submissions.getFailedCount()).toBe(1));
    const records = createRecords(nameFleet(name), () => queue.looks.getBackend().client);
    await records.settle("a", String(jobs.all[0]?.job_id), Date.now(), undefined);

    const error = await rejection(queue.waitForResult("a"));
    expect(error.message).toContain("add the same again");
    expect(await queue.get("a")).toMatchObject({ state: "given-up" });
    await queue.add("a", copyJob);
    expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
  });
});
