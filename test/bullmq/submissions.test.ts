import { createProcessor } from "adgen-sdk/bullmq";
import { createMemoryStore, createSubmissions } from "adgen-sdk/submissions";
import { describe, expect, test, vi } from "vitest";
import { clientOf } from "../helpers/client.ts";
import { copyJob, imageJob, openFleet, until } from "./fleet.ts";

describe.concurrent("a submission", () => {
  test("is carried out, its record closed, and paid once by its id, whatever becomes of its job", async () => {
    const { add, get, resultOf, failureOf, startWorker, submissions, posts, charges } =
      await openFleet();
    await Promise.all([add("a", imageJob), add("a", imageJob)]);
    await startWorker();
    const { job_id, status } = await resultOf("a");
    expect(status).toBe("completed");
    expect(await submissions.listOpen()).toMatchObject({ unknown: [], underWay: [] });
    await (await get("a")).remove();
    await add("a", { prompt: "Summer sale", action: "generate-ad" });
    expect(await resultOf("a")).toMatchObject({ job_id });

    await (await get("a")).remove();
    await add("a", { ...imageJob, prompt: "Winter sale" });
    const { error, failedReason } = await failureOf("a");
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(failedReason).toContain("belongs to another request");
    expect([posts().length, charges()]).toEqual([1, 1]);
  });

  test("begins where another program wrote its progress, which is no ticket", async () => {
    const { add, get, failureOf, resultOf, startWorker } = await openFleet();
    const written = { null: null, list: [], number: 50, object: { percent: 50 } };
    for (const [id, progress] of Object.entries(written)) {
      await (await add(id, copyJob)).updateProgress(progress as never);
    }
    await startWorker();
    // It might be one: a retry begins anew.
    expect((await failureOf("object")).error).toMatchObject({ code: "invalid_request" });
    await (await get("object")).retry();
    for (const id of Object.keys(written)) {
      expect(await resultOf(id)).toMatchObject({ status: "completed" });
    }
  });

  test("that nobody can carry out fails with its error, keeps its data, and is not tried again", async () => {
    const { queue, resultOf, failureOf, submissions, startWorker, server, posts } =
      await openFleet();
    const call = { method: "jobs.submit", body: copyJob, timeoutMs: 5_000 };
    await submissions.runOnce(
      { ...call, once: "moved", origin: "https://old.example" },
      async () => ({
        ...{ answer: { job_id: "job_1", status: "queued" }, jobId: "job_1" },
      }),
    );
    await startWorker();
    const refused = { request: { ...imageJob, variations: 99 }, customer: "Ada" };
    await queue.add("ad", refused, { jobId: "refused" });
    await queue.add("ad", { request: copyJob }, { jobId: "moved" });
    // A number is no order's.
    const { id: unnamed = "" } = await queue.add("ad", { request: copyJob });
    expect(await failureOf("refused")).toMatchObject({
      ...refused,
      error: { code: "bad_request", status: 400, outcome: "refused" },
    });
    expect(await failureOf("moved")).toMatchObject({ error: { code: "invalid_request" } });
    const { failedReason } = await failureOf(unnamed);
    expect(failedReason).toContain('add it with { jobId: "order-1138" }');
    expect(posts()).toHaveLength(1);
    // A job that the service fails is an answer.
    server.service.jobs.next({ fail: "No idea" });
    await queue.add("ad", { request: imageJob }, { jobId: "order" });
    expect(await resultOf("order")).toMatchObject({ status: "failed", error: "No idea" });
  });

  test("that one worker cannot send is tried again later, and holds back none of others", async () => {
    const { add, queue, resultOf, startWorker, holds } = await openFleet();
    const cutOff = await startWorker({ service: { url: "http://127.0.0.1:9" } });
    const ids = ["a", "b", "c", "d"];
    await Promise.all(ids.map((id) => add(id, copyJob)));
    await until(async () => expect(await queue.getDelayedCount()).toBe(4));
    const { logs } = await queue.getJobLogs("a");
    expect(logs.join()).toContain("Not sent, tried again later: ");
    await cutOff.close();
    await startWorker();
    await add("e", copyJob);
    expect(await resultOf("e")).toMatchObject({ status: "completed" });
    expect(holds).toEqual([]);
    await queue.promoteJobs();
    for (const id of ids) expect(await resultOf(id)).toMatchObject({ status: "completed" });
  });

  test("is refused by a worker that bounds the starts of a job, and goes on in another one", async () => {
    const { add, get, failureOf, resultOf, startWorker, posts } = await openFleet();
    const bounded = await startWorker({ worker: { maxStartedAttempts: 2 } });
    await add("a", imageJob);
    expect(await failureOf("a")).toMatchObject({
      failedReason: expect.stringContaining("this worker has maxStartedAttempts: 2, and each poll"),
    });
    expect(posts()).toEqual([]);
    await bounded.close();
    await (await get("a")).retry();
    await startWorker();
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
  });

  test("a 401 of its submission or poll doesn't fail a job that BullMQ tries once and then removes", async () => {
    const { queue, resultOf, server, startWorker, submissions } = await openFleet();
    const { faults } = server.service;
    const unauthorized = { kind: "status", status: 401 } as const;
    faults.play(unauthorized, { operation: "jobs.submit" });
    faults.play(unauthorized, { operation: "jobs.get" });
    const worker = { removeOnFail: { count: 0 }, maxStartedAttempts: 0 };
    await startWorker({ holdMs: 100, worker });
    await queue.add("ad", { request: imageJob }, { jobId: "a", attempts: 1 });
    expect(await resultOf("a")).toMatchObject({ status: "completed" });
    faults.assertPlayed();
    expect(await submissions.find("a")).toMatchObject({ state: "settled" });
  });

  test("a submission that costs more than the whole budget fails, and does not hold back others", async () => {
    const { add, failureOf, resultOf, startWorker, holds, posts } = await openFleet();
    await startWorker({ budget: { day: { imageCredits: 1 } } });
    await add("a", { ...imageJob, variations: 2 });
    expect((await failureOf("a")).error).toMatchObject({
      code: "payment_required",
      outcome: "not-sent",
      limit: { kind: "imageCredits", limit: 1 },
    });
    expect(posts()).toEqual([]);
    await add("b", imageJob);
    expect(await resultOf("b")).toMatchObject({ status: "completed" });
    expect(holds).toEqual([]);
  });
});

describe("createProcessor", () => {
  const client = clientOf({ url: "http://127.0.0.1:9" });
  const submissions = createSubmissions(createMemoryStore());
  const queue = { getBackend: () => {}, toKey: (name: string) => name };

  test.for([
    ["createProcessor needs a client", { client: undefined }],
    ["createProcessor needs the queue of its worker", { queue: undefined }],
    ["createProcessor needs the client's submissions", { submissions: undefined }],
    ["client must be what createClient gave", { client: {} }],
    ["queue must be a Queue of BullMQ", { queue: "ads" }],
    ["submissions must be what createSubmissions gave", { submissions: {} }],
    ["holdMs", { holdMs: 0 }],
    ['"setleMs"', { setleMs: 7 }],
  ] as const)("refuses with %j", ([words, options]) => {
    const all = { client, queue, submissions, ...options };
    expect(() => createProcessor(all as never)).toThrow(words);
  });

  test("warns once of a queue whose polls stand behind all submissions", async () => {
    const { queue: own, resultOf, startWorker } = await openFleet();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    await startWorker();
    for (const jobId of ["a", "b"]) {
      await own.add("ad", { request: copyJob }, { jobId, priority: 0 });
      await resultOf(jobId);
    }
    const lines = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    expect(lines).toEqual([expect.stringContaining("defaultJobOptions: { priority: 1 }")]);
  });
});
