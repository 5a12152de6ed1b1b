import { createClient } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { rejection } from "../helpers/client.ts";
import { type Fleet, imageJob, until, useFleets } from "./fleet.ts";

const openFleet = useFleets();

/** The next submission breaks off, before or after the service has carried it out. */
const breakSubmission = ({ server }: Fleet, accepted: boolean): void => {
  server.service.faults.play({ kind: "reset", accepted }, { operation: "jobs.submit" });
};

const heldOf = (fleet: Fleet, id: string) =>
  until(async () => {
    expect(await fleet.queue.get(id)).toMatchObject({ state: "held" });
    const [held] = await fleet.queue.listHeld();
    return held;
  });

const chargesOf = ({ server }: Fleet): number =>
  server.service.account("test-key").ledger.filter(({ reason }) => reason === "charge").length;

describe("a submission of unknown outcome", () => {
  test("is held with the jobs that may be it, and goes on as the one that is named", async () => {
    const fleet = await openFleet();
    const { queue, server, posts } = fleet;
    breakSubmission(fleet, true);
    fleet.startWorker();
    await queue.add("a", imageJob);
    const held = await heldOf(fleet, "a");
    const [made] = server.service.jobs.all;
    expect(held).toMatchObject({
      id: "a",
      request: imageJob,
      error: { code: "connection", outcome: "unknown" },
      openElsewhere: 0,
      candidates: [{ job_id: made?.job_id, status: "queued" }],
    });
    const failed = await until(async () => {
      const [job] = await queue.submissions.getFailed();
      expect(job).toBeDefined();
      return job;
    });
    expect(failed?.failedReason).toContain("held for a decision: POST /v1/jobs");

    await queue.decide("a", { jobId: String(made?.job_id) });
    expect(await queue.waitForResult("a")).toMatchObject({ job_id: made?.job_id });
    expect([posts(), chargesOf(fleet)]).toEqual([1, 1]);
    expect(await queue.listHeld()).toEqual([]);
  });

  test("is not submitted by a retry in a dashboard", async () => {
    const fleet = await openFleet();
    const { queue, posts } = fleet;
    breakSubmission(fleet, true);
    fleet.startWorker();
    await queue.add("a", imageJob);
    const job = await until(async () => {
      const [failed] = await queue.submissions.getFailed();
      return failed ?? Promise.reject(new Error("not yet"));
    });
    await job.retry("failed");
    await until(async () => expect(await queue.submissions.getFailedCount()).toBe(1));
    expect(posts()).toBe(1);
    expect(await queue.get("a")).toMatchObject({ state: "held" });
  });

  test("is submitted again when that is decided, and only then", async () => {
    const fleet = await openFleet();
    const { queue, posts } = fleet;
    breakSubmission(fleet, false);
    fleet.startWorker();
    await queue.add("a", imageJob);
    expect(await heldOf(fleet, "a")).toMatchObject({ candidates: [] });
    await queue.decide("a", "resubmit");
    expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
    expect([posts(), chargesOf(fleet)]).toEqual([2, 1]);
  });

  test("is given up when that is decided", async () => {
    const fleet = await openFleet();
    const { queue } = fleet;
    breakSubmission(fleet, false);
    fleet.startWorker();
    await queue.add("a", imageJob);
    await heldOf(fleet, "a");
    await queue.decide("a", "drop");
    expect(await queue.get("a")).toMatchObject({ state: "dropped" });
    expect(await rejection(queue.waitForResult("a"))).toMatchObject({ code: "aborted" });
  });

  test("is decided by onUnknown", async () => {
    const fleet = await openFleet();
    const { queue, posts } = fleet;
    breakSubmission(fleet, true);
    const asked: unknown[] = [];
    fleet.startWorker({
      onUnknown: (submission, candidates = []) => {
        asked.push(submission.id, candidates.length);
        const [only] = candidates;
        return only === undefined ? "hold" : { jobId: only.job_id };
      },
    });
    await queue.add("a", imageJob);
    expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
    expect(asked).toEqual(["a", 1]);
    expect(posts()).toBe(1);
  });

  test("cannot be given the job of another, and no other can be decided on", async () => {
    const fleet = await openFleet();
    const { queue } = fleet;
    fleet.startWorker();
    await queue.add("first", imageJob);
    const { job_id } = await queue.waitForResult("first");
    breakSubmission(fleet, false);
    await queue.add("second", imageJob);
    expect(await heldOf(fleet, "second")).toMatchObject({ candidates: [] });
    const taken = await rejection(queue.decide("second", { jobId: job_id }));
    expect(taken.message).toContain('belongs to submission "first"');
    const done = await rejection(queue.decide("first", "resubmit"));
    expect(done.message).toContain('"first" is not held');
  });
});

test("two workers that run one submission at once send it once, and its late answer counts", async () => {
  const fleet = await openFleet();
  const { queue, server, posts } = fleet;
  const real = createClient({ baseUrl: server.url, apiKey: "test-key" });
  const answered = Promise.withResolvers<void>();
  const submit: typeof real.jobs.submit = async (request, options) => {
    const job = await real.jobs.submit(request, options);
    await answered.promise;
    return job;
  };
  const deaf = { lockDuration: 200, stalledInterval: 100, skipLockRenewal: true, drainDelay: 1 };
  const client = { ...real, jobs: Object.assign(Object.create(real.jobs), { submit }) };
  // It loses its lock while it submits, as a process does that stands still.
  fleet.startWorker({ client, worker: deaf });
  await queue.add("a", imageJob);
  await until(() => expect(posts()).toBe(1));
  fleet.startWorker({ submitTimeoutMs: 1 });
  const held = await heldOf(fleet, "a");
  expect(held?.candidates).toHaveLength(1);
  answered.resolve();
  expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
  expect([posts(), chargesOf(fleet)]).toEqual([1, 1]);
  expect(await queue.listHeld()).toEqual([]);
});
