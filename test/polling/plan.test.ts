import type { LearnedDurations } from "adgen-sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { waitBySchedule } from "../../bench/polling/contenders.ts";
import { effortOf, fixedPollsFor } from "../../bench/polling/effort.ts";
import {
  drawFreely,
  exponential,
  type Law,
  lognormal,
  sharesOf,
  twoKinds,
  uniform,
} from "../../bench/polling/laws.ts";
import { createRandom } from "../../bench/polling/random.ts";
import { learned, simulateLearning } from "../../bench/polling/schedules.ts";
import { createLearnedDurations } from "../../src/polling/schedule/durations.ts";
import { estimate, nextPollAt } from "../../src/polling/schedule/next-poll.ts";

const action = "generate-ad";

const times = fc.double({ min: 0, max: 5_000_000, noNaN: true });
const histories = fc.array(fc.tuple(times, times), { maxLength: 6 });
const targets = fc.option(
  fc.oneof(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 10_000 })),
  { nil: undefined },
);

test("after any history, polls and ends lie ahead, and no percent falls", () => {
  fc.assert(
    fc.property(histories, targets, fc.array(times), (history, targetDelayMs, waits) => {
      const durations = createLearnedDurations();
      expect(estimate({ durations, action, waitedMs: 0 })).toBeUndefined();
      for (const [afterMs, byMs] of history) durations.add(action, { afterMs, byMs });
      for (const waitedMs of [0, 31 * 60_000, 1e9, ...waits]) {
        const next = nextPollAt({ durations, action, waitedMs, targetDelayMs });
        expect(next - waitedMs).toBeGreaterThanOrEqual(49.99);
        expect(next - waitedMs).toBeLessThanOrEqual(2 ** 32);
      }
      let percent = 0;
      for (let waitedMs = 0; history.length > 0 && waitedMs < 1e7; waitedMs = waitedMs * 1.2 + 40) {
        const guess = estimate({ durations, action, waitedMs });
        expect(guess?.expectedMs).toBeGreaterThan(waitedMs);
        expect(guess?.expectedMs).toBeLessThan(Number.POSITIVE_INFINITY);
        expect(guess?.percent).toBeGreaterThanOrEqual(percent);
        expect(guess?.percent).toBeLessThanOrEqual(99);
        percent = guess?.percent ?? 0;
      }
    }),
    { numRuns: 10 },
  );
});

test("the target is 5 % of the typical duration where that is more than a second", () => {
  const durations = createLearnedDurations();
  const at = (targetDelayMs?: number) =>
    nextPollAt({ durations, action, waitedMs: 0, targetDelayMs });
  for (let job = 0; job < 50; job += 1) durations.add(action, { afterMs: 99_000, byMs: 101_000 });
  expect(Math.abs(at() - at(5_000))).toBeLessThan(1_000);
  expect(at()).toBeGreaterThan(100_000);
});

test("a job of unknown action is planned by all actions together", () => {
  const durations = createLearnedDurations();
  const unknown = () => nextPollAt({ durations, action: undefined, waitedMs: 0 });
  expect(unknown()).toBe(2_000);
  for (let job = 0; job < 30; job += 1) durations.add(action, { afterMs: 19_900, byMs: 20_100 });
  expect(unknown()).toBeGreaterThan(15_000);
  expect(nextPollAt({ durations, action: "copy", waitedMs: 0 })).toBe(2_000);
});

test("a plan is made anew when enough is new, and not at every call", () => {
  const durations = createLearnedDurations();
  simulateLearning(durations, drawFreely(exponential(10_000), 60, createRandom(1)), 1_000);
  const restored = createLearnedDurations(durations.toJSON());
  const next = () => learned(restored, 1_000)(0, 0);
  const first = next();
  restored.add(action, { afterMs: 0, byMs: 100 });
  JSON.stringify(restored);
  expect(next()).toBe(first);
  for (let job = 0; job < 5; job += 1) restored.add(action, { afterMs: 0, byMs: 100 });
  expect(next()).not.toBe(first);
});

test("where all jobs end by the first poll, one in eight gets an early poll", () => {
  const durations = createLearnedDurations();
  const next = (waitedMs: number) => learned(durations, 1_000)(waitedMs, 0);
  const firsts = Array.from({ length: 124 }, () => {
    durations.add(action, { afterMs: 0, byMs: 20_000 });
    return next(0);
  }).slice(60);
  const usual = Math.max(...firsts);
  expect(firsts.filter((ms) => ms < usual / 2)).toEqual(Array(8).fill(0.4 * usual));
  // After an early poll, the usual one follows.
  for (let job = 0; job < 4; job += 1) durations.add(action, { afterMs: 0, byMs: 20_000 });
  expect(next(0)).toBe(0.4 * usual);
  expect(next(next(0))).toBeGreaterThan(usual - 1_000);
});

const targetMs = 1_000;
const constant = (ms: number): Law => uniform(ms, ms);
const wide = lognormal(8_000, 0.6);
const narrow = lognormal(8_000, 0.25);
const halves = twoKinds("of two kinds", constant(3_000), constant(40_000), 0.5);
const slowFifth = twoKinds("", lognormal(8_000, 0.3), lognormal(80_000, 0.3), 0.8);

/** Polls and delay of jobs that follow a law, and the polls of a fixed interval with that delay. */
const effortOn = (law: Law, lives: readonly LearnedDurations[]) => {
  const { polls, delayMs } = effortOf(waitBySchedule(lives, sharesOf(law, 1_000), targetMs));
  return { polls, delayMs, fixedPolls: fixedPollsFor(sharesOf(law, 100), delayMs) };
};

/** Lets clients learn from jobs of several laws, one after the other. */
const livesAfter = (lives: number, ...laws: readonly (readonly [law: Law, jobs: number])[]) =>
  Array.from({ length: lives }, (_, life) => {
    const random = createRandom(life + 1);
    const durations = createLearnedDurations();
    for (const [law, jobs] of laws) {
      simulateLearning(durations, drawFreely(law, jobs, random), targetMs);
    }
    return durations;
  });

describe("at a mean delay of a second", () => {
  const steady = uniform(19_600, 20_400);

  test.each([
    ["50 jobs of lognormal durations with sigma 0.6", 50, 6, wide, 4.7, 850, 1_060],
    ["50 jobs of lognormal durations with sigma 0.25", 50, 6, narrow, 2.4, 850, 1_060],
    ["50 jobs that hardly vary", 50, 6, steady, 1.6, 0, 1_060],
    ["hundreds of jobs, which drift nowhere", 300, 1, wide, 4.8, 850, 1_100],
  ])("few polls are needed after %s", (_, jobs, lives, law, mostPolls, leastMs, mostMs) => {
    const { polls, delayMs } = effortOn(law, livesAfter(lives, [law, jobs]));
    expect(polls).toBeLessThanOrEqual(mostPolls);
    expect(delayMs).toBeGreaterThan(leastMs);
    expect(delayMs).toBeLessThan(mostMs);
  });
});

test.each([
  ["of 0.3 s", constant(300)],
  ["of 25 minutes", constant(1_500_000)],
  ["exponential", exponential(300_000)],
  ["of two kinds", halves],
])("without any history, durations %s need no more polls than evenly", (_, law) => {
  const jobs = sharesOf(law, 100);
  const { polls, delayMs } = effortOf(waitBySchedule([createLearnedDurations()], jobs));
  const even = jobs.map((ms) => Math.max(1, Math.ceil(ms / 2_000)));
  expect(polls).toBeCloseTo(even.reduce((sum, each) => sum + each) / jobs.length, 6);
  expect(delayMs).toBeLessThanOrEqual(2_000);
});

const ofLaws = [wide, exponential(10_000), uniform(2_000, 18_000)];
const slower = lognormal(24_000, 0.25);
const faster = lognormal(800, 0.25);

/** Jobs of a law, which may come after 80 others. */
type Learning = [what: string, part: number, lives: number, law: Law, jobs: number, before?: Law];

test.each<Learning>([
  ...ofLaws.flatMap((law) =>
    [1, 2, 3, 5, 10, 20].map((count): Learning => [`${count} jobs`, 1.25, 6, law, count]),
  ),
  ["50 jobs of two kinds", 0.5, 8, halves, 50],
  ["50 jobs, a fifth of them slow", 0.75, 8, slowFifth, 50],
  ["60 jobs of a service that is three times slower", 1.1, 6, slower, 60, narrow],
  ["42 jobs of a service that is ten times faster", 1.1, 6, faster, 42, narrow],
  ["82 jobs of a service that is ten times faster", 1.1, 6, faster, 82, narrow],
])("after %s, at most %d of the polls of a fixed interval are needed", (...row) => {
  const [, part, lives, law, jobs, before = law] = row;
  const clients = livesAfter(lives, [before, before === law ? 0 : 80], [law, jobs]);
  const { polls, delayMs, fixedPolls } = effortOn(law, clients);
  expect(polls).toBeLessThan(part * fixedPolls);
  expect(delayMs).toBeLessThan(1_600);
});

test("a service that never finishes is polled without haste, and without end", () => {
  const [durations] = livesAfter(1, [wide, 50]) as [LearnedDurations];
  const next = learned(durations, targetMs);
  const gaps: number[] = [];
  for (let ms = 0; ms < 31 * 60_000; ms = next(ms, 0)) gaps.push(next(ms, 0) - ms);
  expect(gaps.length).toBeGreaterThan(40);
  expect(gaps.length).toBeLessThan(400);
  expect(Math.max(...gaps)).toBeLessThan(120_000);
});
