import { describe, expect, test } from "vitest";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const at = Date.UTC(2026, 0, 1);

const setUp = (image: { monthly: number; purchased: number }) => {
  const service = createMockService({
    accounts: { "test-key": { credits: { image } } },
    clock: createManualClock(at),
  });
  const account = service.account("test-key");
  const sums = () => {
    const sum = { image: { monthly: 0, purchased: 0 }, video: { monthly: 0, purchased: 0 } };
    for (const entry of account.ledger) {
      sum[entry.credit].monthly += entry.monthly;
      sum[entry.credit].purchased += entry.purchased;
    }
    return sum;
  };
  return { service, account, sums, ask: createAsk(service) };
};

const images = (variations: number) => ({ action: "generate-ad", variations });

describe("credits", () => {
  test("start as 100 monthly ones of each kind, written as grants", () => {
    const account = createMockService({ clock: createManualClock(at) }).account("test-key");
    expect(account.credits).toEqual({
      image: { monthly: 100, purchased: 0 },
      video: { monthly: 100, purchased: 0 },
    });
    expect(account.ledger).toEqual([
      { at, credit: "image", monthly: 100, purchased: 0, reason: "grant" },
      { at, credit: "video", monthly: 100, purchased: 0, reason: "grant" },
    ]);
  });

  test("pay one for each variation, from the month first and then from those bought", async () => {
    const { account, sums, ask } = setUp({ monthly: 3, purchased: 5 });
    const { data } = await ask("POST", "/v1/jobs", images(4));
    expect(account.credits.image).toEqual({ monthly: 0, purchased: 4 });
    expect(account.ledger.at(-1)).toEqual({
      at,
      credit: "image",
      monthly: -3,
      purchased: -1,
      reason: "charge",
      jobId: data.job_id,
    });
    expect(sums()).toEqual(account.credits);
  });

  test("a refused job uses up no id", async () => {
    const rich = setUp({ monthly: 1, purchased: 0 });
    const refused = setUp({ monthly: 1, purchased: 0 });
    await refused.ask("POST", "/v1/jobs", images(2));
    const first = await rich.ask("POST", "/v1/jobs", images(1));
    const second = await refused.ask("POST", "/v1/jobs", images(1));
    expect(second.data.job_id).toBe(first.data.job_id);
  });

  test("for 7 jobs pay for exactly 7 of 50 that are submitted at once", async () => {
    const { account, sums, ask } = setUp({ monthly: 4, purchased: 3 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask("POST", "/v1/jobs", images(1))),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(43);
    expect(account.credits.image).toEqual({ monthly: 0, purchased: 0 });
    expect(account.ledger.filter(({ reason }) => reason === "charge")).toHaveLength(7);
    expect(sums()).toEqual(account.credits);
  });

  test.each([
    ["video-a-2", {}, 5],
    ["video-a-2", { duration: 8 }, 8],
    ["video-a-2-pro", { duration: 8 }, 16],
    ["video-b-3-0", { duration: 2.5 }, 8],
    ["video-b-3-0", { duration: 2, variations: 2 }, 12],
  ])("of video pay %s with %j by model and seconds: %i", async (action, parameters, price) => {
    const { account, sums, ask } = setUp({ monthly: 0, purchased: 0 });
    await ask("POST", "/v1/jobs", { action, ...parameters });
    expect(account.credits.video).toEqual({ monthly: 100 - price, purchased: 0 });
    expect(account.ledger.at(-1)).toMatchObject({ credit: "video", monthly: -price });
    expect(sums()).toEqual(account.credits);
  });

  test("of video follow the prices that the options set", async () => {
    const service = createMockService({ videoPrices: { "video-a-2": 1.1, "video-a-2-pro": 0 } });
    const ask = createAsk(service);
    await ask("POST", "/v1/jobs", { action: "video-a-2", duration: 50 });
    expect(service.account("test-key").credits.video.monthly).toBe(45);
    await ask("POST", "/v1/jobs", { action: "video-a-2-pro", duration: 50 });
    expect(service.account("test-key").credits.video.monthly).toBe(45);
    expect(service.account("test-key").ledger).toHaveLength(3);
    await ask("POST", "/v1/jobs", { action: "video-b-3-0", duration: 1 });
    expect(service.account("test-key").credits.video.monthly).toBe(42);
  });

  test("cannot be granted or set in parts or in negative", () => {
    const { account } = setUp({ monthly: 0, purchased: 0 });
    const before = account.ledger;
    for (const change of [account.grant, account.setCredits]) {
      for (const monthly of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        const message = `must be a whole number, zero or more; it is ${monthly}`;
        expect(() => change("image", { monthly })).toThrow(message);
        expect(() => change("image", { monthly })).toThrow(RangeError);
      }
      expect(() => change("images" as "image", { monthly: 1 })).toThrow(
        'The mock\'s credit must be one of image, video; it is "images"',
      );
    }
    expect(account.ledger).toEqual(before);
  });

  test("cannot be changed through the account's view", () => {
    const { account } = setUp({ monthly: 3, purchased: 0 });
    const shown = account.credits as { image: { monthly: number } };
    shown.image.monthly = 1000;
    (account.ledger as unknown[]).length = 0;
    expect(account.credits.image.monthly).toBe(3);
    expect(account.ledger).toHaveLength(2);
    expect(Object.isFrozen(account.ledger[0])).toBe(true);
  });
});
