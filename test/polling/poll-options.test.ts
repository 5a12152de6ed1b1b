import { type PollOptions, pollJob, pollJobs, watchJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { resolvePollOptions } from "../../src/polling/poll-options.ts";
import { job, startJobService } from "./job-service.ts";

test("fills in the documented defaults", () => {
  expect(resolvePollOptions()).toEqual({
    intervalMs: 1_000,
    maxIntervalMs: 10_000,
    timeoutMs: 31 * 60_000,
    signal: undefined,
    onUpdate: undefined,
  });
});

test("takes an undefined option as an absent one", () => {
  const { signal } = new AbortController();
  const none: PollOptions = {
    intervalMs: undefined,
    maxIntervalMs: undefined,
    timeoutMs: undefined,
    signal: undefined,
    onUpdate: undefined,
  };
  expect(resolvePollOptions(none)).toEqual(resolvePollOptions());
  expect(resolvePollOptions({ ...none, signal }).signal).toBe(signal);
});

test("keeps zero, and the longest wait a timer takes", () => {
  const zeros = { intervalMs: 0, maxIntervalMs: 0, timeoutMs: 0 };
  const longest = {
    intervalMs: 2_147_483_647,
    maxIntervalMs: 2_147_483_647,
    timeoutMs: 2_147_483_647,
  };
  expect(resolvePollOptions(zeros)).toMatchObject(zeros);
  expect(resolvePollOptions(longest)).toMatchObject(longest);
});

const range = "must be a number from 0 to 2147483647";

const refusals: readonly [what: string, options: object, message: string][] = [
  ...["intervalMs", "maxIntervalMs", "timeoutMs"].flatMap((name) =>
    [Number.NaN, -1, 2_147_483_648, Number.POSITIVE_INFINITY, "1000"].map(
      (value): [string, object, string] => [
        `${name}: ${typeof value === "string" ? `"${value}"` : value}`,
        { [name]: value },
        `${name} ${range}`,
      ],
    ),
  ),
  [
    "a controller in its signal's place",
    { signal: new AbortController() },
    "signal must be an AbortSignal",
  ],
  ["a signal that is null", { signal: null }, "signal must be an AbortSignal"],
  ["an onUpdate that cannot be called", { onUpdate: "log" }, "onUpdate must be a function"],
  ["a misspelt option", { interval: 5 }, "interval is not an option"],
];

describe.each(refusals)("refuses %s", (_, options, message) => {
  const refusal = { name: "InvalidRequestError", code: "invalid_request", message };

  test("in every wait, before anything is sent", async () => {
    const { client, looks } = await startJobService(job("completed"));
    const request = { action: "generate-ad" } as const;
    await expect(pollJob(client, "job_1", options)).rejects.toMatchObject(refusal);
    await expect(pollJobs(client, ["job_1"], options)).rejects.toMatchObject(refusal);
    await expect(client.jobs.submitAndPoll(request, options)).rejects.toMatchObject(refusal);
    expect(() => watchJob(client, "job_1", options)).toThrow(expect.objectContaining(refusal));
    expect(looks).toHaveLength(0);
  });
});

describe("refuses a job that", () => {
  test.each<[string, unknown]>([
    ["is no job", undefined],
    ["has no id", {}],
    ["has an empty id", ""],
    ["leads elsewhere", ".."],
  ])("%s", async (_, ref) => {
    const { client, looks } = await startJobService(job("completed"));
    await expect(pollJob(client, ref as string)).rejects.toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
    });
    expect(looks).toHaveLength(0);
  });
});
