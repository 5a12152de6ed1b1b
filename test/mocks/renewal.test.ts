import { describe, expect, test } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const setUp = (openedAt: string, options: MockServiceOptions = {}) => {
  const clock = createManualClock(Date.parse(openedAt));
  const credits = { image: { monthly: 10, purchased: 5 }, video: {} };
  const service = createMockService({ accounts: { "test-key": { credits } }, clock, ...options });
  const account = service.account("test-key");
  const ask = createAsk(service);
  const submit = async (variations: number) =>
    (await ask("POST", "/v1/jobs", { action: "generate-ad", variations })).status;
  const goTo = (time: string) => clock.setTime(Date.parse(time));
  const renewals = () =>
    account.ledger
      .filter(({ reason }) => reason === "renewal")
      .map(({ at, monthly, purchased }) => [new Date(at).toISOString(), monthly, purchased]);
  return { clock, service, account, submit, goTo, renewals };
};

describe("monthly credits", () => {
  test("come anew a month after the account was opened, and not a moment before", async () => {
    const { account, submit, goTo, renewals } = setUp("2026-01-15T08:30:00Z");
    await submit(7);
    goTo("2026-02-15T08:29:59.999Z");
    expect(account.credits.image).toEqual({ monthly: 3, purchased: 5 });
    goTo("2026-02-15T08:30:00Z");
    expect(account.credits.image).toEqual({ monthly: 10, purchased: 5 });
    expect(renewals()).toEqual([["2026-02-15T08:30:00.000Z", 7, 0]]);
  });

  test.each([
    ["2026-01-31T12:00:00Z", "2026-02-28T12:00:00.000Z", "2026-03-31T12:00:00.000Z"],
    ["2028-01-30T00:00:00Z", "2028-02-29T00:00:00.000Z", "2028-03-30T00:00:00.000Z"],
    ["2026-11-30T23:59:59Z", "2026-12-30T23:59:59.000Z", "2027-01-30T23:59:59.000Z"],
  ])("of an account opened at %s come at %s, then at %s", async (opened, first, second) => {
    const { submit, goTo, renewals } = setUp(opened);
    for (const time of [first, second]) {
      await submit(1);
      goTo(new Date(Date.parse(time) - 1).toISOString());
      await submit(1);
      goTo(time);
      await submit(1);
    }
    expect(renewals().map(([at]) => at)).toEqual([first, second]);
  });

  test("come once after years without a poll, and in time after that", async () => {
    const { account, submit, goTo, renewals } = setUp("2026-01-15T00:00:00Z");
    await submit(4);
    goTo("2031-07-20T00:00:00Z");
    expect(account.credits.image.monthly).toBe(10);
    expect(renewals()).toEqual([["2026-02-15T00:00:00.000Z", 4, 0]]);
    await submit(2);
    goTo("2031-08-15T00:00:00Z");
    expect(account.credits.image.monthly).toBe(10);
    expect(renewals()[1]).toEqual(["2031-08-15T00:00:00.000Z", 2, 0]);
  });

  test("come in the order of time with the refunds", async () => {
    const { account, submit, goTo } = setUp("2026-01-15T00:00:00Z", { refundFailedJobs: true });
    goTo("2026-02-14T23:50:00Z");
    await submit(3);
    goTo("2026-02-16T00:00:00Z");
    // Paid from the old month, paid back into the new one when it expires, 20 minutes after.
    expect(account.ledger.slice(-3).map(({ reason, monthly }) => [reason, monthly])).toEqual([
      ["charge", -3],
      ["renewal", 3],
      ["refund", 3],
    ]);
    expect(account.credits.image).toEqual({ monthly: 13, purchased: 5 });
    goTo("2026-03-15T00:00:00Z");
    expect(account.credits.image).toEqual({ monthly: 10, purchased: 5 });
  });

  test("do not come beyond the last date", () => {
    const { account, clock } = setUp("2026-01-15T00:00:00Z");
    clock.setTime(8.64e15);
    expect(account.credits.image.monthly).toBe(10);
  });
});
