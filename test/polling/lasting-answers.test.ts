import { describe, expect, test } from "vitest";
import { lastingAnswers, page, redirect, strangersAnswers, tooLarge } from "./faulty-polls.ts";
import {
  offline,
  type Poll,
  play,
  refused,
  seen,
  silent,
  useFakedTime,
} from "./scripted-client.ts";

useFakedTime();

/** The usual polls of a wait, up to the first one 30 s after the start. */
const usualPolls = [0, 1_000, 2_500, 4_750, 8_125, 13_188, 20_782, 30_782];

describe("an answer that is too large", () => {
  const small = { maxResponseBytes: 1_000 };
  const error = { name: "DecodeError", code: "decode", reason: "too-large", jobId: "job_1" };

  test("ends a wait at once, and says so", async () => {
    const { polls, settled, failed } = await play([tooLarge], {}, small);
    expect(polls).toEqual([0]);
    expect(settled.error).toMatchObject({ ...error, attempts: 1 });
    expect(settled.error.message).toBe(
      "GET /v1/jobs/job_1 answered more than maxResponseBytes (1000)",
    );
    expect(settled.error.outcome).toBeUndefined();
    expect(failed).toEqual([]);
  });

  test("ends a wait whose job was seen, and keeps the job", async () => {
    const { polls, settled } = await play([seen("processing"), tooLarge], {}, small);
    expect(polls).toEqual([0, 1_000]);
    expect(settled.error).toMatchObject({
      ...error,
      lastJob: { job_id: "job_1", status: "processing" },
      attempts: 2,
    });
  });
});

describe.each([...lastingAnswers, ...strangersAnswers])("$name", ({ poll, error, saw }) => {
  test("ends the wait for a job that was never seen once it has lasted 30 s", async () => {
    const { polls, failed, settled } = await play([poll]);
    expect(polls).toEqual(usualPolls);
    expect(settled.at).toBe(30_782);
    expect(settled.error).toMatchObject({
      ...error,
      jobId: "job_1",
      message: expect.stringContaining(saw),
      attempts: usualPolls.length,
      elapsedMs: 30_782,
    });
    expect(settled.error.lastJob).toBeUndefined();
    expect(settled.error.outcome).toBeUndefined();
    // Every poll but the one that ends the wait.
    expect(failed).toHaveLength(usualPolls.length - 1);
    for (const one of failed) expect(one).toMatchObject(error);
  });

  test("is polled three times at least, however long the interval", async () => {
    const { polls, settled } = await play([poll], { intervalMs: 40_000 });
    expect(polls).toEqual([0, 40_000, 80_000]);
    expect(settled.error).toMatchObject(error);
  });

  test("passes when it lasts less than 30 s", async () => {
    const { settled } = await play([...Array<Poll>(7).fill(poll), seen("completed")]);
    expect(settled).toMatchObject({ at: 30_782, value: { status: "completed" } });
  });

  test.each([
    ["a job", seen("processing")],
    ["an outage", refused(503)],
    ["a broken network", offline],
    ["another answer that cannot be used", refused(409)],
  ])("does not end a wait while it alternates with %s", async (_, other) => {
    const { settled, failed } = await play(
      Array.from({ length: 400 }, (_, index) => (index % 2 ? other : poll)),
      { timeoutMs: 600_000 },
    );
    expect(settled.at).toBe(600_000);
    expect(settled.error).toMatchObject({ name: "PollTimeoutError", jobId: "job_1" });
    expect(failed.length).toBeGreaterThan(20);
  });
});

describe.each(lastingAnswers)("$name after the job was seen", ({ poll, error, saw }) => {
  test("ends the wait 30 s later, and keeps the job", async () => {
    const { polls, settled } = await play([seen("processing"), poll]);
    expect(polls.at(-1)).toBe(40_782);
    expect(settled.error).toMatchObject({
      ...error,
      jobId: "job_1",
      message: expect.stringContaining(saw),
      lastJob: { job_id: "job_1", status: "processing" },
    });
  });
});

describe.each([
  ["a 200 with HTML", page(200)],
  ["a 200 without a body", page(200, "", "")],
  ["a 302", redirect],
  ["a 405 in HTML", page(405)],
])("%s after the job was seen", (_, poll) => {
  test("is waited out to the deadline, which names it", async () => {
    const { settled, failed, polls } = await play([seen("processing"), poll]);
    expect(settled.at).toBe(31 * 60_000);
    expect(settled.error).toMatchObject({
      name: "PollTimeoutError",
      jobId: "job_1",
      lastJob: { status: "processing" },
      message: expect.stringContaining("last failure: GET /v1/jobs/job_1 answered "),
    });
    expect(failed).toHaveLength(polls.length - 1);
  });

  test("passes after ten minutes", async () => {
    const script = [seen("processing"), ...Array<Poll>(60).fill(poll), seen("completed")];
    const { settled } = await play(script);
    expect(settled.at).toBeGreaterThan(9 * 60_000);
    expect(settled.value).toMatchObject({ status: "completed" });
  });
});

describe.each<[string, Poll]>([
  ["a 500", refused(500)],
  ["a 503 in HTML", page(503)],
  ["a 429", refused(429)],
  ["a 408", refused(408)],
  ["a broken network", offline],
  ["silence", silent],
])("%s", (_, poll) => {
  test.each([
    ["was never seen", []],
    ["was seen", [seen("queued")]],
  ])("never ends the wait for a job that %s", async (_, before) => {
    const { settled, failed, polls } = await play([...before, poll]);
    expect(settled.at).toBeGreaterThanOrEqual(31 * 60_000);
    expect(settled.error).toMatchObject({ name: "PollTimeoutError", jobId: "job_1" });
    expect(failed).toHaveLength(polls.length - before.length);
  });
});
