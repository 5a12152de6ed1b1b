import type { PollOptions } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { resolvePollOptions } from "../../../src/client/polling/poll-options.ts";
import { createScriptedClient } from "./scripted-client.ts";
import { submitAndPoll, type Wait, ways } from "./ways.ts";

test.each([0, 2_147_483_647])("takes a time of %i ms", (ms) => {
  const times = { intervalMs: ms, maxIntervalMs: ms, timeoutMs: ms };
  expect(resolvePollOptions("pollJob", times)).toMatchObject(times);
});

const range = "must be a number of milliseconds from 0 to 2147483647";
const mustBeSignal = "signal must be an AbortSignal (of a controller: its signal), got";
const tooLittle = "maxIntervalMs (10) must be at least intervalMs (5000)";
const names =
  "intervalMs, maxIntervalMs, expectedMs, timeoutMs, wake, signal, onUpdate, onPollFailed";

test("takes an undefined option as an absent one", () => {
  const { signal } = new AbortController();
  const none = Object.fromEntries(names.split(", ").map((name) => [name, undefined]));
  expect(resolvePollOptions("pollJob", none)).toEqual(resolvePollOptions("pollJob"));
  expect(resolvePollOptions("pollJob", { ...none, signal }).signal).toBe(signal);
});

const shown = (value: unknown) => (typeof value === "string" ? `"${value}"` : String(value));

/** Options and the message; `OWNER` stands for the function that refuses, `MORE` for its own options. */
const refusals: readonly [options: unknown, message: string][] = [
  ...["intervalMs", "maxIntervalMs", "timeoutMs"].flatMap((name) =>
    [Number.NaN, -1, 2_147_483_648, Number.POSITIVE_INFINITY, "1000"].map(
      (value): [unknown, string] => [{ [name]: value }, `${name} ${range}, got ${shown(value)}`],
    ),
  ),
  [{ signal: new AbortController() }, `${mustBeSignal} an object`],
  [{ signal: null }, `${mustBeSignal} null`],
  [{ onUpdate: "log" }, 'onUpdate must be a function, got "log"'],
  [{ onPollFailed: {} }, "onPollFailed must be a function, got an object"],
  [{ interval: 5 }, 'OWNER has no option "interval"; did you mean intervalMs?'],
  [{ pause: 5 }, `OWNER has no option "pause"; it has ${names}MORE`],
  [{ intervalMs: 5_000, maxIntervalMs: 10 }, tooLittle],
  [null, `OWNER takes an object: { ${names}MORE }, got null`],
  [5_000, `OWNER takes an object: { ${names}MORE }, got 5000`],
];

/** Refusals of those who wait for many jobs. */
const ofMany = [0, 101, Number.NaN, 1.5, "6"].map((value): [unknown, string] => [
  { concurrency: value },
  `concurrency must be a whole number from 1 to 100, got ${shown(value)}`,
]);

describe.each<[owner: string, wait: Wait, more: string, outcome: string | undefined]>([
  ["pollJob", ways.pollJob, "", undefined],
  ["pollJobs", ways.pollJobs, ", concurrency", undefined],
  ["watchJob", ways.watchJob, "", undefined],
  ["watchJobs", ways.watchJobs, ", concurrency", undefined],
  // Only a submission is a write: its refusal says that nothing was sent.
  ["jobs.submitAndPoll", submitAndPoll, ", once", "not-sent"],
])("%s refuses, before anything is sent,", (owner, wait, more, outcome) => {
  const own = more === ", concurrency" ? ofMany : [];

  test.each([...refusals, ...own])("%j", async (options, text) => {
    const { client, polls } = createScriptedClient(["completed"]);
    const error = await wait(client, "job_1", options as PollOptions).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
    expect(error.message).toBe(text.replace("OWNER", owner).replace("MORE", more));
    expect(error.outcome).toBe(outcome);
    expect(polls).toEqual([]);
  });
});
