import { getEventListeners } from "node:events";
import { watchJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { failure, silence, stallBody } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { job, startJobService } from "./job-service.ts";

/** Settles within 100 ms, or fails the test. */
const promptly = async <T>(promise: Promise<T>): Promise<T> => {
  const late = pause(100).then(() => {
    throw new Error("It took more than 100 ms.");
  });
  late.catch(() => {});
  return Promise.race([promise, late]);
};

describe.each([
  { phase: "the first poll", script: [silence], steps: 0 },
  { phase: "the body of a poll", script: [stallBody()], steps: 0 },
  { phase: "a later poll", script: [job("processing"), silence], steps: 1 },
  { phase: "a pause", script: [job("processing")], steps: 1 },
  {
    phase: "a pause of a minute",
    script: [job("processing", {}, { "retry-after": "60" })],
    steps: 1,
  },
  { phase: "a pause after a failure", script: [failure(503, "no")], steps: 0 },
])("return() during $phase", ({ script, steps }) => {
  test("ends the watch within 100 ms, and sends nothing afterwards", async () => {
    const { client, asked, polls } = await startJobService(...script);
    const { signal } = new AbortController();
    const intervalMs = script.length > 1 ? 1 : 30_000;
    const jobs = watchJob(client, "job_1", { intervalMs, signal });
    for (let step = 0; step < steps; step++) await jobs.next();
    const pending = jobs.next();
    await asked(script.length);
    await pause(20);

    expect(await promptly(jobs.return())).toEqual({ done: true, value: undefined });
    expect(await promptly(pending)).toEqual({ done: true, value: undefined });
    expect(await promptly(jobs.next())).toEqual({ done: true, value: undefined });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    await pause(50);
    expect(polls).toHaveLength(script.length);
  });
});

test("throw() during a poll ends the watch within 100 ms, too", async () => {
  const { client, asked, polls } = await startJobService(silence);
  const jobs = watchJob(client, "job_1");
  const pending = jobs.next();
  await asked(1);
  const reason = new Error("enough");

  await expect(promptly(jobs.throw(reason))).rejects.toBe(reason);
  expect(await promptly(pending)).toEqual({ done: true, value: undefined });
  await pause(50);
  expect(polls).toHaveLength(1);
});

test("throw() between two steps rejects with its reason, and ends the watch", async () => {
  const { client, polls } = await startJobService(job("processing"));
  const { signal } = new AbortController();
  const jobs = watchJob(client, "job_1", { intervalMs: 1, signal });
  await jobs.next();
  const reason = new Error("enough");

  await expect(promptly(jobs.throw(reason))).rejects.toBe(reason);
  expect(await jobs.next()).toEqual({ done: true, value: undefined });
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  await pause(20);
  expect(polls).toHaveLength(1);
});

describe("return()", () => {
  test("before the first step sends nothing", async () => {
    const { client, polls } = await startJobService(job("completed"));
    const jobs = watchJob(client, "job_1");
    expect(await jobs.return()).toEqual({ done: true, value: undefined });
    expect(await jobs.next()).toEqual({ done: true, value: undefined });
    await pause(20);
    expect(polls).toHaveLength(0);
  });

  test("between two steps ends the watch", async () => {
    const { client, polls } = await startJobService(job("processing"));
    const { signal } = new AbortController();
    const jobs = watchJob(client, "job_1", { intervalMs: 1, signal });
    await jobs.next();
    expect(await jobs.return()).toEqual({ done: true, value: undefined });
    expect(await jobs.next()).toEqual({ done: true, value: undefined });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(polls).toHaveLength(1);
  });

  test("twice, and after the end, gives the same", async () => {
    const { client } = await startJobService(job("completed"));
    const jobs = watchJob(client, "job_1");
    await jobs.next();
    const both = await Promise.all([jobs.return(), jobs.return()]);
    expect(both).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });

  test("leaves the caller's signal alone", async () => {
    const { client, asked } = await startJobService(silence);
    const controller = new AbortController();
    const jobs = watchJob(client, "job_1", { signal: controller.signal });
    const pending = jobs.next();
    await asked(1);
    await jobs.return();
    await pending;
    expect(controller.signal.aborted).toBe(false);
  });

  test("is called by `await using`", async () => {
    const { client, asked, polls } = await startJobService(silence);
    const jobs = watchJob(client, "job_1");
    const pending = jobs.next();
    await asked(1);
    await promptly(jobs[Symbol.asyncDispose]() as Promise<void>);
    expect(await promptly(pending)).toEqual({ done: true, value: undefined });
    expect(polls).toHaveLength(1);
  });
});

test("an abort of the caller's during a poll still rejects the pending step", async () => {
  const { client, asked } = await startJobService(silence);
  const controller = new AbortController();
  const jobs = watchJob(client, "job_1", { signal: controller.signal });
  const caught = jobs.next().catch((error) => error);
  await asked(1);
  controller.abort("enough");
  expect(await promptly(caught)).toMatchObject({
    name: "AbortError",
    cause: "enough",
    jobId: "job_1",
  });
  expect(await jobs.next()).toEqual({ done: true, value: undefined });
});

test("break ends the watch at once", async () => {
  const { client, polls } = await startJobService(job("processing"));
  const onUpdate = vi.fn();
  const leave = async () => {
    for await (const _ of watchJob(client, "job_1", { intervalMs: 5, onUpdate })) break;
  };
  await promptly(leave());
  await pause(40);
  expect(onUpdate).toHaveBeenCalledOnce();
  expect(polls).toHaveLength(1);
});
