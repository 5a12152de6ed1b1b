import { type PollOptions, pollJob, pollJobs, watchJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { resolvePollOptions } from "../../src/polling/poll-options.ts";
import { job, startJobService } from "./job-service.ts";

test("takes an undefined option as an absent one", () => {
  const { signal } = new AbortController();
  const none: PollOptions = {
    intervalMs: undefined,
    maxIntervalMs: undefined,
    targetDelayMs: undefined,
    timeoutMs: undefined,
    signal: undefined,
    waker: undefined,
    onUpdate: undefined,
    onPollFailed: undefined,
  };
  expect(resolvePollOptions("pollJob", none)).toEqual(resolvePollOptions("pollJob"));
  expect(resolvePollOptions("pollJob", { ...none, signal }).signal).toBe(signal);
});

test("keeps zero, and the longest wait a timer takes", () => {
  const zeros = { intervalMs: 0, maxIntervalMs: 0, timeoutMs: 0 };
  const longest = {
    intervalMs: 2_147_483_647,
    maxIntervalMs: 2_147_483_647,
    timeoutMs: 2_147_483_647,
  };
  expect(resolvePollOptions("pollJob", zeros)).toMatchObject(zeros);
  expect(resolvePollOptions("pollJob", longest)).toMatchObject(longest);
});

const range = "must be a number of milliseconds from 0 to 2147483647";
const names =
  "intervalMs, maxIntervalMs, targetDelayMs, timeoutMs, signal, waker, onUpdate, onPollFailed";

/** A message; `OWNER` stands for the function that refuses, `MORE` for options of its own. */
const refusals: readonly [what: string, options: unknown, message: string][] = [
  ...["intervalMs", "maxIntervalMs", "timeoutMs"].flatMap((name) =>
    [Number.NaN, -1, 2_147_483_648, Number.POSITIVE_INFINITY, "1000"].map(
      (value): [string, unknown, string] => {
        const shown = typeof value === "string" ? `"${value}"` : String(value);
        return [`${name}: ${shown}`, { [name]: value }, `${name} ${range}, got ${shown}`];
      },
    ),
  ),
  [
    "a controller in its signal's place",
    { signal: new AbortController() },
    "signal must be an AbortSignal (of a controller: its signal), got an object",
  ],
  [
    "a signal that is null",
    { signal: null },
    "signal must be an AbortSignal (of a controller: its signal), got null",
  ],
  [
    "a target of no delay at all",
    { targetDelayMs: 0 },
    "targetDelayMs must be a number of milliseconds from 1 to 2147483647, got 0",
  ],
  [
    "a waker that wakes nothing",
    { waker: {} },
    "waker must be what createWaker() gave, got an object",
  ],
  [
    "an onUpdate that cannot be called",
    { onUpdate: "log" },
    'onUpdate must be a function, got "log"',
  ],
  [
    "an onPollFailed that cannot be called",
    { onPollFailed: {} },
    "onPollFailed must be a function, got an object",
  ],
  ["a misspelt option", { interval: 5 }, `OWNER has no option "interval"; it has ${names}MORE`],
  [
    "a maximum below the interval",
    { intervalMs: 5_000, maxIntervalMs: 10 },
    "maxIntervalMs (10) must be at least intervalMs (5000)",
  ],
  ["options that are null", null, `OWNER takes an object: { ${names}MORE }, got null`],
  ["options that are a number", 5_000, `OWNER takes an object: { ${names}MORE }, got 5000`],
];

describe.each(refusals)("refuses %s", (_, given, text) => {
  const options = given as PollOptions;
  const refusal = (owner: string, more = "", outcome = {}) => {
    const message = text.replace("OWNER", owner).replace("MORE", more);
    return { name: "InvalidRequestError", code: "invalid_request", message, ...outcome };
  };

  test("in every wait, before anything is sent", async () => {
    const { client, polls } = await startJobService(job("completed"));
    const request = { action: "generate-ad" } as const;
    const caught = await Promise.all([
      pollJob(client, "job_1", options).catch((error) => error),
      pollJobs(client, ["job_1"], options).catch((error) => error),
      client.jobs.submitAndPoll(request, options).catch((error) => error),
    ]);
    expect(caught[0]).toMatchObject(refusal("pollJob"));
    expect(caught[0].outcome).toBeUndefined();
    expect(caught[1]).toMatchObject(refusal("pollJobs", ", concurrency"));
    // Only a submission is a write: its refusal says that nothing was sent.
    expect(caught[2]).toMatchObject(
      refusal("jobs.submitAndPoll", ", once", { outcome: "not-sent" }),
    );
    expect(() => watchJob(client, "job_1", options)).toThrow(
      expect.objectContaining({ message: refusal("watchJob").message }),
    );
    expect(polls).toHaveLength(0);
  });
});

describe("refuses a job that", () => {
  test.each<[string, unknown, string]>([
    ["is no job", undefined, "must be a non-empty string, got undefined"],
    ["has no id", {}, "must be a non-empty string, got an object"],
    ["has an empty id", "", "must be a non-empty string"],
    ["leads elsewhere", "..", '".."'],
  ])("%s", async (_, ref, why) => {
    const { client, polls } = await startJobService(job("completed"));
    const error = await pollJob(client, ref as string).catch((thrown) => thrown);
    expect(error).toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      message: expect.stringContaining(why),
    });
    expect(error.outcome).toBeUndefined();
    expect(polls).toHaveLength(0);
  });
});
