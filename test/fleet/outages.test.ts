import type { Submissions } from "adgen-sdk/submissions";
import { Redis } from "ioredis";
import { describe, expect } from "vitest";
import { makeError } from "../../src/errors/make-error.ts";
import { queued, success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { copyJob, imageJob, test, until } from "./fleet.ts";
import { startRedis } from "./redis-server.ts";

const done = success({ job_id: "job-1", status: "completed", result: {} });

describe.concurrent("a Redis", () => {
  test("that refuses writes for a moment ends no wait", async ({ openFleet }) => {
    const { add, redis, resultOf, startWorker } = await openFleet({}, await startRedis());
    const admin = new Redis(redis.connection);
    const setMemory = (most: number) => admin.config("SET", "maxmemory", most);
    const doneWithoutMemory: Answer = (...answering) => {
      void setMemory(1).then(() => done(...answering));
      setTimeout(() => void setMemory(0), 300);
    };
    const unfinished = success({ job_id: "job-1", status: "processing" });
    const stillWithoutMemory: Answer = (...answering) => {
      void setMemory(1).then(() => unfinished(...answering));
      setTimeout(() => void setMemory(0), 300);
    };
    const service = await listen(queued(), stillWithoutMemory, doneWithoutMemory, done);
    startWorker({ service, targetDelayMs: 50 });
    await add("a", imageJob);
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    admin.disconnect();
  });

  test("that refuses writes while a submission is answered loses no paid job", async ({
    openFleet,
  }) => {
    const { add, redis, resultOf, startWorker } = await openFleet({}, await startRedis());
    const admin = new Redis(redis.connection);
    const setMemory = (most: number) => admin.config("SET", "maxmemory", most);
    const queuedWithoutMemory: Answer = (...answering) => {
      void setMemory(1).then(() => queued()(...answering));
      setTimeout(() => void setMemory(0), 700);
    };
    const service = await listen(queuedWithoutMemory, done);
    startWorker({ service, targetDelayMs: 50 });
    await add("a", imageJob);
    expect(await resultOf("a")).toMatchObject({ job_id: "job-1" });
    expect(service.received.filter(({ method }) => method === "POST")).toHaveLength(1);
    admin.disconnect();
  });

  test("that is away for a while ends no submission and no wait", async ({ openFleet }) => {
    const redis = await startRedis();
    const { add, resultOf, startWorker } = await openFleet({}, redis);
    const answer: Answer = (response, request) => {
      const id = request.url.split("/")[3];
      const job = { job_id: id, status: "completed", result: {} };
      // A busy machine may need the list of jobs, too.
      if (id === undefined && request.method === "GET")
        return success({ jobs: [] })(response, request);
      const { prompt = "" } = id === undefined ? JSON.parse(request.body) : {};
      return (id === undefined ? queued(prompt) : success(job))(response, request);
    };
    // A poll and a submission are under way when Redis goes, and answered before it is back.
    const isGone = Promise.withResolvers<void>();
    let underWay = 0;
    const answerWithoutRedis: Answer = async (...answering) => {
      underWay += 1;
      if (underWay === 2) {
        void redis.crash(400);
        setTimeout(isGone.resolve, 100);
      }
      await isGone.promise;
      answer(...answering);
    };
    const service = await listen(answer, answerWithoutRedis, answerWithoutRedis, answer);
    startWorker({ service, targetDelayMs: 50 });
    await add("a", { ...copyJob, prompt: "job-a" });
    await until(() => expect(service.received).toHaveLength(1));
    await add("b", { ...copyJob, prompt: "job-b" });
    expect(await resultOf("a")).toMatchObject({ job_id: "job-a" });
    expect(await resultOf("b")).toMatchObject({ job_id: "job-b" });
    expect(service.received.filter(({ method }) => method === "POST")).toHaveLength(2);
  });
});

test.concurrent("a worker that dies in a wait loses nothing: another one goes on", async ({
  openFleet,
}) => {
  const timeline = { queuedMs: 300, processingMs: 0 };
  const { add, resultOf, startWorker, posts } = await openFleet({ timeline });
  const worker = startWorker({ worker: { lockDuration: 1_000 } });
  await add("a", imageJob);
  await until(() => expect(posts()).toBe(1));
  await pause(50);
  await worker.close(true);
  startWorker();
  expect(await resultOf("a")).toMatchObject({ status: "completed" });
  expect(posts()).toBe(1);
});

describe.concurrent("a job whose answer is not on record when it finishes", () => {
  const missing = makeError("invalid_request", "the job is none of a submission on record");

  test("is closed when the answer comes late", async ({ openFleet }) => {
    const { add, resultOf, startWorker, submissions } = await openFleet();
    let refusals = 1;
    const acknowledge: Submissions["acknowledge"] = async (job) => {
      if (refusals-- > 0) throw missing;
      await submissions.acknowledge(job);
    };
    startWorker({ submissions: { ...submissions, acknowledge } });
    await add("a", copyJob);
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    expect(await submissions.listOpen()).toMatchObject({ waiting: [] });
  });

  test("is adopted where the process that got it has died", async ({ openFleet }) => {
    const { add, resultOf, startWorker, submissions } = await openFleet();
    const decisions: unknown[] = [];
    const acknowledge: Submissions["acknowledge"] = async (job) => {
      if (decisions.length === 0) throw missing;
      await submissions.acknowledge(job);
    };
    const listOpen = async () => {
      const { waiting, ...open } = await submissions.listOpen();
      const unknown = waiting.map((one) => ({
        ...one,
        token: "token",
        why: "process_ended",
        mayStillArrive: false,
      }));
      return { ...open, waiting: [], unknown };
    };
    const decide: Submissions["decide"] = async ({ id }, decision) => {
      decisions.push(id, decision);
    };
    startWorker({ submissions: { ...submissions, acknowledge, listOpen, decide } });
    await add("a", copyJob);
    const job = await resultOf("a");
    expect(decisions).toEqual(["a", { adopt: job }]);
    expect(await submissions.listOpen()).toMatchObject({ waiting: [] });
  });
});
