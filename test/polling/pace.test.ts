import { ConnectionError, pollJob } from "adgen-sdk";
import { expect, test, vi } from "vitest";
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

/** The script is followed by the completed job; the polls are those of a forced pace of 1 s. */
const rows: readonly (readonly [string, readonly Step[], PlayOptions, readonly number[]])[] = [
  // The pace itself.
  ["grows from 1 s to 10 s", times(8, "processing"), {}, grown],
  ["grows while answers make no sense", times(4, anotherJob), {}, grown.slice(0, 5)],
  ["grows while the network is down", times(4, offline), {}, grown.slice(0, 5)],
  [
    "is that of its options",
    times(4, "queued"),
    { intervalMs: 100, maxIntervalMs: 200 },
    [0, 100, 250, 450, 650],
  ],
  [
    "may be longer than the usual maximum",
    times(2, "queued"),
    { intervalMs: 20_000 },
    [0, 20_000, 40_000],
  ],
  ["is even by default", times(3, "queued"), usual, [0, 2_000, 4_000, 6_000]],
  // After failures.
  ["grows from 1 s to 10 s after failures", times(8, offline), usual, grown],
  [
    "has its least after failures",
    times(3, offline),
    { ...usual, maxIntervalMs: 0 },
    [0, 100, 200, 300],
  ],
  [
    "has its maximum after failures",
    times(3, offline),
    { ...usual, maxIntervalMs: 2_000 },
    [0, 1_000, 2_500, 4_500],
  ],
  ["may be none at first", times(3, offline), { intervalMs: 0, maxIntervalMs: 0 }, [0, 0, 0, 0]],
  ["is forced after failures, too", times(2, offline), { intervalMs: 5 }, [0, 5, 13]],
  // Retry-After.
  [
    "is Retry-After beside an unfinished job",
    [seen("queued", 3), seen("processing", 0), seen("processing", 45)],
    {},
    [0, 3_000, 3_000, 48_000],
  ],
  ["is Retry-After as a date, by the service's own clock", [datedRetryAfter], {}, [0, 7_000]],
  [
    "is none of more than a minute beside an unfinished job",
    [seen("queued", 61), seen("queued", 86_400)],
    {},
    [0, 1_000, 2_500],
  ],
  [
    "is no Retry-After that makes no sense",
    [seen("queued", "soon"), seen("queued", "-5")],
    {},
    [0, 1_000, 2_500],
  ],
  ...[429, 500, 503].map(
    (status) =>
      [
        `is lengthened by Retry-After after a ${status}, and never shortened`,
        [refused(status, 0), refused(status, 30), refused(status, 300)],
        {},
        [0, 1_000, 31_000, 331_000],
      ] as const,
  ),
  [
    "is a minute at most after a 503 that asks for more than is left",
    times(3, refused(503, 3_600)),
    {},
    [0, 60_000, 120_000, 180_000],
  ],
  ...[
    [240_000, 60_000],
    [100_000, 25_000],
    [4_000, 1_000],
    [400, 400],
  ].map(
    ([timeoutMs = 0, ms = 0]) =>
      [
        `is ${ms} ms after a 503 that asks for more than the ${timeoutMs} ms that are left`,
        [refused(503, 3_600)],
        { timeoutMs },
        [0, ms],
      ] as const,
  ),
  ["is an hour after a 429, up to the deadline", [refused(429, 3_600)], {}, [0, 31 * 60_000]],
  ["is half an hour after a 429", [refused(429, 1_800)], {}, [0, 1_800_000]],
  ["is the time that is left after a 429", [refused(429, 3_600)], { timeoutMs: 4_000 }, [0, 4_000]],
  [
    "is a Retry-After's once",
    [seen("queued", 20), offline, "queued"],
    {},
    [0, 20_000, 21_500, 23_750],
  ],
];

test.each(rows)("the pace %s", async (_, script, options, expected) => {
  const { polls, settled } = await play([...script, "completed"], options);
  expect(polls).toEqual(expected);
  expect(settled.value).toEqual({ job_id: "job_1", status: "completed" });
});

test("an interval of zero grows to its maximum, too", async () => {
  const options = { intervalMs: 0, maxIntervalMs: 500 };
  const { polls } = await play([...times(30, "queued"), "completed"], options);
  expect(polls[30]).toBeGreaterThan(5_000);
});

test("a wait through a wrapper whose errors count no requests grows too", async () => {
  const { client, now } = createScriptedClient(["completed"]);
  const polls: number[] = [];
  const wrapper: typeof client.jobs = {
    ...client.jobs,
    get: (ref, options) => {
      polls.push(now());
      if (polls.length < 4) throw new ConnectionError("connection", "the wrapper is not ready");
      return client.jobs.get(ref, options);
    },
  };
  const finished = pollJob({ jobs: wrapper }, "job_1");
  await vi.runAllTimersAsync();
  expect(await finished).toMatchObject({ status: "completed" });
  expect(polls).toEqual([0, 1_000, 2_500, 4_750]);
});
