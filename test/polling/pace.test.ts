import { ConnectionError, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { rejection } from "../helpers/client.ts";
import {
  createScriptedClient,
  offline,
  type PlayOptions,
  play,
  refused,
  type Step,
  seen,
  success,
  times,
  useFakedTime,
} from "./scripted-client.ts";

useFakedTime();

const usual = { intervalMs: undefined };
const grown = [0, 1_000, 2_500, 4_750, 8_125, 13_188, 20_782, 30_782, 40_782];
const datedRetryAfter = success({ status: "queued" }, 200, {
  date: "Fri, 01 Jan 2010 00:00:00 GMT",
  "retry-after": "Fri, 01 Jan 2010 00:00:07 GMT",
});
const anotherJob = success({ job_id: "x", status: "completed" });

type Row = readonly [script: readonly Step[], options: PlayOptions, polls: readonly number[]];

/** Waits by a script, to which the completed job is added. */
const expectPolls = async (...[script, options, polls]: Row) => {
  const played = await play([...script, "completed"], options);
  expect(played.polls).toEqual(polls);
  expect(played.settled.value).toEqual({ job_id: "job_1", status: "completed" });
};

describe("the pace", () => {
  test.each<[what: string, step: Step, options: PlayOptions, polls: readonly number[]]>([
    ["even by default", "queued", usual, [0, 2_000, 4_000, 6_000]],
    ["forced", "processing", {}, grown],
    ["forced", "queued", { intervalMs: 100, maxIntervalMs: 200 }, [0, 100, 250, 450, 650]],
    ["forced beyond the usual maximum", "queued", { intervalMs: 20_000 }, [0, 20_000, 40_000]],
    ["forced, of useless answers", anotherJob, {}, grown.slice(0, 5)],
    ["forced, of failures", offline, {}, grown],
    ["forced, of failures", offline, { intervalMs: 5 }, [0, 5, 13, 25]],
    ["forced to none at first", offline, { intervalMs: 0, maxIntervalMs: 0 }, [0, 0, 0, 0]],
    ["after failures", offline, usual, grown],
    ["after failures, at least", offline, { ...usual, maxIntervalMs: 0 }, [0, 100, 200, 300]],
    ["after failures, at most", offline, { ...usual, maxIntervalMs: 1_200 }, [0, 1_000, 2_200]],
  ])("%s", (_, step, options, polls) => expectPolls(times(polls.length - 1, step), options, polls));

  test("of zero grows to its maximum, too", async () => {
    const options = { intervalMs: 0, maxIntervalMs: 500 };
    const { polls } = await play([...times(30, "queued"), "completed"], options);
    expect(polls[30]).toBeGreaterThan(5_000);
  });
});

describe("Retry-After", () => {
  const asked = [seen("queued", 3), seen("processing", 0), seen("processing", 45)];

  test.each<readonly [string, ...Row]>([
    ["beside an unfinished job is the wait", asked, {}, [0, 3_000, 3_000, 48_000]],
    ["may be a date of the service's own clock", [datedRetryAfter], {}, [0, 7_000]],
    ["of more than a minute is a mistake", [seen("queued", 61)], {}, [0, 1_000]],
    ["must make sense", [seen("queued", "soon"), seen("queued", "-5")], {}, [0, 1_000, 2_500]],
    ["counts once", [seen("queued", 20), offline, "queued"], {}, [0, 20_000, 21_500, 23_750]],
    ["of an hour after a 503 is a minute", times(2, refused(503, 3_600)), {}, [0, 60_000, 120_000]],
    ["of an hour after a 429 is kept", [refused(429, 3_600)], {}, [0, 1_860_000]],
    ["of half an hour after a 429 is kept", [refused(429, 1_800)], {}, [0, 1_800_000]],
  ])("%s", (_, ...row) => expectPolls(...row));

  test.each([429, 500, 503])("after a %i lengthens the wait, and never shortens it", (status) => {
    const script = [refused(status, 0), refused(status, 30), refused(status, 300)];
    return expectPolls(script, {}, [0, 1_000, 31_000, 331_000]);
  });

  const kept = { 240000: 60_000, 100000: 25_000, 4000: 1_000, 400: 400 };

  test.each(Object.entries(kept))("of an hour after a 503, with %s ms left, is %i ms", (left, ms) =>
    expectPolls([refused(503, 3_600)], { timeoutMs: Number(left) }, [0, ms]),
  );
});

test("a wait through a wrapper whose errors count no requests grows too", async () => {
  const { now } = createScriptedClient([]);
  const polls: number[] = [];
  const get = async (): Promise<never> => {
    polls.push(now());
    throw new ConnectionError("connection", "the wrapper is not ready");
  };
  const ended = rejection(pollJob({ jobs: { get } }, "job_1", { timeoutMs: 4_750 }));
  await vi.runAllTimersAsync();
  expect(await ended).toMatchObject({ code: "poll_timeout", attempts: 0 });
  expect(polls).toEqual([0, 1_000, 2_500, 4_750]);
});
