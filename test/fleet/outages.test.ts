import type { Submissions } from "adgen-sdk/submissions";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { makeError } from "../../src/errors/make-error.ts";
import { queued, success } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { copyJob, imageJob, openFleet, until } from "./fleet.ts";
import { startRedis } from "./redis-server.ts";

describe.concurrent("a Redis", () => {
  test("that refuses writes for a while loses no paid job, and ends no wait", async () => {
    const { add, redis, resultOf, startWorker } = await openFleet({}, await startRedis());
    const admin = new Redis(redis.connection);
    const setMemory = (most: number) => admin.config("SET", "maxmemory", most);
    const withoutMemory =
      (answer: Answer): Answer =>
      (...answering) => {
        void setMemory(1).then(() => answer(...answering));
        setTimeout(() => void setMemory(0), 500);
      };
    const stateOf = (status: string) => success({ job_id: "job-1", status, result: {} });
    const done = stateOf("completed");
    const answers = [queued(), stateOf("processing"), done].map(withoutMemory);
    const service = await listen(...answers, done);
    await startWorker({ service, targetDelayMs: 50 });
    await add("a", imageJob);
    expect(await resultOf("a")).toMatchObject({ job_id: "job-1", status: "completed" });
    expect(service.received.filter(({ method }) => method === "POST")).toHaveLength(1);
    admin.disconnect();
  });

  test("that is away for a while ends no submission and no wait", async () => {
    const redis = await startRedis();
    const { add, resultOf, startWorker, server, posts } = await openFleet({}, redis);
    const { faults } = server.service;
    // A poll and a submission are under way when Redis goes, and answered before it is back.
    const slow = { kind: "latency", ms: 300 } as const;
    faults.play(slow, { operation: "jobs.get" });
    await startWorker({ targetDelayMs: 50 });
    await add("a", copyJob);
    await until(() => expect(posts()).toHaveLength(1));
    faults.play(slow, { operation: "jobs.submit" });
    await add("b", copyJob);
    await until(() => faults.assertPlayed());
    await redis.crash(600);
    for (const id of ["a", "b"]) expect(await resultOf(id)).toMatchObject({ status: "completed" });
    expect(posts()).toHaveLength(2);
  });
});

describe.concurrent("a job whose answer is not on record when it finishes", () => {
  const missing = makeError("invalid_request", "the job is none of a submission on record");

  test("is closed when the answer comes late", async () => {
    const { add, resultOf, startWorker, submissions } = await openFleet();
    let refusals = 1;
    const acknowledge: Submissions["acknowledge"] = async (job) => {
      if (refusals-- > 0) throw missing;
      await submissions.acknowledge(job);
    };
    await startWorker({ submissions: { ...submissions, acknowledge } });
    await add("a", copyJob);
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    expect(await submissions.listOpen()).toMatchObject({ waiting: [] });
  });

  test("is adopted where the process that got it has died", async () => {
    const { add, resultOf, startWorker, submissions } = await openFleet();
    const decisions: unknown[] = [];
    const acknowledge: Submissions["acknowledge"] = async (job) => {
      if (decisions.length === 0) throw missing;
      await submissions.acknowledge(job);
    };
    const listOpen = async () => {
      const { waiting, ...open } = await submissions.listOpen();
      const lost = { token: "token", why: "process_ended", mayStillArrive: false };
      return { ...open, waiting: [], unknown: waiting.map((one) => ({ ...one, ...lost })) };
    };
    const decide: Submissions["decide"] = async ({ id }, decision) => {
      decisions.push(id, decision);
    };
    await startWorker({ submissions: { ...submissions, acknowledge, listOpen, decide } });
    await add("a", copyJob);
    const job = await resultOf("a");
    expect(decisions).toEqual(["a", { adopt: job }]);
    expect(await submissions.listOpen()).toMatchObject({ waiting: [] });
  });
});
