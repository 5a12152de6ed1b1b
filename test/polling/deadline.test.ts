import { pollJob, watchJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { silence } from "../helpers/answers.ts";
import { startJobService } from "./job-service.ts";
import {
  createScriptedClient,
  late,
  offline,
  play,
  seen,
  silent,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

const gaveUp = { name: "PollTimeoutError", code: "poll_timeout", jobId: "job_1" };

describe("the deadline", () => {
  useFakedTime();

  test("is met by a last poll, to which the last wait is cut", async () => {
    const { polls, settled } = await play([seen("processing")], { timeoutMs: 5_000 });
    expect(polls).toEqual([0, 1_000, 2_500, 4_750, 5_000]);
    expect(settled.at).toBe(5_000);
    expect(settled.error).toMatchObject({
      ...gaveUp,
      message: 'job "job_1" did not finish within 5000 ms (last status "processing")',
      lastJob: { job_id: "job_1", status: "processing" },
      attempts: 5,
      elapsedMs: 5_000,
    });
    expect(settled.error.cause).toBeUndefined();
  });

  test("cuts a wait that Retry-After asks for", async () => {
    const { polls, settled } = await play([seen("queued", 50)], { timeoutMs: 7_000 });
    expect(polls).toEqual([0, 7_000]);
    expect(settled.at).toBe(7_000);
  });

  test("finds a job that finished during the last wait", async () => {
    const script = [seen("queued"), seen("processing"), seen("completed")];
    const { polls, settled } = await play(script, { timeoutMs: 1_200 });
    expect(polls).toEqual([0, 1_000, 1_200]);
    expect(settled.value).toEqual({ job_id: "job_1", status: "completed" });
  });

  test("cuts a poll that is under way, and is met by a last one even so", async () => {
    const script = [seen("queued"), silent, seen("processing")];
    const { polls, settled } = await play(script, { timeoutMs: 2_000 });
    expect(polls).toEqual([0, 1_000, 2_000]);
    expect(settled.at).toBe(2_000);
    expect(settled.error).toMatchObject({ ...gaveUp, lastJob: { status: "processing" } });
  });

  test("gives the last poll time of its own, and returns its answer", async () => {
    const script = [seen("queued"), silent, late(400, seen("failed"))];
    const { polls, settled } = await play(script, { timeoutMs: 2_000 });
    expect(polls).toEqual([0, 1_000, 2_000]);
    expect(settled.at).toBe(2_400);
    expect(settled.value).toMatchObject({ status: "failed" });
  });

  test.each([
    [400, 900],
    [4_000, 5_000],
    [20_000, 25_000],
    [60_000, 65_000],
    [600_000, 605_000],
  ])("of %i ms has a silent service give up by %i ms", async (timeoutMs, latestMs) => {
    // The client's own time for an attempt is longer than the whole wait.
    const { settled } = await play([silent], { timeoutMs }, { timeoutMs: 3_600_000 });
    expect(settled.at).toBe(latestMs);
    expect(settled.error).toMatchObject({
      ...gaveUp,
      elapsedMs: latestMs,
      cause: { name: "TimeoutError", code: "timeout" },
    });
  });

  test("holds where the client's own time for an attempt is shorter", async () => {
    const { polls, settled } = await play([silent], { timeoutMs: 60_000 }, { timeoutMs: 20_000 });
    expect(polls).toEqual([0, 21_000, 42_500, 60_000]);
    expect(settled.at).toBe(65_000);
    expect(settled.error).toMatchObject(gaveUp);
  });

  test("of zero means one poll", async () => {
    const unfinished = await play([seen("queued")], { timeoutMs: 0 });
    expect(unfinished.polls).toEqual([0]);
    expect(unfinished.settled.error).toMatchObject({ ...gaveUp, lastJob: { status: "queued" } });

    const finished = await play([seen("completed")], { timeoutMs: 0 });
    expect(finished.polls).toEqual([0]);
    expect(finished.settled.value).toMatchObject({ status: "completed" });
  });

  test("of zero gives the one poll half a second", async () => {
    const { polls, settled } = await play([silent], { timeoutMs: 0 });
    expect(polls).toEqual([0]);
    expect(settled.at).toBe(500);
    expect(settled.error).toMatchObject({ ...gaveUp, cause: { code: "timeout" } });
  });

  test("can be as far as a timer reaches", async () => {
    const timeoutMs = 2_147_483_647;
    const { settled } = await play([seen("queued"), seen("completed")], { timeoutMs });
    expect(settled).toMatchObject({ at: 1_000, value: { status: "completed" } });
  });

  test("holds for who takes long over each job, after one more poll", async () => {
    const { client, polls } = createScriptedClient([seen("processing")]);
    const statuses: string[] = [];
    const consume = async () => {
      for await (const { status } of watchJob(client, "job_1", { timeoutMs: 2_000 })) {
        statuses.push(status);
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }
    };
    const settled = watchPromise(consume(), () => 0);
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 60_000]);
    expect(statuses).toHaveLength(2);
    expect(settled.error).toMatchObject({ ...gaveUp, lastJob: { status: "processing" } });
  });

  test("names a status of any length in a short message", async () => {
    const { settled } = await play([seen("x".repeat(10_000))], { timeoutMs: 0 });
    expect(settled.error.message.length).toBeLessThan(200);
    expect(settled.error.lastJob.status).toHaveLength(10_000);
  });

  test("carries the failure of the last poll as its cause", async () => {
    const { settled } = await play([seen("queued"), offline], { timeoutMs: 1_000 });
    expect(settled.error).toMatchObject({
      ...gaveUp,
      lastJob: { status: "queued" },
      cause: { name: "ConnectionError", code: "connection" },
    });
  });
});

test("a service that accepts and says nothing is given up in real time too", async () => {
  const { client, polls } = await startJobService(silence);
  const startedAt = performance.now();
  await expect(pollJob(client, "job_1", { timeoutMs: 100 })).rejects.toMatchObject(gaveUp);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(590);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(polls).toHaveLength(2);
});
