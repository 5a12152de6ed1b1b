import { describe, expect, test } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";

const credits = (image: unknown) => ({ accounts: { "test-a": { credits: { image } } } });

describe("createMockService", () => {
  test.each([
    [null, "options"],
    [{ acounts: {} }, "options"],
    [{ accounts: [] }, "accounts"],
    [{ accounts: { "": {} } }, 'accounts[""]'],
    [{ accounts: { "a b": {} } }, 'accounts["a b"]'],
    [{ accounts: { "test-a": 5 } }, 'accounts["test-a"]'],
    [{ accounts: { "test-a": { credit: {} } } }, 'accounts["test-a"]'],
    [{ accounts: { "test-a": { credits: { images: {} } } } }, 'accounts["test-a"].credits'],
    [credits(5), 'accounts["test-a"].credits.image'],
    [credits({ month: 5 }), 'accounts["test-a"].credits.image'],
    [credits({ monthly: -1 }), 'accounts["test-a"].credits.image.monthly'],
    [credits({ purchased: 1.5 }), 'accounts["test-a"].credits.image.purchased'],
    [credits({ purchased: "5" }), 'accounts["test-a"].credits.image.purchased'],
    [{ apiKeyPrefix: "sk" }, "apiKeyPrefix"],
    [{ apiKeyPrefix: 5 }, "apiKeyPrefix"],
    [{ apiKeyPrefix: "live-", accounts: { "test-a": {} } }, 'accounts["test-a"]'],
    [{ baseUrl: "" }, "baseUrl"],
    [{ baseUrl: "/api" }, "baseUrl"],
    [{ baseUrl: "ftp://ads.test" }, "baseUrl"],
    [{ baseUrl: "https://ads.test?a=1" }, "baseUrl"],
    [{ baseUrl: "https://me@ads.test" }, "baseUrl"],
    [{ seed: {} }, "seed"],
    [{ clock: {} }, "clock"],
    [{ clock: null }, "clock"],
    [{ timeline: "fast" }, "timeline"],
    [{ timeline: { queuedMs: 1 } }, "timeline.processingMs"],
    [{ timeline: { queuedMs: -1, processingMs: 0 } }, "timeline.queuedMs"],
    [{ timeline: { queuedMs: 0, processingMs: Number.NaN } }, "timeline.processingMs"],
    [{ timeline: { queuedMs: 0, processingMs: "5" } }, "timeline.processingMs"],
    [{ videoPrices: { "video-c": 1 } }, "videoPrices"],
    [{ videoPrices: { "video-a-2": -1 } }, 'videoPrices["video-a-2"]'],
    [{ videoPrices: { "video-a-2": Number.NaN } }, 'videoPrices["video-a-2"]'],
    [{ refundFailedJobs: "yes" }, "refundFailedJobs"],
    [{ expiry: "gone" }, "expiry"],
  ])("refuses %j by the option's name", (options, name) => {
    expect(() => createMockService(options as MockServiceOptions)).toThrow(
      `The mock's ${name} must be `,
    );
    expect(() => createMockService(options as MockServiceOptions)).toThrow(TypeError);
  });

  test("fills in the missing fields of an account", () => {
    const service = createMockService({
      accounts: { "test-a": { credits: { image: { purchased: 5 } } }, "test-b": {} },
    });
    expect(service.account("test-a").credits).toEqual({
      image: { monthly: 0, purchased: 5 },
      video: { monthly: 100, purchased: 0 },
    });
    expect(service.account("test-b").credits.image.monthly).toBe(100);
  });

  test("does not notice when its options are changed afterwards", () => {
    const videoPrices = { "video-a-2": 1 };
    const options = { videoPrices, accounts: { "test-a": { credits: { image: { monthly: 5 } } } } };
    const service = createMockService(options);
    options.accounts["test-a"].credits.image.monthly = 1_000;
    service.reset();
    expect(service.account("test-a").credits.image.monthly).toBe(5);
  });
});

describe("a manual clock", () => {
  test("stands still until it is moved", () => {
    const clock = createManualClock(1_000);
    expect(clock.now()).toBe(1_000);
    clock.advance(500);
    clock.setTime(1_500);
    clock.setTime(2_000);
    expect(clock.now()).toBe(2_000);
  });

  test("never goes back, nor to where no date is", () => {
    const clock = createManualClock(1_000);
    expect(() => clock.setTime(999)).toThrow(RangeError);
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15]) {
      expect(() => clock.advance(ms)).toThrow(RangeError);
    }
    expect(() => createManualClock(Number.NaN)).toThrow(RangeError);
    expect(clock.now()).toBe(1_000);
  });
});
