import { createLearnedDurations } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { createLookTimes, type LookedAt } from "../../src/bullmq/look-times.ts";
import { makeError } from "../../src/errors/make-error.ts";

const day = 86_400_000;

/** Without durations, looks are planned every two seconds, with a spread of a fifth of a second. */
const times = createLookTimes(createLearnedDurations(), undefined);

const nextAfter = (look: Partial<LookedAt>): number =>
  times.next({
    action: "generate-ad",
    waitedMs: 1_000,
    status: "queued",
    polls: 1,
    retryAfterMs: undefined,
    leftMs: 600_000,
    ...look,
  });

describe("the time of the next look", () => {
  test("is spread, so that many workers do not look at the same moment", () => {
    const waits = Array.from({ length: 50 }, () => nextAfter({}));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_800);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_200);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(100);
  });

  test("follows the service's wait, and the plan after 20 looks that were asked for at once", () => {
    expect(nextAfter({ retryAfterMs: 0, polls: 20 })).toBe(0);
    expect(nextAfter({ retryAfterMs: 0, polls: 21 })).toBeGreaterThanOrEqual(1_800);
    expect(nextAfter({ retryAfterMs: 30_000, polls: 21 })).toBe(30_000);
    expect(nextAfter({ retryAfterMs: day })).toBeLessThanOrEqual(2_200);
  });

  test("beside an unknown status comes within a minute, or a quarter of the time that is left", () => {
    const status = "mystery";
    expect(nextAfter({ status, retryAfterMs: 0 })).toBeGreaterThanOrEqual(1_800);
    expect(nextAfter({ status, retryAfterMs: 90_000 })).toBe(90_000);
    expect(nextAfter({ status, retryAfterMs: day })).toBe(60_000);
    expect(nextAfter({ status, retryAfterMs: day, leftMs: 40_000 })).toBe(10_000);
  });

  test("after a failure comes within a quarter of the time that is left", () => {
    const failure = makeError("server_error", "503", { status: 503, retryAfterMs: day });
    expect(times.afterFailure(failure, 1, 600_000)).toBe(60_000);
    expect(times.afterFailure(failure, 1, 40_000)).toBe(10_000);
    const silent = makeError("server_error", "503", { status: 503 });
    expect(times.afterFailure(silent, 1, 40_000)).toBeLessThanOrEqual(1_200);
    expect(times.afterFailure(silent, 8, 40_000)).toBeGreaterThanOrEqual(8_000);
  });

  test("after a submission follows the wait of its answer", () => {
    const record = { state: "known", action: "generate-ad", digest: "" } as const;
    const facts = { ...record, openElsewhere: 0, isComplete: false };
    expect(times.first(facts)).toBe(0);
    const submittedAt = Date.now() - 1_000;
    const asked = times.first({ ...facts, submittedAt, retryAfterMs: 5_000 });
    expect(asked).toBeLessThanOrEqual(4_000);
    expect(asked).toBeGreaterThan(3_000);
    expect(times.first({ ...facts, submittedAt, retryAfterMs: day })).toBeLessThanOrEqual(2_200);
  });
});
