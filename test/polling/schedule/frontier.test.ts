import { createLearnedDurations, type LearnedDurations } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { waitBySchedule } from "../../../bench/polling/contenders.ts";
import { effortOf, fixedPollsFor } from "../../../bench/polling/effort.ts";
import {
  drawFreely,
  exponential,
  type Law,
  lognormal,
  sharesOf,
  twoKinds,
  uniform,
} from "../../../bench/polling/laws.ts";
import { createRandom } from "../../../bench/polling/random.ts";
import { learned, simulateLearning } from "../../../bench/polling/schedules.ts";

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

  test.each([
    ["two kinds of jobs", halves, 0.5],
    ["a fifth of slow jobs", slowFifth, 0.75],
  ])("after 50 jobs, %s need far fewer polls than a fixed interval", (_, law, part) => {
    const { polls, fixedPolls } = effortOn(law, livesAfter(8, [law, 50]));
    expect(polls).toBeLessThan(part * fixedPolls);
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

test.each([1, 2, 3, 5, 10, 20])(
  "after %i jobs, no law needs a quarter more polls than a fixed interval",
  (count) => {
    for (const law of [wide, exponential(10_000), uniform(2_000, 18_000)]) {
      const { polls, fixedPolls } = effortOn(law, livesAfter(6, [law, count]));
      expect(polls).toBeLessThan(1.25 * fixedPolls);
    }
  },
);

describe("a changed service", () => {
  test.each([
    ["three times slower", lognormal(24_000, 0.25), 60],
    ["ten times faster", lognormal(800, 0.25), 42],
    ["ten times faster", lognormal(800, 0.25), 82],
  ])("that is %s is learned again", (_, law, jobs) => {
    const { polls, delayMs, fixedPolls } = effortOn(law, livesAfter(6, [narrow, 80], [law, jobs]));
    expect(delayMs).toBeLessThan(1_600);
    expect(polls).toBeLessThan(1.1 * fixedPolls);
  });

  test("that never finishes is polled without haste, and without end", () => {
    const [durations] = livesAfter(1, [wide, 50]) as [LearnedDurations];
    const next = learned(durations, targetMs);
    const gaps: number[] = [];
    for (let ms = 0; ms < 31 * 60_000; ms = next(ms, 0)) gaps.push(next(ms, 0) - ms);
    expect(gaps.length).toBeGreaterThan(40);
    expect(gaps.length).toBeLessThan(400);
    expect(Math.max(...gaps)).toBeLessThan(120_000);
  });
});
