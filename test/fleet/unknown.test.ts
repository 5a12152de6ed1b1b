import type { CustomFetch } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { failure, raw, reset, success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { copyJob, type Fleet, imageJob, openFleet, startFleet, until } from "./fleet.ts";

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
  test("fails with the jobs that may be it, once the service had time to list them, and goes on as the one that is named", async () => {
    const fleet = await openFleet();
    const { add, get, failureOf, resultOf, server, submissions, posts, charges } = fleet;
    breakSubmission(fleet, true);
    await fleet.startWorker({ settleMs: 500 });
    await add("a", imageJob);
    const { doubt, error, failedReason } = await failureOf("a");
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

    // As in a dashboard.
    await (await get("a")).retry();
    expect(await doubtOf(fleet, "a")).toMatchObject({ token: doubt?.token });
    expect(posts()).toHaveLength(1);

    await submissions.decide(await doubtOf(fleet, "a"), { adopt: String(made?.job_id) });
    await (await get("a")).retry();
    expect(await resultOf("a")).toMatchObject({ job_id: made?.job_id });
    expect([posts().length, charges()]).toEqual([1, 1]);
    expect((await get("a")).data).toEqual({ request: imageJob });
    expect(await submissions.listOpen()).toMatchObject({ waiting: [], unknown: [] });
  });

  test("is submitted again when that is decided, and only then", async () => {
    const fleet = await openFleet();
    const { add, get, resultOf, submissions, posts, charges } = fleet;
    breakSubmission(fleet, false);
    await fleet.startWorker();
    await add("a", imageJob);
    const doubt = await doubtOf(fleet, "a");
    expect(doubt).toMatchObject({ candidates: [] });
    await submissions.decide(doubt, "resubmit");
    await (await get("a")).retry();
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    expect([posts().length, charges()]).toEqual([2, 1]);
  });

  test("waits for its candidates, however often its job was held back or failed before", async () => {
    const made = { job_id: "job-1", status: "queued" };
    const noCredits = Array.from({ length: 10 }, () => failure(402, "no credits"));
    // The client lists by itself, too: at the failure, and at the repeat.
    const page = raw(200, "<h1>Maintenance</h1>", { "content-type": "text/html" });
    const service = await listen(...noCredits, reset, page, page, page, success({ jobs: [made] }));
    const fleet = await startFleet({ service, holdMs: 1, targetDelayMs: 50 });

    await fleet.add("a", copyJob);
    expect((await doubtOf(fleet, "a")).candidates).toMatchObject([made]);
    const { logs } = await fleet.queue.getJobLogs("a");
    expect(logs.join()).toContain("Candidates not listed: ");
  });

  test("whose candidates are refused is told without them", async () => {
    const service = await listen(reset, failure(400, "limit: at most 100"));
    const fleet = await startFleet({ service, candidateLimit: 1_000 });

    await fleet.add("a", copyJob);
    const { candidates, mayStillArrive } = await doubtOf(fleet, "a");
    expect({ candidates, mayStillArrive }).toEqual({ mayStillArrive: false });
    const { logs } = await fleet.queue.getJobLogs("a");
    expect(logs.join()).toContain("limit: at most 100");
  });
});

test.concurrent("two workers that run one submission at once send it once, and its answer counts", async () => {
  const { add, resultOf, startWorker, posts, charges } = await openFleet();
  const answered = Promise.withResolvers<void>();
  const slowFetch: CustomFetch = async (...given) => {
    const response = await fetch(...given);
    await answered.promise;
    return response;
  };
  // It loses its lock while it submits, as a process does that stands still.
  const deaf = { lockDuration: 200, stalledInterval: 100, skipLockRenewal: true, concurrency: 1 };
  await startWorker({ fetch: slowFetch, submitTimeoutMs: 30_000, worker: deaf });
  await add("a", imageJob);
  await until(() => expect(posts()).toHaveLength(1));
  await startWorker({ submitTimeoutMs: 500 });
  await pause(1_000);
  answered.resolve();
  expect(await resultOf("a")).toMatchObject({ status: "completed" });
  expect([posts().length, charges()]).toEqual([1, 1]);
});
