import { describe, expect, test } from "vitest";
import { late, offline, type Poll, play, refused, seen, useFakedTime } from "./scripted-client.ts";

useFakedTime();

const notFound = { name: "NotFoundError", code: "not_found", status: 404, jobId: "job_1" };

describe("a 404", () => {
  test("that lasts ends the wait 10 s after its start", async () => {
    const { polls, settled } = await play([refused(404)]);
    expect(polls).toEqual([0, 1_000, 2_500, 4_750, 8_125, 10_000]);
    expect(settled.at).toBe(10_000);
    expect(settled.error).toMatchObject({ ...notFound, attempts: 6, elapsedMs: 10_000 });
    expect(settled.error.lastJob).toBeUndefined();
  });

  test("is polled again after 10 s, however long the interval", async () => {
    const { polls, settled } = await play([refused(404)], { intervalMs: 25_000 });
    expect(polls).toEqual([0, 10_000]);
    expect(settled.error).toMatchObject(notFound);
  });

  test("is polled again after 10 s, whatever Retry-After says", async () => {
    const { polls } = await play([refused(404, 50), refused(404)]);
    expect(polls).toEqual([0, 10_000]);
  });

  test("passes when the job appears within 10 s", async () => {
    const script = [refused(404), refused(404), refused(404), seen("queued"), seen("completed")];
    const { polls, settled } = await play(script);
    expect(polls).toEqual([0, 1_000, 2_500, 4_750, 8_125]);
    expect(settled.value).toMatchObject({ status: "completed" });
  });

  test("passes when the job appears at the look after 10 s", async () => {
    const script = [...Array<Poll>(5).fill(refused(404)), seen("completed")];
    const { polls, settled } = await play(script);
    expect(polls.at(-1)).toBe(10_000);
    expect(settled.value).toMatchObject({ status: "completed" });
  });

  test("ends the wait at once when the job had been seen", async () => {
    const { polls, settled } = await play([seen("processing"), refused(404), seen("completed")]);
    expect(polls).toEqual([0, 1_000]);
    expect(settled.at).toBe(1_000);
    expect(settled.error).toMatchObject({
      ...notFound,
      attempts: 2,
      lastJob: { job_id: "job_1", status: "processing" },
    });
  });

  test("ends the wait at once when the job had been seen in an unknown state", async () => {
    const { polls, settled } = await play([seen("paused"), refused(404)]);
    expect(polls).toEqual([0, 1_000]);
    expect(settled.error).toMatchObject({ ...notFound, lastJob: { status: "paused" } });
  });

  test("ends the wait at once when it comes later than 10 s after the start", async () => {
    const { polls, settled } = await play([late(12_000, offline), refused(404)]);
    expect(polls).toEqual([0, 13_000]);
    expect(settled.at).toBe(13_000);
    expect(settled.error).toMatchObject(notFound);
  });

  test("before a deadline within 10 s is the cause of the PollTimeoutError", async () => {
    const { polls, settled } = await play([refused(404)], { timeoutMs: 3_000 });
    expect(polls).toEqual([0, 1_000, 2_500, 3_000]);
    expect(settled.error).toMatchObject({
      name: "PollTimeoutError",
      code: "poll_timeout",
      message:
        'job "job_1" did not finish within 3000 ms ' +
        "(it was never seen; last failure: GET /v1/jobs/job_1 answered 404: says 404)",
      jobId: "job_1",
      cause: notFound,
    });
  });
});
