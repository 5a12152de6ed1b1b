import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backOff, nextWaitMs } from "../../src/polling/schedule/pace.ts";

interface Input {
  readonly intervalMs: number;
  readonly maxIntervalMs: number;
  readonly polls: number;
  readonly retryAfterMs: number | undefined;
  readonly isUnfinished: boolean;
  readonly isRateLimited: boolean;
  readonly leftMs: number;
}

const usual: Input = {
  intervalMs: 1_000,
  maxIntervalMs: 10_000,
  polls: 1,
  retryAfterMs: undefined,
  isUnfinished: true,
  isRateLimited: false,
  leftMs: 31 * 60_000,
};

const waitOf = (input: Input, random?: () => number): number =>
  nextWaitMs(backOff(input, input.polls, random), input);

const failed: Input = { ...usual, isUnfinished: false };

const middle = () => 0.5;

describe("the interval", () => {
  test("grows by half from its start to its maximum", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((polls) => waitOf({ ...usual, polls }, middle));
    expect(waits).toEqual([1_000, 1_500, 2_250, 3_375, 5_062.5, 7_593.75, 10_000, 10_000]);
  });

  test("is spread by a fifth to both sides, at its maximum too", () => {
    expect(waitOf(usual, () => 0)).toBeCloseTo(800);
    expect(waitOf(usual, () => 1)).toBeCloseTo(1_200);
    expect(waitOf({ ...usual, polls: 20 }, () => 0)).toBeCloseTo(8_000);
    expect(waitOf({ ...usual, polls: 20 }, () => 1)).toBeCloseTo(12_000);
  });

  test("takes a new random number each time", () => {
    const waits = new Set(Array.from({ length: 20 }, () => waitOf(usual)));
    expect(waits.size).toBeGreaterThan(10);
  });

  test("is the maximum at once where it starts beyond it", () => {
    expect(waitOf({ ...usual, intervalMs: 5_000, maxIntervalMs: 2_000 }, middle)).toBe(2_000);
  });

  test("of zero grows too, so that it does not ask without end", () => {
    const waits = [1, 5, 10, 5_000].map((polls) =>
      waitOf({ ...usual, polls, intervalMs: 0 }, middle),
    );
    expect(waits[0]).toBeLessThanOrEqual(1);
    expect(waits[2]).toBeGreaterThan(30);
    expect(waits[3]).toBe(10_000);
  });
});

describe("Retry-After", () => {
  test("beside an unfinished job takes the interval's place, shorter or longer", () => {
    expect(waitOf({ ...usual, retryAfterMs: 0 })).toBe(0);
    expect(waitOf({ ...usual, retryAfterMs: 300, polls: 9 })).toBe(300);
    expect(waitOf({ ...usual, retryAfterMs: 60_000 })).toBe(60_000);
  });

  test("beside an unfinished job is taken for a mistake beyond a minute", () => {
    expect(waitOf({ ...usual, retryAfterMs: 60_001 }, middle)).toBe(1_000);
    expect(waitOf({ ...usual, retryAfterMs: Number.MAX_SAFE_INTEGER }, middle)).toBe(1_000);
  });

  test("after a failure lengthens the wait, and never shortens it", () => {
    expect(waitOf({ ...failed, retryAfterMs: 0 }, middle)).toBe(1_000);
    expect(waitOf({ ...failed, retryAfterMs: 999 }, middle)).toBe(1_000);
    expect(waitOf({ ...failed, retryAfterMs: 600_000 }, middle)).toBe(600_000);
    const longest = { ...failed, retryAfterMs: 3_600_000, leftMs: 3_600_001 };
    expect(waitOf(longest, middle)).toBe(3_600_000);
  });

  test.each([
    [1_860_000, 60_000],
    [240_000, 60_000],
    [100_000, 25_000],
    [4_000, 1_000],
    [400, 1_000],
  ])("after a failure that leads past a deadline in %i ms gives way to %i ms", (leftMs, waitMs) => {
    expect(waitOf({ ...failed, retryAfterMs: 3_600_000, leftMs }, middle)).toBe(waitMs);
    expect(waitOf({ ...failed, retryAfterMs: 1_860_000, leftMs }, middle)).toBe(waitMs);
  });

  test("of a rate limit counts, wherever it leads", () => {
    const limited = { ...failed, isRateLimited: true, leftMs: 4_000 };
    expect(waitOf({ ...limited, retryAfterMs: 3_600_000 }, middle)).toBe(3_600_000);
    expect(waitOf({ ...limited, retryAfterMs: 0 }, middle)).toBe(1_000);
  });
});

describe("from the 21st poll on", () => {
  test.each([
    ["no interval", { intervalMs: 0, maxIntervalMs: 0 }],
    ["an interval of seconds that was meant as milliseconds", { intervalMs: 5, maxIntervalMs: 10 }],
    ["a Retry-After of zero", { retryAfterMs: 0, intervalMs: 0, maxIntervalMs: 0 }],
  ])("%s gives way to 100 ms", (_, options) => {
    for (const isUnfinished of [true, false]) {
      const early = { ...usual, ...options, isUnfinished, polls: 20 };
      expect(waitOf(early, middle)).toBeLessThan(100);
      expect(waitOf({ ...early, polls: 21 }, () => 0)).toBe(100);
      expect(waitOf({ ...early, polls: 5_000 }, () => 1)).toBe(100);
    }
  });

  test("a Retry-After of zero no longer takes the interval's place", () => {
    expect(waitOf({ ...usual, retryAfterMs: 0, polls: 20 })).toBe(0);
    expect(waitOf({ ...usual, retryAfterMs: 0, polls: 21 }, middle)).toBe(10_000);
  });
});

test("is a number from zero to the larger of both bounds for any input", () => {
  const ms = fc.integer({ min: 0, max: 2_147_483_647 });
  const arbitrary = fc.record<Input>({
    polls: fc.integer({ min: 1, max: 100_000 }),
    intervalMs: ms,
    maxIntervalMs: ms,
    retryAfterMs: fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
      nil: undefined,
    }),
    isUnfinished: fc.boolean(),
    isRateLimited: fc.boolean(),
    leftMs: fc.integer({ min: 0, max: 2_147_483_647 }),
  });
  fc.assert(
    fc.property(arbitrary, fc.double({ min: 0, max: 1, noNaN: true }), (input, random) => {
      const wait = waitOf(input, () => random);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(
        Math.max(input.maxIntervalMs * 1.2 + 1, input.retryAfterMs ?? 0, 100),
      );
      if (input.polls > 20) expect(wait).toBeGreaterThanOrEqual(100);
    }),
    { numRuns: 1_000 },
  );
});
