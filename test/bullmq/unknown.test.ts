import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { answerWithText, failure, queued, resetConnection, success } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { copyJob, imageJob, openFleet, startFleet, until } from "./fleet.ts";
import { startRedis } from "./redis-server.ts";

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
