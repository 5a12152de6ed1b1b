import { describe, expect, test } from "vitest";
import { createMockService, type MockServiceOptions, type Timeline } from "../../mocks/index.ts";
import type { Action } from "../../src/contract/actions.ts";
import { setUp } from "./set-up.ts";

const account = (given: unknown) => ({ accounts: { "test-a": given } });
const credits = (image: unknown) => account({ credits: { image } });
const [ofAccount, ofCredits] = ['accounts["test-a"]', 'accounts["test-a"].credits'];

const timed = (processingMs: unknown, queuedMs: unknown = 0) => ({
  timeline: { queuedMs, processingMs },
});
const rest = { queuedMs: 1, processingMs: 1 };
const ofTimes = "it has queuedMs, processingMs";

describe("createMockService", () => {
  test.each([
    [null, "options must be "],
    [{ acounts: {} }, 'options have no field "acounts"; they have accounts, '],
    [{ accounts: [] }, "accounts must be "],
    [{ accounts: { "": {} } }, 'accounts[""] must be '],
    [{ accounts: { "a b": {} } }, 'accounts["a b"] must be '],
    [account(5), `${ofAccount} must be `],
    [account({ credit: {} }), `${ofAccount} has no field "credit"`],
    [
      account({ credits: { images: {} } }),
      `${ofCredits} have no field "images"; they have image, video`,
    ],
    [credits(5), `${ofCredits}.image must be `],
    [credits({ month: 5 }), `${ofCredits}.image has no field "month"; it has monthly`],
    [credits({ monthly: -1 }), `${ofCredits}.image.monthly must be `],
    [credits({ purchased: 1.5 }), `${ofCredits}.image.purchased must be `],
    [credits({ purchased: "5" }), `${ofCredits}.image.purchased must be `],
    [{ apiKeyPrefix: "sk" }, "apiKeyPrefix must be "],
    [{ apiKeyPrefix: 5 }, "apiKeyPrefix must be "],
    [{ apiKeyPrefix: "live-", ...account({}) }, `${ofAccount} must be `],
    [{ baseUrl: "" }, "baseUrl must be "],
    [{ baseUrl: "/api" }, "baseUrl must be "],
    [{ baseUrl: "ftp://ads.test" }, "baseUrl must be "],
    [{ baseUrl: "https://ads.test?a=1" }, "baseUrl must be "],
    [{ baseUrl: "https://me@ads.test" }, "baseUrl must be "],
    [{ seed: {} }, "seed must be "],
    [{ clock: {} }, "clock must be "],
    [{ clock: null }, "clock must be "],
    [{ timeline: "fast" }, "timeline must be "],
    [timed(Number.NaN), "timeline.processingMs must be "],
    [timed("5"), "timeline.processingMs must be "],
    [{ timeline: { queuedMs: -1 } }, "timeline.queuedMs must be "],
    [timed(0, { min: 5, max: 1 }), "timeline.queuedMs must be in order"],
    [timed(0, { min: 5 }), "timeline.queuedMs.max must be "],
    [timed({ median: 5, p95: 1 }), "timeline.processingMs must be in order"],
    [timed({ median: 5, p99: 6 }), 'timeline.processingMs has no field "p99"; it has median, p95'],
    [timed({ min: 0, max: Number.POSITIVE_INFINITY }), "timeline.processingMs.max must be "],
    [
      { timeline: { "video-z": rest } },
      'timeline has no field "video-z"; it has default, copy-ad, ',
    ],
    [{ timeline: { ...rest, "copy-ad": rest } }, `timeline has no field "copy-ad"; ${ofTimes}`],
    [{ timeline: { "copy-ad": "slow" } }, 'timeline["copy-ad"] must be "per-poll", or '],
    [{ timeline: { default: { queuedMs: 1 } } }, "timeline.default.processingMs must be "],
    [
      { timeline: { default: { ...rest, p95: 1 } } },
      `timeline.default has no field "p95"; ${ofTimes}`,
    ],
    [{ videoPrices: { "video-c": 1 } }, 'videoPrices have no field "video-c"; they have video-a-2'],
    [{ videoPrices: { "video-a-2": -1 } }, 'videoPrices["video-a-2"] must be '],
    [{ videoPrices: { "video-a-2": Number.NaN } }, 'videoPrices["video-a-2"] must be '],
    [{ pageKey: "" }, "pageKey must be an API key, of printable characters"],
    [{ pageKey: null }, "pageKey must be "],
    [{ strict: 1 }, "strict must be true or false"],
    [{ refundFailedJobs: "yes" }, "refundFailedJobs must be "],
    [{ expiry: "gone" }, "expiry must be "],
  ])("refuses %j by the option's name", (options, message) => {
    expect(() => createMockService(options as MockServiceOptions)).toThrow(`The mock's ${message}`);
    expect(() => createMockService(options as MockServiceOptions)).toThrow(TypeError);
  });

  test("takes a timeline of no action", () => {
    expect(() => createMockService({ timeline: {} })).not.toThrow();
  });
});

/** Gives the milliseconds that each of some jobs takes, the shortest first. */
const durations = async (
  timeline: Timeline,
  count: number,
  action: Action = "generate-ad-copy",
  seed = "seed",
): Promise<number[]> => {
  const { service, jobs, submit } = setUp({ timeline, seed });
  for (let made = 0; made < count; made += 1) await submit({ action });
  service.clock.advance(20_000);
  const times = jobs.all.map(({ job_id }) => {
    const { submittedAt, finishedAt = Number.NaN } = jobs.inspect(job_id) ?? {};
    return finishedAt - (submittedAt ?? 0);
  });
  return times.sort((one, other) => one - other);
};

describe("a timeline", () => {
  test("can draw a time between two limits for each job", async () => {
    const timeline = { queuedMs: 0, processingMs: { min: 1_000, max: 3_000 } };
    const times = await durations(timeline, 60);
    expect(times).toHaveLength(60);
    expect(times[0]).toBeGreaterThanOrEqual(1_000);
    expect(times.at(-1)).toBeLessThanOrEqual(3_000);
    expect(new Set(times).size).toBeGreaterThan(20);
    expect(times[30]).toBeGreaterThan(1_500);
    expect(times[30]).toBeLessThan(2_500);
  });

  test("can draw times around a median, with one in twenty above p95, by the seed", async () => {
    const timeline = { queuedMs: { min: 0, max: 0 }, processingMs: { median: 1_000, p95: 4_000 } };
    const times = await durations(timeline, 200);
    const above = (limit: number) => times.filter((time) => time > limit).length;
    expect(above(1_000)).toBeGreaterThan(75);
    expect(above(1_000)).toBeLessThan(125);
    expect(above(4_000)).toBeGreaterThan(1);
    expect(above(4_000)).toBeLessThan(25);
    expect(await durations(timeline, 200)).toEqual(times);
    expect(await durations(timeline, 200, "generate-ad-copy", "other")).not.toEqual(times);
  });

  test("can differ by action, with a default for the others, or polls", async () => {
    const copy = { "generate-ad-copy": { queuedMs: 0, processingMs: 100 } };
    const timeline = { ...copy, default: { queuedMs: 100, processingMs: 1_900 } };
    expect(await durations(timeline, 1)).toEqual([100]);
    expect(await durations(timeline, 1, "copy-ad")).toEqual([2_000]);
    const { submit, finish } = setUp({ timeline: copy });
    expect((await finish(await submit())).status).toBe("completed");
  });
});
