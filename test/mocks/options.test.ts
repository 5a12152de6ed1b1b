import { describe, expect, test } from "vitest";
import {
  createMockService,
  type MockAccountOptions,
  type MockServiceOptions,
  type Timeline,
} from "../../mocks/index.ts";
import type { Action } from "../../src/contract/actions.ts";
import { createAsk } from "./ask.ts";
import { setUp } from "./set-up.ts";

const account = (given: unknown) => ({ accounts: { "test-a": given } });
const credits = (image: unknown) => account({ credits: { image } });
const [ofAccount, ofCredits] = ['accounts["test-a"]', 'accounts["test-a"].credits'];

const timed = (processingMs: unknown, queuedMs: unknown = 0) => ({
  timeline: { queuedMs, processingMs },
});
const rest = { queuedMs: 1, processingMs: 1 };

test.each([
  [null, "options must be "],
  [{ acounts: {} }, 'options have no field "acounts"; did you mean accounts?'],
  [{ accounts: { "a b": {} } }, 'accounts["a b"] must be '],
  [account(5), `${ofAccount} must be `],
  [account({ credit: {} }), `${ofAccount} has no field "credit"`],
  [credits({ month: 5 }), `${ofCredits}.image has no field "month"; it has monthly`],
  [credits({ monthly: -1 }), `${ofCredits}.image.monthly must be `],
  [credits({ purchased: "5" }), `${ofCredits}.image.purchased must be `],
  [{ apiKeyPrefix: "sk" }, "apiKeyPrefix must be "],
  [{ apiKeyPrefix: "live-", ...account({}) }, `${ofAccount} must be `],
  [{ baseUrl: "/api" }, "baseUrl must be "],
  [{ baseUrl: "https://ads.test?a=1" }, "baseUrl must be "],
  [{ baseUrl: "https://me@ads.test" }, "baseUrl must be "],
  [{ seed: {} }, "seed must be "],
  [{ clock: {} }, "clock must be "],
  [{ timeline: "fast" }, "timeline must be "],
  [timed(Number.NaN), "timeline.processingMs must be "],
  [{ timeline: { queuedMS: 5 } }, 'timeline has no field "queuedMS"; did you mean queuedMs?'],
  [{ timeline: { queuedMs: -1 } }, "timeline.queuedMs must be "],
  [timed(0, { min: 5, max: 1 }), "timeline.queuedMs must be in order"],
  [{ timeline: { "video-z": rest } }, 'timeline has no field "video-z"; it has default, copy-ad, '],
  [
    { timeline: { ...rest, "copy-ad": rest } },
    'timeline has no field "copy-ad"; it has queuedMs, ',
  ],
  [{ timeline: { "copy-ad": "slow" } }, 'timeline["copy-ad"] must be "per-poll", or '],
  [{ timeline: { default: { queuedMs: 1 } } }, 'timeline.default must be "per-poll", or '],
  [{ videoPrices: { "video-c": 1 } }, 'videoPrices have no field "video-c"; they have video-a-2'],
  [{ videoPrices: { "video-a-2": -1 } }, 'videoPrices["video-a-2"] must be '],
  [{ pageKey: "" }, "pageKey must be an API key, of printable characters"],
  [{ strict: 1 }, "strict must be true or false"],
  [{ refundFailedJobs: "yes" }, "refundFailedJobs must be "],
  [{ expiry: "gone" }, "expiry must be "],
])("createMockService refuses %j, and names the option", (options, message) => {
  expect(() => createMockService(options as MockServiceOptions)).toThrow(`The mock's ${message}`);
  expect(() => createMockService(options as MockServiceOptions)).toThrow(TypeError);
});

/** Returns the milliseconds that each of some jobs takes, shortest first. */
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
  test("a timeline draws a time between two limits for each job, by the seed", async () => {
    const timeline = { queuedMs: 0, processingMs: { min: 1_000, max: 3_000 } };
    const times = await durations(timeline, 60);
    expect(times).toHaveLength(60);
    expect(times[0]).toBeGreaterThanOrEqual(1_000);
    expect(times.at(-1)).toBeLessThanOrEqual(3_000);
    expect(new Set(times).size).toBeGreaterThan(20);
    expect(times[30]).toBeGreaterThan(1_500);
    expect(times[30]).toBeLessThan(2_500);
    expect(await durations(timeline, 60)).toEqual(times);
    expect(await durations(timeline, 60, "generate-ad-copy", "other")).not.toEqual(times);
  });

  test("a timeline can differ by action; the others take its default, or follow polls", async () => {
    const copy = { "generate-ad-copy": { queuedMs: 0, processingMs: 100 } };
    const timeline = { ...copy, default: { queuedMs: 100, processingMs: 1_900 } };
    expect(await durations(timeline, 1)).toEqual([100]);
    expect(await durations(timeline, 1, "copy-ad")).toEqual([2_000]);
    const { submit, finish } = setUp({ timeline: copy });
    expect((await finish(await submit())).status).toBe("completed");
  });
});

const seeded: MockAccountOptions = {
  credits: { image: { monthly: 3 } },
  brands: [
    { id: "brand_acme", name: "Acme", colors: ["#123456"], look: { tone: "dry" } },
    { name: "No id" },
  ],
  savedAds: [{ id: "ad_1", brand_id: "brand_acme", headline: "Now" }],
  jobs: [
    {
      id: "job_hero",
      action: "generate-ad",
      prompt: "Hero",
      variations: 2,
      brand_id: "brand_acme",
    },
    { id: "job_bad", action: "video-a-2", fail: "moderation" },
    { action: "generate-ad-copy", result: { copy: [] } },
  ],
};

const open = (options: object = {}) => {
  const made = setUp({ accounts: { "test-key": seeded, "test-b": {} }, ...options });
  const get = async (path: string) => (await made.ask("GET", path)).data;
  return { ...made, get };
};

describe("what an account has from its beginning", () => {
  test("the brands, ads and jobs of the options are found by their ids, and cost nothing", async () => {
    const { account, get, poll } = open();
    const { brands } = await get("/v1/brands");
    expect(brands).toMatchObject([{ name: "No id" }, { id: "brand_acme", look: { tone: "dry" } }]);
    expect((await get("/v1/brands/brand_acme/ads")).ads).toMatchObject([{ headline: "Now" }]);
    const { data } = await poll("job_hero");
    expect(data).toMatchObject({ status: "completed", action: "generate-ad" });
    expect(data.result.images).toHaveLength(2);
    expect((await poll("job_bad")).data).toMatchObject({ status: "failed", error: "moderation" });
    expect((await get("/v1/jobs")).jobs[0]).toMatchObject({ result: { copy: [] } });
    expect(account.credits.image).toEqual({ monthly: 3, purchased: 0 });
    expect([account.charges, account.jobs.count]).toEqual([[], 3]);
  });

  test("two accounts can't start with jobs of the same id", () => {
    const jobs = [{ id: "job_hero", action: "generate-ad" }] as const;
    const message = 'account "test-b" must have jobs with ids of its own; "job_hero" is taken';
    expect(() => open({ accounts: { "test-key": { jobs }, "test-b": { jobs } } })).toThrow(message);
    expect(() => open().service.addAccount("test-c", { jobs })).toThrow('account "test-c" must');
  });

  test("no new brand or job takes an id that the options gave", async () => {
    const { ask, submit, service } = open();
    await submit({ brand_id: "brand_acme" });
    await ask("POST", "/v1/brands", { name: "One more" });
    const { brands, jobs } = service.account("test-key");
    expect(new Set(brands.map(({ id }) => id)).size).toBe(3);
    expect(new Set(jobs.all.map(({ job_id }) => job_id)).size).toBe(4);
  });

  test("a reset restores what the options gave, also in an added account", async () => {
    const { service, ask } = open();
    for (const again of [() => service.account("test-key").reset(), () => service.reset()]) {
      await ask("DELETE", "/v1/brands/brand_acme");
      again();
      expect(service.account("test-key").brands.at(-1)).toMatchObject({ id: "brand_acme" });
    }
    service.addAccount("test-late", { brands: [{ id: "late", name: "Late" }] });
    await createAsk(service, "test-late")("DELETE", "/v1/brands/late");
    service.account("test-late").reset();
    expect(service.account("test-late").brands).toMatchObject([{ id: "late" }]);
  });

  const brand = { id: "a", name: "Acme" };
  test.each([
    [{ brands: [{ id: "a" }] }, "brands[0].name must be text, got undefined"],
    [{ brands: [{ id: "a/b", name: "x" }] }, "brands[0].id must be 1 to 200 letters, digits and"],
    [{ jobs: [{ action: "edit" }] }, "jobs[0].action must be one of copy-ad, "],
    [{ jobs: [{ action: "edit-ad", status: "queued" }] }, 'jobs[0] has no field "status"; it has'],
    [{ jobs: [{ action: "edit-ad", variations: "2" }] }, "jobs[0].variations must be a number"],
    [{ jobs: [{ action: "edit-ad", fail: "x", result: 1 }] }, "jobs[0] must be a failure or a"],
    [{ brands: [brand, brand] }, "brands must be a list in which no id comes twice"],
    [{ savedAds: [{ brand_id: "b" }] }, "savedAds[0]: Brand not found"],
    [{ jobs: [{ action: "edit-ad", variations: 11 }] }, "jobs[0]: Invalid parameter variations"],
  ])("an account can't start with %o, and the message names the place", (options, message) => {
    const make = () => createMockService({ accounts: { "test-key": options as never } });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`accounts["test-key"].${message}`);
  });
});
