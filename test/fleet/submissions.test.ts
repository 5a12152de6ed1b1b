import { describe, expect } from "vitest";
import { queued, raw, success } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { copyJob, imageJob, test, until } from "./fleet.ts";

describe.concurrent("a submission", () => {
  test("is carried out, its checked result returned, and its record closed", async ({
    openFleet,
  }) => {
    const { add, resultOf, startWorker, submissions, charges } = await openFleet();
    startWorker();
    await add("order-1", imageJob);
    expect(await resultOf("order-1")).toMatchObject({ status: "completed" });
    expect(charges()).toBe(1);
    expect(await submissions.listOpen()).toMatchObject({ waiting: [], unknown: [], underWay: [] });
  });

  test("added twice under one id is one job, before and after", async ({ openFleet }) => {
    const { add, resultOf, startWorker, posts } = await openFleet();
    await Promise.all([add("a", imageJob), add("a", imageJob)]);
    startWorker();
    const { job_id } = await resultOf("a");
    await add("a", { prompt: "Summer sale", action: "generate-ad" });
    expect(await resultOf("a")).toMatchObject({ job_id });
    expect(posts()).toBe(1);
  });

  test("is not paid again when its BullMQ job was removed and added anew", async ({
    openFleet,
  }) => {
    const { add, get, resultOf, startWorker, posts } = await openFleet();
    startWorker();
    await add("a", imageJob);
    const { job_id } = await resultOf("a");
    await (await get("a")).remove();
    await add("a", { prompt: "Summer sale", action: "generate-ad" });
    expect(await resultOf("a")).toMatchObject({ job_id });
    expect(posts()).toBe(1);
  });

  test("with another request under an id that was paid fails, and is not sent", async ({
    openFleet,
  }) => {
    const { add, get, resultOf, failureOf, startWorker, posts } = await openFleet();
    startWorker();
    await add("a", imageJob);
    await resultOf("a");
    await (await get("a")).remove();
    await add("a", { ...imageJob, prompt: "Winter sale" });
    const { error, failedReason } = await failureOf("a");
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(failedReason).toContain("belongs to another request");
    expect(posts()).toBe(1);
  });

  test("keeps what else its data hold", async ({ openFleet }) => {
    const { queue, get, resultOf, startWorker } = await openFleet();
    startWorker();
    const data = { request: copyJob, customer: "Ada" };
    await queue.add("ad", data, { jobId: "a" });
    await resultOf("a");
    expect((await get("a")).data).toMatchObject(data);
  });

  test("without an id of its own fails, because a number is no order's", async ({ openFleet }) => {
    const { queue, failureOf, startWorker, posts } = await openFleet();
    startWorker();
    const { id = "" } = await queue.add("ad", { request: copyJob });
    const { failedReason } = await failureOf(id);
    expect(failedReason).toContain('add it with { jobId: "order-1138" }');
    expect(posts()).toBe(0);
  });

  test.for([null, [], 50])(
    "begins where another program wrote %s as its progress",
    async (progress, { openFleet }) => {
      const { add, resultOf, startWorker } = await openFleet();
      const job = await add("a", copyJob);
      await job.updateProgress(progress as never);
      startWorker();
      expect(await resultOf("a")).toMatchObject({ status: "completed" });
    },
  );

  test("whose progress is no ticket fails with a typed error, and begins anew by a retry", async ({
    openFleet,
  }) => {
    const { add, get, failureOf, resultOf, startWorker } = await openFleet();
    const job = await add("a", copyJob);
    await job.updateProgress({ percent: 50 });
    startWorker();
    expect((await failureOf("a")).error).toMatchObject({ code: "invalid_request" });
    await (await get("a")).retry();
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
  });

  test("that the service fails is answered as a failed job, not as an error", async ({
    openFleet,
  }) => {
    const { add, resultOf, startWorker, server } = await openFleet();
    server.service.jobs.next({ fail: "No idea" });
    startWorker();
    await add("a", imageJob);
    expect(await resultOf("a")).toMatchObject({ status: "failed", error: "No idea" });
  });

  test("that the service refuses fails as submit would, and is not tried again", async ({
    openFleet,
  }) => {
    const { add, failureOf, startWorker, posts } = await openFleet();
    startWorker();
    await add("a", { ...imageJob, variations: 99 });
    const { error } = await failureOf("a");
    expect(error).toMatchObject({ code: "bad_request", status: 400, outcome: "refused" });
    expect(posts()).toBe(1);
  });

  test("is tried again, after a pause, where no connection was made", async ({ openFleet }) => {
    const { add, get, queue, startWorker } = await openFleet();
    startWorker({ service: { url: "http://127.0.0.1:9" } });
    await add("a", copyJob);
    await until(async () => expect(await (await get("a")).getState()).toBe("delayed"));
    const { logs } = await queue.getJobLogs("a");
    expect(logs.join()).toContain("Not sent, tried again later: ");
  });

  test("that one worker cannot send holds back no submission of others", async ({ openFleet }) => {
    const { add, queue, resultOf, startWorker } = await openFleet();
    const events: unknown[] = [];
    const onHold = (event: unknown) => events.push(event);
    const cutOff = startWorker({ service: { url: "http://127.0.0.1:9" }, onHold });
    const ids = ["a", "b", "c", "d"];
    await Promise.all(ids.map((id) => add(id, copyJob)));
    await until(async () => expect(await queue.getDelayedCount()).toBe(4));
    await cutOff.close();
    startWorker({ onHold });
    await add("e", copyJob);
    expect(await resultOf("e")).toMatchObject({ status: "completed" });
    expect(events).toEqual([]);
    await queue.promoteJobs();
    for (const id of ids) expect(await resultOf(id)).toMatchObject({ status: "completed" });
  });
});

describe.concurrent("an id in a failure's answer is no job", () => {
  const json = { "content-type": "application/json" };

  const errorWithId = { success: false, data: null, error: "no", id: "err_42" };
  const answerOf = (status: number) =>
    raw(status, JSON.stringify(errorWithId), { ...json, "retry-after": "0" });

  test("beside a 429 and a 402, after which it is tried again", async ({ openFleet }) => {
    const job = success({ job_id: "job-1", status: "completed", result: {} });
    const service = await listen(answerOf(429), answerOf(402), queued(), job);
    const { add, resultOf, startWorker } = await openFleet();
    startWorker({ service, targetDelayMs: 50, holdMs: 100 });
    await add("a", imageJob);
    expect(await resultOf("a")).toMatchObject({ job_id: "job-1" });
    expect(service.received.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  test("beside a 503, whose submission is in doubt", async ({ openFleet }) => {
    const list = success({ jobs: [{ job_id: "job-1", status: "queued" }] });
    const service = await listen(answerOf(503), list);
    const { add, failureOf, startWorker } = await openFleet();
    startWorker({ service, targetDelayMs: 50 });
    await add("a", imageJob);
    const { doubt } = await failureOf("a");
    expect(doubt).toMatchObject({ id: "a", candidates: [{ job_id: "job-1" }] });
    expect(doubt?.jobId).toBeUndefined();
  });
});

test.concurrent("polls hold no worker: one place is enough for many slow jobs", async ({
  openFleet,
}) => {
  const timeline = { queuedMs: 60_000, processingMs: 0 };
  const { add, queue, server, startWorker } = await openFleet({ timeline });
  startWorker({ worker: { concurrency: 1 } });
  const ids = Array.from({ length: 10 }, (_, index) => `job-${index}`);
  await Promise.all(ids.map((id) => add(id, copyJob)));
  await until(async () => expect(await queue.getDelayedCount()).toBe(10));
  for (const { job_id } of server.service.jobs.all) server.service.jobs.complete(job_id);
  await until(async () => {
    await queue.promoteJobs();
    expect(await queue.getCompletedCount()).toBe(10);
  });
});
