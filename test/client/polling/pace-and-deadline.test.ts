import { type PollOptions, pollJob, watchJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { pause } from "../../helpers/client.ts";
import { useFakedTime } from "../../helpers/faked-time.ts";
import {
  createScriptedClient,
  expectPlayed,
  offline,
  type PlayedRow,
  type PlayOptions,
  page,
  passTime,
  play,
  refused,
  type Step,
  seen,
  silent,
  start,
  submitted,
  success,
  times,
  watchPromise,
} from "./scripted-client.ts";
import { submitAndPoll, type Wait, ways } from "./ways.ts";

useFakedTime();

const usual = { intervalMs: undefined };
const grown = [0, 1_000, 2_500, 4_750, 8_125, 13_188, 20_782, 30_782, 40_782];
const ofZero = [0, 1, 3, 6, 10, 16, 24, 33, 42];
const brisk = { intervalMs: 100, maxIntervalMs: 100 };
const atOnce = Array(21).fill(0);
const datedRetryAfter = success({ status: "queued" }, 200, {
  date: "Fri, 01 Jan 2010 00:00:00 GMT",
  "retry-after": "Fri, 01 Jan 2010 00:00:07 GMT",
});
const anotherJob = success({ job_id: "x", status: "completed" });

test.each<[what: string, step: Step, options: PlayOptions, polls: readonly number[]]>([
  ["is even by default", "queued", usual, [0, 2_000, 4_000, 6_000]],
  ["can be forced", "processing", {}, grown],
  ["can be forced", "queued", { intervalMs: 100, maxIntervalMs: 200 }, [0, 100, 250, 450, 650]],
  ["can be forced beyond the usual maximum", "queued", { intervalMs: 20_000 }, [0, 20_000, 40_000]],
  ["can be forced for useless responses", anotherJob, {}, grown.slice(0, 5)],
  ["can be forced for failures", offline, {}, grown],
  ["can be forced for failures", offline, { intervalMs: 5 }, [0, 5, 13, 25]],
  ["can be forced to start at zero", offline, { intervalMs: 0, maxIntervalMs: 0 }, [0, 0, 0, 0]],
  ["grows after failures", offline, usual, grown],
  ["grows after an unknown status", "paused", usual, grown],
  ["has a minimum after failures", offline, { ...usual, maxIntervalMs: 0 }, [0, 100, 200, 300]],
  ["has a maximum after failures", offline, { ...usual, maxIntervalMs: 1_200 }, [0, 1_000, 2_200]],
  ["grows from zero too", "queued", { intervalMs: 0, maxIntervalMs: 9 }, ofZero],
])("the pace %s", (_, step, options, polls) =>
  expectPlayed(times(polls.length - 1, step), options, polls),
);

const asked = [seen("queued", 3), seen("processing", 0), seen("processing", 45)];

test.each<[string, ...PlayedRow]>([
  ["beside an unfinished job replaces the wait", asked, {}, [0, 3_000, 3_000, 48_000]],
  ["of 0 causes no busy loop", times(22, seen("processing", 0)), brisk, [...atOnce, 100, 200]],
  ["may be a date of the service's own clock", [datedRetryAfter], {}, [0, 7_000]],
  ["of more than a minute is ignored as a mistake", [seen("queued", 61)], {}, [0, 1_000]],
  [
    "that makes no sense is ignored",
    [seen("queued", "soon"), seen("queued", "-5")],
    {},
    [0, 1_000, 2_500],
  ],
  ["beside an unknown status lengthens the wait", [seen("paused", 8)], {}, [0, 8_000]],
  ["counts for one wait", [seen("queued", 20), offline, "queued"], {}, [0, 20_000, 21_500, 23_750]],
  [
    "of an hour after a 503 counts as a minute",
    times(2, refused(503, 3_600)),
    {},
    [0, 60_000, 120_000],
  ],
  ["of an hour after a 429 is kept", [refused(429, 3_600)], {}, [0, 1_860_000]],
  ["of half an hour after a 429 is kept", [refused(429, 1_800)], {}, [0, 1_800_000]],
])("a Retry-After %s", (_, ...row) => expectPlayed(...row));

test.each([429, 500, 503])("a Retry-After with a %i only lengthens the wait", (status) => {
  const script = [refused(status, 0), refused(status, 30), refused(status, 300)];
  return expectPlayed(script, {}, [0, 1_000, 31_000, 331_000]);
});

const kept = { 240000: 60_000, 100000: 25_000, 4000: 1_000, 400: 400 };

test.each(Object.entries(kept))("a 503's Retry-After with %s ms left is %i ms", (left, ms) =>
  expectPlayed([refused(503, 3_600)], { timeoutMs: Number(left) }, [0, ms]),
);

test.each<[string, Step, PlayOptions, number]>([
  ["at once if the submission's Retry-After says so", submitted(0), {}, 0],
  ["when the submission's Retry-After says", submitted(4), {}, 4_000],
  ["soon", submitted(), {}, 2_000],
  ["at once in a forced pace", submitted(), { intervalMs: 500 }, 0],
])("a wait for a job of this client polls first %s", async (_, submission, options, firstAt) => {
  const { polls } = await play(["completed"], { intervalMs: undefined, submission, ...options });
  expect(polls[1]).toBe(firstAt);
});

const gaveUp = { name: "PollTimeoutError", code: "poll_timeout", jobId: "job_1" };

const failure = "last failure: GET /v1/jobs/job_1";
const unknown = "status unknown to this version: see lastJob.status";
const down =
  "got no answer: fetch failed without a reason: does your network's proxy ask for a password (407)?";
const html = "answered 200 with text/html, not JSON (check baseUrl: http://ads.test)";

test.each<[details: string, script: readonly Step[]]>([
  ['last status "processing"', ["queued", "processing"]],
  ['last status "processing"', [503, "processing"]],
  [`last status "queued"; ${failure} answered 503: says 503`, ["queued", 500, 503]],
  [`it was never seen; ${failure} answered 404: says 404`, [404]],
  [`it was never seen; ${failure} ${down}`, [offline]],
  [`it was never seen; ${failure} ${html}`, [page(200)]],
  [`it was never seen; ${failure} timed out after 500 ms (totalTimeoutMs)`, [silent]],
  [unknown, ["archived\n\u001b[31mFATAL"]],
])("the error at the deadline says: %s", async (details, script) => {
  const { settled } = await play(script, { timeoutMs: 1_200 });
  expect(settled.error.message).toBe(
    `job "job_1" did not finish within 1200 ms (${details}); it goes on: wait again`,
  );
  expect(settled.error.cause !== undefined).toBe(details.includes("last failure"));
  expect(settled.error.outcome).toBeUndefined();
});

const noTime = { timeoutMs: 0 };
const once = { error: { ...gaveUp, attempts: 1, elapsedMs: 0 } };
const hasLittle = { timeoutMs: 60_000, client: { timeoutMs: 20_000 } };
const late = { at: 65_000, error: gaveUp };

test.each<[string, ...PlayedRow]>([
  ["is the only one of a wait of no time", [], noTime, [0]],
  ["is the only one of a wait of no time", ["queued"], noTime, [0], once],
  ["may be as far away as a timer can wait", ["queued"], { timeoutMs: 2 ** 31 - 1 }, [0, 1_000]],
  ["has more than one attempt's time", [silent], hasLittle, [0, 21_000, 42_500, 60_000], late],
])("the last poll %s", (_, ...row) => expectPlayed(...row));

const silentUntil = { 0: 500, 400: 900, 4000: 5_000, 20000: 25_000, 600000: 605_000 };

test.each(Object.entries(silentUntil))(
  "a silent wait of %s ms takes %i ms",
  async (time, latestMs) => {
    const timeoutMs = Number(time);
    // The client's time limit for an attempt is longer than the whole wait.
    const { settled } = await play([silent], { timeoutMs, client: { timeoutMs: 3_600_000 } });
    const cause = { name: "TimeoutError", code: "timeout" };
    expect(settled.error).toMatchObject({ ...gaveUp, elapsedMs: latestMs, cause });
  },
);

test("the last poll is made even if the reader takes long over each job", async () => {
  const { client, polls } = createScriptedClient(["processing"]);
  const consume = async () => {
    for await (const _ of watchJob(client, "job_1", { timeoutMs: 2_000 })) await pause(60_000);
  };
  const settled = watchPromise(consume(), () => 0);
  await vi.runAllTimersAsync();
  expect(polls).toEqual([0, 60_000]);
  expect(settled.error).toMatchObject({ ...gaveUp, lastJob: { status: "processing" } });
});

const defaultPolls = [0, 1_000, 2_500, 4_750, 8_125, 9_000];

test("a wait isn't changed by jumps of the wall clock", async () => {
  const { polls, settled } = start(["processing"], { timeoutMs: 9_000 });
  for (const stepMs of [5 * 3_600_000, -9 * 3_600_000, 4 * 3_600_000, -Date.now()]) {
    await passTime(700);
    vi.setSystemTime(Date.now() + stepMs);
  }
  await vi.runAllTimersAsync();
  expect(polls).toEqual(defaultPolls);
  expect(settled).toMatchObject({ at: 9_000, error: { ...gaveUp, elapsedMs: 9_000 } });
});

test.each<[string, readonly Step[], readonly number[]]>([
  ["goes on in its own way", ["processing"], defaultPolls],
  ["stands still", [refused(429, 2), "processing"], [0, 2_000, 3_500, 5_750, 9_000]],
])("a wait counts fake time slept if performance %s", async (how, script, expected) => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const { client, polls, now } = createScriptedClient(script, { clock: Date.now });
  // The clock advances by calls, so it is independent of the machine.
  const stepMs = how === "stands still" ? 0 : 0.001;
  let at = 1_234;
  vi.spyOn(performance, "now").mockImplementation(() => (at += stepMs));
  const waited = pollJob(client, "job_1", { intervalMs: 1_000, timeoutMs: 9_000 });
  const settled = watchPromise(waited, now);
  await vi.runAllTimersAsync();
  expect(polls).toEqual(expected);
  expect(settled).toMatchObject({ at: 9_000, error: { ...gaveUp, elapsedMs: 9_000 } });
});

const range = "must be a number of milliseconds from 0 to 2147483647";
const mustBeSignal = "signal must be an AbortSignal (of a controller: its signal), got";
const tooLittle = "maxIntervalMs (10) must be at least intervalMs (5000)";
const names =
  "intervalMs, maxIntervalMs, expectedMs, timeoutMs, wake, signal, onUpdate, onPollFailed";

const shown = (value: unknown) => (typeof value === "string" ? `"${value}"` : String(value));

/** Options and messages. `OWNER` stands for the refusing function, `MORE` for its own options. */
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

/** Refusals by the waits for many jobs. */
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
])("%s", (owner, wait, more, outcome) => {
  const own = more === ", concurrency" ? ofMany : [];

  test.each([...refusals, ...own])("a wait refuses the options %j", async (options, text) => {
    const { client, polls } = createScriptedClient(["completed"]);
    const error = await wait(client, "job_1", options as PollOptions).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
    expect(error.message).toBe(text.replace("OWNER", owner).replace("MORE", more));
    expect(error.outcome).toBe(outcome);
    expect(polls).toEqual([]);
  });
});
