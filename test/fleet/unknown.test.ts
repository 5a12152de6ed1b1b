import type { CustomFetch } from "adgen-sdk";
import { describe, expect } from "vitest";
import { failure, raw, reset, success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { copyJob, type Fleet, imageJob, test, until } from "./fleet.ts";

/** The next submission breaks off, before or after the service has carried it out. */
const breakSubmission = ({ server }: Fleet, accepted: boolean): void => {
  server.service.faults.play({ kind: "reset", accepted }, { operation: "jobs.submit" });
};

/** Waits for the doubt of a submission that has failed with one. */
const doubtOf = async ({ failureOf }: Fleet, id: string) => {
  const { doubt } = await failureOf(id);
  if (doubt === undefined) throw new Error(`${id} is not in doubt`);
  return doubt;
};

describe.concurrent("a submission of unknown outcome", () => {
  test("fails with the jobs that may be it, and goes on as the one that is named", async ({
    openFleet,
  }) => {
    const fleet = await openFleet();
    const { add, get, failureOf, resultOf, server, submissions, posts, charges } = fleet;
    breakSubmission(fleet, true);
    fleet.startWorker();
    await add("a", imageJob);
    const { doubt, error, failedReason } = await failureOf("a");
    const [made] = server.service.jobs.all;
    expect(doubt).toMatchObject({
      id: "a",
      request: imageJob,
      why: "connection",
      candidates: [{ job_id: made?.job_id, status: "queued" }],
    });
    expect(error).toMatchObject({ code: "in_doubt" });
    expect(failedReason).toContain("submissions.decide(");

    await submissions.decide(await doubtOf(fleet, "a"), { adopt: String(made?.job_id) });
    await (await get("a")).retry();
    expect(await resultOf("a")).toMatchObject({ job_id: made?.job_id });
    expect([posts(), charges()]).toEqual([1, 1]);
    expect((await get("a")).data).toEqual({ request: imageJob });
    expect(await submissions.listOpen()).toMatchObject({ waiting: [], unknown: [] });
  });

  test("is not submitted by a retry in a dashboard", async ({ openFleet }) => {
    const fleet = await openFleet();
    const { add, get, posts } = fleet;
    breakSubmission(fleet, true);
    fleet.startWorker();
    await add("a", imageJob);
    const doubt = await doubtOf(fleet, "a");
    await (await get("a")).retry();
    expect(await doubtOf(fleet, "a")).toMatchObject({ token: doubt.token });
    expect(posts()).toBe(1);
  });

  test("is submitted again when that is decided, and only then", async ({ openFleet }) => {
    const fleet = await openFleet();
    const { add, get, resultOf, submissions, posts, charges } = fleet;
    breakSubmission(fleet, false);
    fleet.startWorker();
    await add("a", imageJob);
    const doubt = await doubtOf(fleet, "a");
    expect(doubt).toMatchObject({ candidates: [] });
    await submissions.decide(doubt, "resubmit");
    await (await get("a")).retry();
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    expect([posts(), charges()]).toEqual([2, 1]);
  });

  test("fails only when the service has had time to list its job", async ({ openFleet }) => {
    const fleet = await openFleet();
    const { add, get } = fleet;
    breakSubmission(fleet, true);
    fleet.startWorker({ settleMs: 700 });
    await add("a", imageJob);
    await until(async () => expect((await get("a")).data.doubt).toBeDefined());
    const doubt = await doubtOf(fleet, "a");
    const [submitted] = fleet.server.service.journal.find({ method: "POST" });
    const { finishedOn = 0 } = await get("a");
    expect(finishedOn - Number(submitted?.at)).toBeGreaterThanOrEqual(700);
    expect(doubt.candidates).toHaveLength(1);
  });
});

test.concurrent("three unknown outcomes in a row hold the submissions back, and a known one ends the row", async ({
  openFleet,
}) => {
  const { add, get, failureOf, resultOf, startWorker, server, posts } = await openFleet();
  const { faults } = server.service;
  const outage = { kind: "status", status: 502 } as const;
  faults.play(outage, { operation: "jobs.submit", times: 2 });
  const events: unknown[] = [];
  const worker = startWorker({
    holdMs: 30_000,
    worker: { concurrency: 1 },
    onHold: (event) => events.push(event),
  });
  for (const id of ["a", "b", "c"]) await add(id, copyJob);
  await resultOf("c");
  expect(events).toEqual([]);

  faults.play(outage, { operation: "jobs.submit", times: 30 });
  const ids = Array.from({ length: 30 }, (_, index) => `order-${index}`);
  await Promise.all(ids.map((id) => add(id, copyJob)));
  await until(() => expect(events).toHaveLength(1));
  expect(events).toMatchObject([
    { held: "submissions", error: { status: 502, outcome: "unknown" } },
  ]);
  // What is in doubt already is told all the same.
  for (const id of ids.slice(0, 3)) expect((await failureOf(id)).doubt).toMatchObject({ id });
  await until(async () => expect(await (await get("order-29")).getState()).toBe("delayed"));
  expect(posts()).toBe(6);
  await worker.close();
});

test.concurrent("a candidate is dropped for a known action of another kind alone", async ({
  openFleet,
}) => {
  const shown = [undefined, null, 7, "", "generateAdCopy", copyJob.action, imageJob.action];
  const jobs = shown.map((action, index) => ({ job_id: `job-${index}`, status: "queued", action }));
  const service = await listen(reset, success({ jobs }));
  const fleet = await openFleet();
  fleet.startWorker({ service, targetDelayMs: 50 });
  await fleet.add("a", copyJob);
  const { candidates = [], mayStillArrive } = await doubtOf(fleet, "a");
  const kept = ["job-0", "job-1", "job-2", "job-3", "job-4", "job-5"];
  expect(candidates.map(({ job_id }) => job_id)).toEqual(kept);
  expect(mayStillArrive).toBe(false);
});

test.concurrent("candidates are listed again where the service does not answer at first", async ({
  openFleet,
}) => {
  const made = { job_id: "job-1", status: "queued" };
  const service = await listen(
    reset,
    failure(503, "down"),
    failure(503, "down"),
    failure(503, "down"),
    success({ jobs: [made] }),
  );
  const fleet = await openFleet();
  fleet.startWorker({ service, targetDelayMs: 50 });
  await fleet.add("a", copyJob);
  expect((await doubtOf(fleet, "a")).candidates).toMatchObject([made]);
});

test.concurrent("a doubt waits for its candidates, however often its job was held back or failed before", async ({
  openFleet,
}) => {
  const made = { job_id: "job-1", status: "queued" };
  const noCredits = Array.from({ length: 10 }, () => failure(402, "no credits"));
  // The client lists by itself, too: at the failure, and at the repeat.
  const page = raw(200, "<h1>Maintenance</h1>", { "content-type": "text/html" });
  const service = await listen(...noCredits, reset, page, page, page, success({ jobs: [made] }));
  const fleet = await openFleet();
  fleet.startWorker({ service, holdMs: 1, targetDelayMs: 50 });
  await fleet.add("a", copyJob);
  expect((await doubtOf(fleet, "a")).candidates).toMatchObject([made]);
  const { logs } = await fleet.queue.getJobLogs("a");
  expect(logs.join()).toContain("Candidates not listed: ");
});

test.concurrent("a doubt whose candidates are refused is told without them", async ({
  openFleet,
}) => {
  const service = await listen(reset, failure(400, "limit: at most 100"));
  const fleet = await openFleet();
  fleet.startWorker({ service, candidateLimit: 1_000 });
  await fleet.add("a", copyJob);
  const { candidates, mayStillArrive } = await doubtOf(fleet, "a");
  expect({ candidates, mayStillArrive }).toEqual({ mayStillArrive: false });
  const { logs } = await fleet.queue.getJobLogs("a");
  expect(logs.join()).toContain("limit: at most 100");
});

test.concurrent("two workers that run one submission at once send it once, and its answer counts", async ({
  openFleet,
}) => {
  const fleet = await openFleet();
  const { add, resultOf, posts, charges } = fleet;
  const answered = Promise.withResolvers<void>();
  const slowFetch: CustomFetch = async (...given) => {
    const response = await fetch(...given);
    await answered.promise;
    return response;
  };
  // It loses its lock while it submits, as a process does that stands still.
  const deaf = { lockDuration: 200, stalledInterval: 100, skipLockRenewal: true, concurrency: 1 };
  fleet.startWorker({ fetch: slowFetch, submitTimeoutMs: 30_000, worker: deaf });
  await add("a", imageJob);
  await until(() => expect(posts()).toBe(1));
  fleet.startWorker({ submitTimeoutMs: 500 });
  await pause(1_000);
  answered.resolve();
  expect(await resultOf("a")).toMatchObject({ status: "completed" });
  expect([posts(), charges()]).toEqual([1, 1]);
});
