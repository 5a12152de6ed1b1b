import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bounds, livesAfter, measure, waitInLives } from "../../bench/polling/bounds.ts";
import { effortOf, fixedPollsFor } from "../../bench/polling/effort.ts";
import {
  exponential,
  type Law,
  lognormal,
  sharesOf,
  twoKinds,
  uniform,
} from "../../bench/polling/laws.ts";
import { createSchedule, type Schedule } from "../../src/polling/schedule/durations.ts";

const action = "generate-ad";

const times = fc.double({ min: 0, max: 5_000_000, noNaN: true });
const histories = fc.array(fc.tuple(times, times), { maxLength: 12 });
const targets = fc.option(
  fc.oneof(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 10_000 })),
  { nil: undefined },
);

test("after any history, polls and ends lie ahead, and no percent falls", () => {
  fc.assert(
    fc.property(histories, targets, fc.array(times), (history, targetDelayMs, waits) => {
      const durations = createSchedule();
      expect(durations.estimate(action, 0)).toBeUndefined();
      for (const [afterMs, byMs] of history) durations.add(action, { afterMs, byMs });
      for (const waitedMs of [0, 31 * 60_000, 1e9, ...waits]) {
        const gapMs = durations.nextPollAt(action, waitedMs, targetDelayMs) - waitedMs;
        expect(gapMs).toBeGreaterThanOrEqual(49.99);
        // No job is late by more than it took, or by 30 targets.
        expect(gapMs).toBeLessThanOrEqual(Math.max(30 * (targetDelayMs ?? 3e5), waitedMs) + 50);
      }
      let percent = 0;
      for (let waitedMs = 0; history.length > 0 && waitedMs < 1e7; waitedMs = waitedMs * 1.2 + 40) {
        const guess = durations.estimate(action, waitedMs);
        expect(guess?.expectedMs).toBeGreaterThan(waitedMs);
        expect(guess?.expectedMs).toBeLessThan(Number.POSITIVE_INFINITY);
        expect(guess?.percent).toBeGreaterThanOrEqual(percent);
        expect(guess?.percent).toBeLessThanOrEqual(99);
        percent = guess?.percent ?? 0;
      }
    }),
    { numRuns: 20 },
  );
});

/** A memory of so many jobs, each seen in this interval. */
const taught = (count: number, afterMs: number, byMs: number): Schedule => {
  const durations = createSchedule();
  for (let job = 0; job < count; job += 1) durations.add(action, { afterMs, byMs });
  return durations;
};

test("the target is 5 % of the typical duration where that is more than a second", () => {
  const at = (targetDelayMs?: number) =>
    taught(50, 99_000, 101_000).nextPollAt(action, 0, targetDelayMs);
  expect(Math.abs(at() - at(5_000))).toBeLessThan(1_000);
  expect(at()).toBeGreaterThan(100_000);
});

test("a job of unknown action is polled evenly, like one of an action that is new", () => {
  const durations = taught(30, 19_900, 20_100);
  expect(durations.nextPollAt(action, 0)).toBeGreaterThan(15_000);
  for (const unknown of [undefined, "copy-ad"]) {
    expect(durations.nextPollAt(unknown, 600_000)).toBe(602_000);
    expect(durations.nextPollAt(unknown, 0, 300)).toBe(600);
  }
});

test("four jobs plan nothing, and behind the longest job the distance grows", () => {
  expect(taught(4, 19_800, 20_000).nextPollAt(action, 0)).toBe(2_000);
  const durations = taught(60, 19_800, 20_000);
  expect(durations.nextPollAt(action, 30_000)).toBe(32_000);
  expect(durations.nextPollAt(action, 600_000)).toBe(630_000);
});

const targetMs = 1_000;
const constant = (ms: number): Law => uniform(ms, ms);
const wide = lognormal(8_000, 0.6);
const narrow = lognormal(8_000, 0.25);

test.each(bounds.map((bound) => [bound.law.name, bound] as const))(
  "after 50 jobs, polls and delay keep their bounds: %s",
  (_, bound) => {
    const { polls, delayMs } = measure(bound, 300);
    expect(polls).toBeLessThanOrEqual(1.02 * (bound.mostPolls ?? 15));
    expect(delayMs).toBeLessThanOrEqual(1.02 * bound.mostDelayMs);
  },
);

test.each([
  ["of 0.3 s", constant(300)],
  ["of 25 minutes", constant(1_500_000)],
  ["exponential", exponential(300_000)],
  ["of two kinds", twoKinds("", constant(3_000), constant(40_000), 0.5)],
])("without any history, durations %s need no more polls than evenly", (_, law) => {
  const jobs = sharesOf(law, 100);
  const { polls, delayMs } = effortOf(waitInLives(jobs, [createSchedule()]));
  const even = jobs.map((ms) => Math.max(1, Math.ceil(ms / 2_000)));
  expect(polls).toBeCloseTo(even.reduce((sum, each) => sum + each) / jobs.length, 6);
  expect(delayMs).toBeLessThanOrEqual(2_000);
});

/** Jobs of a law, which may come after 80 others. */
type Learning = [what: string, part: number, lives: number, law: Law, jobs: number, before?: Law];

test.each<Learning>([
  ...[wide, exponential(10_000), uniform(2_000, 18_000)].flatMap((law) =>
    [1, 2, 3, 5, 10, 20].map((count): Learning => [`${count} jobs`, 1.25, 6, law, count]),
  ),
  ["300 jobs, which drift nowhere", 0.95, 1, wide, 300],
  ["60 jobs of a service that is three times slower", 1.1, 6, lognormal(24_000, 0.25), 60, narrow],
  ["42 jobs of a service that is ten times faster", 1.1, 6, lognormal(800, 0.25), 42, narrow],
  ["82 jobs of a service that is ten times faster", 1.1, 6, lognormal(800, 0.25), 82, narrow],
])("after %s, at most %d of the polls of a fixed interval are needed", (...row) => {
  const [, part, lives, law, count, before = law] = row;
  const clients = livesAfter(lives, targetMs, [before, before === law ? 0 : 80], [law, count]);
  const jobs = sharesOf(law, 300);
  const { polls, delayMs } = effortOf(waitInLives(jobs, clients, targetMs));
  expect(polls).toBeLessThan(part * fixedPollsFor(sharesOf(law, 100), delayMs));
  expect(delayMs).toBeLessThan(1_600);
});

describe.each([1, 12])("where %d of 60 jobs expired after 30 minutes", (expired) => {
  const durations = taught(60 - expired, 7_900, 8_100);
  for (let job = 0; job < expired; job += 1) {
    durations.add(action, { afterMs: 1_790_000, byMs: 1_801_000 });
  }

  test("a job that takes longer than usual is not late by more than it took", () => {
    for (const durationMs of [30_000, 100_000, 600_000]) {
      let at = 0;
      while (at < durationMs) at = durations.nextPollAt(action, at);
      expect(at - durationMs).toBeLessThanOrEqual(Math.max(30_000, durationMs));
    }
  });
});

test("a service that never finishes is polled without haste, and without end", () => {
  const [durations] = livesAfter(1, targetMs, [wide, 50]) as [Schedule];
  const gaps: number[] = [];
  for (let ms = 0, next = 0; ms < 31 * 60_000; ms = next) {
    next = durations.nextPollAt(action, ms, targetMs);
    gaps.push(next - ms);
  }
  expect(gaps.length).toBeGreaterThan(40);
  expect(gaps.length).toBeLessThan(400);
  expect(Math.max(...gaps)).toBeLessThan(120_000);
});
