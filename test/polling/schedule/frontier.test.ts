import { describe, expect, test } from "vitest";
import {
  average,
  constant,
  createWaits,
  draw,
  exponential,
  fixedPolls,
  type Law,
  lognormal,
  meanOf,
  mixed,
  uniform,
} from "./virtual-waits.ts";

const laws: Record<string, Law> = {
  "of 0.3 s": constant(300),
  "of 25 minutes": constant(1_500_000),
  "from 2 to 18 s": uniform(2_000, 18_000),
  exponential: exponential(10_000),
  "exponential, long": exponential(300_000),
  lognormal: lognormal(8_000, 0.6),
  "of two kinds": mixed(0.5, constant(3_000), constant(40_000)),
};

describe("after 50 jobs, at a mean delay of a second", () => {
  test.each([
    [0.6, 4.7],
    [0.25, 2.4],
  ])("lognormal durations with sigma %d need at most %d polls", (sigma, most) => {
    const { polls, delayMs } = average(lognormal(8_000, sigma), 50, 1_000, 10);
    expect(delayMs).toBeGreaterThan(850);
    expect(delayMs).toBeLessThan(1_060);
    expect(polls).toBeLessThanOrEqual(most);
  });

  test("durations that hardly vary need at most 1.6 polls", () => {
    const law = uniform(19_600, 20_400);
    const { polls, delayMs } = average(law, 50, 1_000, 10);
    expect(delayMs).toBeLessThan(1_060);
    expect(polls).toBeLessThanOrEqual(1.6);
  });

  test("two kinds of jobs need at most half of a fixed interval's polls", () => {
    const law = laws["of two kinds"] as Law;
    const { polls, delayMs } = average(law, 50, 1_000, 8);
    expect(polls).toBeLessThan(0.5 * fixedPolls(draw(law, 300, 9), delayMs));
  });

  test("a fifth of slow jobs costs fewer polls than a fixed interval", () => {
    const law = mixed(0.8, lognormal(8_000, 0.3), lognormal(80_000, 0.3));
    const { polls, delayMs } = average(law, 50, 1_000);
    expect(polls).toBeLessThan(0.75 * fixedPolls(draw(law, 300, 9), delayMs));
  });
});

describe("without any history", () => {
  test.each(Object.entries(laws))("durations %s need no more polls than evenly", (_, law) => {
    const jobs = draw(law, 100, 3);
    const even = jobs.map((ms) => Math.max(1, Math.ceil(ms / 2_000)));
    const { polls, delayMs } = createWaits().measure(jobs);
    expect(polls).toBeCloseTo(even.reduce((sum, each) => sum + each) / jobs.length, 6);
    expect(delayMs).toBeLessThanOrEqual(2_000);
  });
});

describe("after a few jobs", () => {
  test.each([1, 2, 3, 5, 10, 20])(
    "(%d) no law needs a quarter more polls than a fixed interval",
    (count) => {
      for (const law of [laws["lognormal"], laws["exponential"], laws["from 2 to 18 s"]] as Law[]) {
        const { polls, delayMs } = average(law, count, 1_000, 8);
        expect(polls).toBeLessThan(1.25 * fixedPolls(draw(law, 300, 9), delayMs));
      }
    },
  );
});

describe("a changed service", () => {
  test.each([
    ["three times slower", 24_000, 60],
    ["ten times faster", 800, 42],
    ["ten times faster", 800, 82],
  ])("that is %s is learned again", (_, medianMs, jobs) => {
    const law = lognormal(medianMs, 0.25);
    const { polls, delayMs } = meanOf(
      Array.from({ length: 8 }, (_, seed) => {
        const waits = createWaits(1_000);
        waits.learn(draw(lognormal(8_000, 0.25), 80, seed + 1));
        waits.learn(draw(law, jobs, seed + 51));
        return waits.measure(draw(law, 300, seed + 101));
      }),
    );
    expect(delayMs).toBeLessThan(1_600);
    expect(polls).toBeLessThan(1.1 * fixedPolls(draw(law, 300, 9), delayMs));
  });

  test("that never finishes is polled without haste, and without end", () => {
    const waits = createWaits(1_000);
    waits.learn(draw(lognormal(8_000, 0.6), 50, 1));
    const gaps: number[] = [];
    for (let ms = 0; ms < 31 * 60_000; ms = waits.next(ms)) gaps.push(waits.next(ms) - ms);
    expect(gaps.length).toBeGreaterThan(40);
    expect(gaps.length).toBeLessThan(400);
    expect(Math.max(...gaps)).toBeLessThan(120_000);
  });
});

test("hundreds of jobs that learn from their own polls do not drift", () => {
  const waits = createWaits(1_000);
  const law = lognormal(8_000, 0.6);
  waits.learn(draw(law, 300, 1));
  const { polls, delayMs } = waits.measure(draw(law, 1_000, 7));
  expect(delayMs).toBeGreaterThan(850);
  expect(delayMs).toBeLessThan(1_100);
  expect(polls).toBeLessThan(4.8);
});
