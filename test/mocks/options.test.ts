import { describe, expect, test } from "vitest";
import { createMockService, type MockServiceOptions } from "../../mocks/index.ts";

const credits = (image: unknown) => ({ accounts: { "test-a": { credits: { image } } } });

describe("createMockService", () => {
  test.each([
    [null, "options must be "],
    [{ acounts: {} }, 'options have no field "acounts"; they have accounts, '],
    [{ accounts: [] }, "accounts must be "],
    [{ accounts: { "": {} } }, 'accounts[""] must be '],
    [{ accounts: { "a b": {} } }, 'accounts["a b"] must be '],
    [{ accounts: { "test-a": 5 } }, 'accounts["test-a"] must be '],
    [{ accounts: { "test-a": { credit: {} } } }, 'accounts["test-a"] has no field "credit"'],
    [
      { accounts: { "test-a": { credits: { images: {} } } } },
      'accounts["test-a"].credits have no field "images"; they have image, video',
    ],
    [credits(5), 'accounts["test-a"].credits.image must be '],
    [
      credits({ month: 5 }),
      'accounts["test-a"].credits.image has no field "month"; it has monthly',
    ],
    [credits({ monthly: -1 }), 'accounts["test-a"].credits.image.monthly must be '],
    [credits({ purchased: 1.5 }), 'accounts["test-a"].credits.image.purchased must be '],
    [credits({ purchased: "5" }), 'accounts["test-a"].credits.image.purchased must be '],
    [{ apiKeyPrefix: "sk" }, "apiKeyPrefix must be "],
    [{ apiKeyPrefix: 5 }, "apiKeyPrefix must be "],
    [{ apiKeyPrefix: "live-", accounts: { "test-a": {} } }, 'accounts["test-a"] must be '],
    [{ baseUrl: "" }, "baseUrl must be "],
    [{ baseUrl: "/api" }, "baseUrl must be "],
    [{ baseUrl: "ftp://ads.test" }, "baseUrl must be "],
    [{ baseUrl: "https://ads.test?a=1" }, "baseUrl must be "],
    [{ baseUrl: "https://me@ads.test" }, "baseUrl must be "],
    [{ seed: {} }, "seed must be "],
    [{ clock: {} }, "clock must be "],
    [{ clock: null }, "clock must be "],
    [{ timeline: "fast" }, "timeline must be "],
    [{ timeline: { queuedMs: 0, processingMs: Number.NaN } }, "timeline.processingMs must be "],
    [{ timeline: { queuedMs: 0, processingMs: "5" } }, "timeline.processingMs must be "],
    [
      { videoPrices: { "video-c": 1 } },
      'videoPrices have no field "video-c"; they have video-a-2, ',
    ],
    [{ videoPrices: { "video-a-2": -1 } }, 'videoPrices["video-a-2"] must be '],
    [{ videoPrices: { "video-a-2": Number.NaN } }, 'videoPrices["video-a-2"] must be '],
    [{ refundFailedJobs: "yes" }, "refundFailedJobs must be "],
    [{ expiry: "gone" }, "expiry must be "],
  ])("refuses %j by the option's name", (options, message) => {
    expect(() => createMockService(options as MockServiceOptions)).toThrow(`The mock's ${message}`);
    expect(() => createMockService(options as MockServiceOptions)).toThrow(TypeError);
  });

  test("copies its options", () => {
    const videoPrices = { "video-a-2": 1 };
    const options = { videoPrices, accounts: { "test-a": { credits: { image: { monthly: 5 } } } } };
    const service = createMockService(options);
    options.accounts["test-a"].credits.image.monthly = 1_000;
    service.reset();
    expect(service.account("test-a").credits.image.monthly).toBe(5);
  });
});
