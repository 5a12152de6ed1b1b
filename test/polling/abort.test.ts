import { getEventListeners } from "node:events";
import { pollJob, watchJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { failure, silence, stallBody } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { job, startJobService } from "./job-service.ts";

const reason = new Error("somebody pressed Cancel");
const processing = { job_id: "job_1", status: "processing" };

describe.each([
  { phase: "the first poll", script: [silence], lastJob: undefined },
  { phase: "the first body", script: [stallBody()], lastJob: undefined },
  { phase: "a later poll", script: [job("processing"), silence], lastJob: processing },
  { phase: "a later body", script: [job("processing"), stallBody()], lastJob: processing },
])("an abort during $phase", ({ script, lastJob }) => {
  test("ends the wait within 100 ms, and nothing is sent afterwards", async () => {
    const { client, polls, asked } = await startJobService(...script);
    const controller = new AbortController();
    const { signal } = controller;
    const waited = pollJob(client, "job_1", { intervalMs: 1, signal });
    const caught = waited.catch((thrown) => thrown);
    await asked(script.length);
    await pause(10);
    controller.abort(reason);
    // Raced, not measured: a machine that stands still for a while delays both.
    const error = await Promise.race([caught, pause(100)]);
    expect(error).toMatchObject({ name: "AbortError", code: "aborted", jobId: "job_1" });
    expect(error.cause).toBe(reason);
    expect(error.lastJob).toEqual(lastJob);
    expect(error.attempts).toBe(script.length);
    await pause(30);
    expect(polls).toHaveLength(script.length);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

test("an abort during a wait of minutes ends it within 100 ms", async () => {
  const { client, polls } = await startJobService(job("processing", {}, { "retry-after": "50" }));
  const controller = new AbortController();
  const { signal } = controller;
  const startedAt = performance.now();
  const isWaiting = Promise.withResolvers<void>();
  const onUpdate = () => void setTimeout(isWaiting.resolve, 20);
  const caught = pollJob(client, "job_1", { signal, onUpdate }).catch((thrown) => thrown);
  await isWaiting.promise;
  controller.abort(reason);
  const error = await Promise.race([caught, pause(100)]);
  expect(error).toMatchObject({ name: "AbortError", code: "aborted", jobId: "job_1", attempts: 1 });
  expect(error.cause).toBe(reason);
  expect(error.lastJob).toEqual(processing);
  expect(error.elapsedMs).toBeLessThanOrEqual(Math.ceil(performance.now() - startedAt));
  expect(polls).toHaveLength(1);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

describe("an abort", () => {
  test("before the wait sends nothing", async () => {
    const { client, polls } = await startJobService(job("completed"));
    const signal = AbortSignal.abort(reason);
    const error = await pollJob(client, "job_1", { signal }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      name: "AbortError",
      code: "aborted",
      jobId: "job_1",
      attempts: 0,
    });
    expect(error.cause).toBe(reason);
    expect(error.lastJob).toBeUndefined();
    await pause(20);
    expect(polls).toHaveLength(0);
  });

  test.each([
    ["a text", "enough", "enough"],
    ["nothing", undefined, expect.objectContaining({ name: "AbortError" })],
  ])("for %s still rejects with an AbortedError", async (_, why, cause) => {
    const { client } = await startJobService(job("processing"));
    const controller = new AbortController();
    const waited = pollJob(client, "job_1", {
      signal: controller.signal,
      onUpdate: () => controller.abort(why),
    });
    await expect(waited).rejects.toMatchObject({ name: "AbortError", code: "aborted", cause });
  });

  test("by AbortSignal.timeout names the TimeoutError as its cause", async () => {
    const { client } = await startJobService(job("processing"));
    const waited = pollJob(client, "job_1", { signal: AbortSignal.timeout(30) });
    await expect(waited).rejects.toMatchObject({
      name: "AbortError",
      code: "aborted",
      cause: { name: "TimeoutError" },
    });
  });

  test("after a failure ends the wait too", async () => {
    const { client, asked } = await startJobService(
      failure(503, "busy", { "retry-after": "3600" }),
    );
    const controller = new AbortController();
    const waited = pollJob(client, "job_1", { signal: controller.signal });
    const caught = waited.catch((thrown) => thrown);
    await asked(1);
    await pause(10);
    controller.abort(reason);
    expect(await caught).toMatchObject({ name: "AbortError", jobId: "job_1", attempts: 1 });
  });

  test("ends a watch at its next step", async () => {
    const { client, polls } = await startJobService(job("processing"));
    const controller = new AbortController();
    const statuses: string[] = [];
    const watch = async () => {
      for await (const { status } of watchJob(client, "job_1", { signal: controller.signal })) {
        statuses.push(status);
        controller.abort(reason);
      }
    };
    await expect(watch()).rejects.toMatchObject({ name: "AbortError", lastJob: processing });
    expect(statuses).toEqual(["processing"]);
    expect(polls).toHaveLength(1);
  });
});
