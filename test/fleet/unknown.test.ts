import { createClient } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { queued, reset, success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { copyJob, type Fleet, imageJob, until, useFleets } from "./fleet.ts";

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

describe("a list of recent jobs that is too short", () => {
  const another = { action: "video-a-2", status: "completed" };
  const early = { job_id: "early", status: "completed", action: imageJob.action, result: {} };
  const lost = { job_id: "lost", status: "queued", action: imageJob.action };
  /** Newest first: 300 jobs of others came after the lost one. */
  const jobs = [
    ...Array.from({ length: 300 }, (_, index) => ({ job_id: `job-${index}`, ...another })),
    lost,
    early,
  ];

  /** A service that lists at most so many; the answer to its second submission is lost. */
  const openService = (most: () => number) => {
    let posts = 0;
    return listen((response, request) => {
      const { searchParams, pathname } = new URL(request.url, "http://service");
      if (request.method === "POST") {
        (++posts === 1 ? queued("early") : reset)(response, request);
      } else if (pathname.endsWith("/jobs")) {
        const limit = Math.min(Number(searchParams.get("limit") ?? 100), most());
        success({ jobs: jobs.slice(0, limit) })(response, request);
      } else {
        success(early)(response, request);
      }
    });
  };

  test("is asked for more, until it shows a job that is older than the submission", async () => {
    const service = await openService(() => Number.POSITIVE_INFINITY);
    const { queue, startWorker } = await openFleet();
    const asked: unknown[] = [];
    startWorker({
      client: clientOf(service),
      targetDelayMs: 50,
      onUnknown: ({ isComplete }, candidates = []) => {
        asked.push(isComplete, ...candidates.map(({ job_id }) => job_id));
        return "hold";
      },
    });
    await queue.add("first", imageJob);
    await queue.waitForResult("first");
    await queue.add("second", imageJob);

    await until(async () => expect(await queue.get("second")).toMatchObject({ state: "held" }));

    expect(asked).toEqual([true, "lost"]);
    const [held] = await queue.listHeld();
    expect(held).toMatchObject({ isComplete: true, candidates: [{ job_id: "lost" }] });
  });

  test("pays nothing by itself, and is looked at again when somebody decides", async () => {
    let most = 100;
    const service = await openService(() => most);
    const client = clientOf(service);
    const { queue, startWorker } = await openFleet();
    const asked: unknown[] = [];
    startWorker({
      client,
      targetDelayMs: 50,
      onUnknown: ({ isComplete }, candidates) => {
        asked.push(isComplete, candidates);
        return "resubmit";
      },
    });
    await queue.add("first", imageJob);
    await queue.waitForResult("first");
    await queue.add("second", imageJob);
    const failed = await until(async () => {
      const [job] = await queue.submissions.getFailed();
      expect(job).toBeDefined();
      return job;
    });

    expect(asked).toEqual([false, []]);
    expect(failed?.failedReason).toContain("candidates: 0 of a list that does not reach back");
    expect(await queue.get("second")).toMatchObject({ state: "held" });
    const posts = service.received.filter(({ method }) => method === "POST");
    expect(posts).toHaveLength(2);
    expect(await queue.listHeld()).toMatchObject([{ isComplete: false, candidates: [] }]);

    most = 1_000;
    const [held] = await queue.listHeld({ client });
    expect(held).toMatchObject({ isComplete: true, candidates: [{ job_id: "lost", job: lost }] });
  });

  test("is not complete where it is empty, and the fleet had a job before", async () => {
    const service = await openService(() => 0);
    const { queue, startWorker } = await openFleet();
    startWorker({ client: clientOf(service), targetDelayMs: 50, onUnknown: () => "resubmit" });
    await queue.add("first", imageJob);
    await queue.waitForResult("first");
    await queue.add("second", imageJob);

    await until(async () => expect(await queue.get("second")).toMatchObject({ state: "held" }));

    expect(await queue.listHeld()).toMatchObject([{ isComplete: false, candidates: [] }]);
    expect(service.received.filter(({ method }) => method === "POST")).toHaveLength(2);
  });
});

test.each([
  ["a time without a zone", new Date(Date.now() - 9 * 3_600_000).toISOString().slice(0, -1)],
  ["a clock that is 11 minutes behind", new Date(Date.now() - 660_000).toISOString()],
])("a candidate is kept where the service shows %s", async (_, created_at) => {
  const made = { job_id: "job-1", status: "queued", created_at };
  const service = await listen(reset, success({ jobs: [made] }));
  const { queue, startWorker } = await openFleet();
  startWorker({ client: clientOf(service), targetDelayMs: 50 });
  await queue.add("a", copyJob);
  await until(async () => expect(await queue.get("a")).toMatchObject({ state: "held" }));
  expect((await queue.listHeld())[0]?.candidates).toMatchObject([made]);
});

test("a candidate is dropped for a known action of another kind alone", async () => {
  const shown = [undefined, null, 7, "", "generateAdCopy", copyJob.action, imageJob.action];
  const jobs = shown.map((action, index) => ({ job_id: `job-${index}`, status: "queued", action }));
  const service = await listen(reset, success({ jobs }));
  const { queue, startWorker } = await openFleet();
  startWorker({ client: clientOf(service), targetDelayMs: 50 });
  await queue.add("a", copyJob);
  await until(async () => expect(await queue.get("a")).toMatchObject({ state: "held" }));
  const candidates = (await queue.listHeld())[0]?.candidates?.map(({ job_id }) => job_id);
  expect(candidates).toEqual(["job-0", "job-1", "job-2", "job-3", "job-4", "job-5"]);
});

test("three unknown outcomes in a row pause the submissions, and one that is known ends the row", async () => {
  const { queue, startWorker, server, posts } = await openFleet();
  const { faults } = server.service;
  const outage = { kind: "status", status: 502 } as const;
  faults.play(outage, { operation: "jobs.submit", times: 2 });
  const paused: unknown[] = [];
  startWorker({ concurrency: 1, onPaused: ({ error, queues }) => paused.push(error, queues) });
  for (const id of ["a", "b", "c"]) await queue.add(id, copyJob);
  await queue.waitForResult("c");
  expect(paused).toEqual([]);

  faults.play(outage, { operation: "jobs.submit", times: 30 });
  const ids = Array.from({ length: 30 }, (_, index) => `order-${index}`);
  await Promise.all(ids.map((id) => queue.add(id, copyJob)));
  await until(() => expect(paused).toHaveLength(2));
  expect(paused).toMatchObject([{ status: 502, outcome: "unknown" }, [queue.submissions.name]]);
  expect(await queue.submissions.isPaused()).toBe(true);
  expect(posts()).toBe(6);
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
  fleet.startWorker({ client, worker: deaf, concurrency: 1 });
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
