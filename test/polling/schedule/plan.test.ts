import fc from "fast-check";
import { expect, test } from "vitest";
import { drawFreely, exponential } from "../../../bench/polling/laws.ts";
import { createRandom } from "../../../bench/polling/random.ts";
import { learned, simulateLearning } from "../../../bench/polling/schedules.ts";
import { createLearnedDurations } from "../../../src/polling/schedule/durations.ts";
import { estimate, nextPollAt } from "../../../src/polling/schedule/next-poll.ts";

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
