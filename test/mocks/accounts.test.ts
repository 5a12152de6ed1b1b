import { describe, expect, test, vi } from "vitest";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";
import { minute, setUp, start } from "./set-up.ts";

const endOfTime = 8.64e15;

test("assertCharges compares only the given fields of the charges", async () => {
  const { account, submit } = setUp();
  account.assertCharges([]);
  expect(() => account.assertCharges([{}])).toThrow("saw none");
  const jobId = await submit({ variations: 4 });
  await submit({ action: "video-a-2", duration: 5 });
  account.assertCharges([{ action: "generate-ad", amount: 4 }, { credit: "video" }]);
  account.assertCharges([{ jobId, monthly: 4, purchased: 0, refunded: false }, {}]);
  const saw = 'saw {"action":"generate-ad","credit":"image","amount":4}, {"action":"video-a-2",';
  expect(() => account.assertCharges([])).toThrow(`from number 1 on: none;\n  ${saw}`);
  expect(() => account.assertCharges([{ amount: 4 }, { amount: 5, refunded: true }])).toThrow(
    'from number 2 on: {"amount":5,"refunded":true};\n  saw {"action":"video-a-2","credit":"video","amount":5,"refunded":false}',
  );
});

test("assertCharges shows up to eight charges from the first difference on", async () => {
  const { account, submit } = setUp();
  for (let count = 0; count < 60; count += 1) await submit({ variations: 1 + (count % 2) });
  const expected = account.charges.map(({ amount }) => ({ amount }));
  account.assertCharges(expected);
  expect(() => account.assertCharges(expected.with(40, { amount: 9 }))).toThrow(
    /from number 41 on: {"amount":9},[^;]* and 12 more;\n {2}saw [^;]* and 12 more$/,
  );
  expect(() => account.assertCharges(expected.slice(0, 59))).toThrow("from number 60 on: none");
});

test("credits for 7 jobs pay for exactly 7 of 50 simultaneous submissions", async () => {
  const credits = { image: { monthly: 4, purchased: 3 } };
  const { account, post } = setUp({ accounts: { "test-key": { credits } } });
  const answers = await Promise.all(Array.from({ length: 50 }, () => post({})));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(7).fill(202), ...Array(43).fill(402)]);
  expect(account.charges).toHaveLength(7);
});

test("grant and setCredits refuse fractions, negative and huge amounts, and change nothing", () => {
  const { account } = setUp();
  const before = account.ledger;
  for (const change of [account.grant, account.setCredits]) {
    for (const monthly of [-1, 0.5, Number.POSITIVE_INFINITY]) {
      const credits = { video: { purchased: 1 }, image: { monthly } };
      const message = `must be a whole number from 0 to 1,000,000,000, got ${monthly}`;
      expect(() => change(credits)).toThrow(new RegExp(message));
    }
    const message = 'The mock\'s credits have no field "images"; did you mean image?';
    expect(() => change({ images: { monthly: 1 } } as never)).toThrow(message);
  }
  expect(account.ledger).toEqual(before);
});

test("each failed job is refunded at its own time, whatever the order of submission", async () => {
  const { service, jobs, account, submit } = setUp({ refundFailedJobs: true });
  for (const minutes of [20, 10, 25, 5]) {
    jobs.next({ fail: "moderation", takesMs: minutes * minute });
    await submit();
  }
  expect(account.credits.image.monthly).toBe(96);
  for (const monthly of [97, 98, 98, 99, 100]) {
    service.clock.advance(5 * minute);
    expect(account.credits.image.monthly).toBe(monthly);
  }
  const refunds = account.ledger.filter(({ reason }) => reason === "refund");
  expect(refunds.map(({ at }) => (at - start) / minute)).toEqual([5, 10, 20, 25]);
});

describe("the accounts of a service", () => {
  test("addAccount refuses a taken key, an impossible key and wrong credits", () => {
    const { service } = setUp();
    expect(service.account("test-b")).toBe(service.accounts[1]);
    expect(() => service.account("test-c")).toThrow('no account "test-c"; it has test-key, test-b');
    expect(() => service.addAccount("test-key")).toThrow('accounts["test-key"] must be a key that');
    expect(() => service.addAccount("a b")).toThrow('accounts["a b"] must be named by printable');
    expect(() => service.addAccount("x", { credits: { image: { monthly: -1 } } })).toThrow(
      'accounts["x"].credits.image.monthly must be a whole number',
    );
    expect(() => createMockService({ apiKeyPrefix: "sk-" }).addAccount("test-x")).toThrow('"sk-"');
  });

  test("a removed account is gone, and what was taken from it says so", async () => {
    const { service, account, submit } = setUp();
    const id = await submit();
    service.removeAccount("test-key");
    const message =
      'The mock has no account "test-key" any more, because it was removed, or a reset closed it; it has test-b';
    for (const use of [
      () => account.credits,
      () => account.jobs.all,
      () => account.assertCharges([]),
    ]) {
      expect(use).toThrow(message);
    }
    expect(service.jobs.find(id)).toBeUndefined();
  });
});

describe("a clock", () => {
  test("a clock refuses to go back, and to go beyond the last date", () => {
    const { service, account } = setUp({ clock: createManualClock(1_000) });
    for (const clock of [createManualClock(1_000), account.clock, service.clock]) {
      expect(() => clock.setTime(999)).toThrow("The clock at 1000 cannot be set to 999");
      expect(() => clock.setTime(endOfTime + 1)).toThrow(RangeError);
      expect(() => clock.advance(endOfTime)).toThrow(RangeError);
      expect(() => clock.advance("1h" as unknown as number)).toThrow(
        "cannot advance by 1h: pass milliseconds, zero or more (an hour is 3600000)",
      );
      expect(clock.now()).toBe(1_000);
      clock.advance(500);
      clock.setTime(2_000);
      expect(clock.now()).toBe(2_000);
    }
  });

  test("setting the system's clock back undoes no state of a job", async () => {
    vi.useFakeTimers({ now: minute });
    const service = createMockService({ timeline: { queuedMs: 2_500, processingMs: 4_000 } });
    const ask = createAsk(service);
    const { data } = await ask("POST", "/v1/jobs", { action: "copy-ad" });
    vi.setSystemTime(minute + 3_000);
    expect((await ask("GET", "/v1/jobs")).data.jobs[0].status).toBe("processing");
    vi.setSystemTime(0);
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).data.status).toBe("processing");
    vi.useRealTimers();
  });
});

test("a submission can spend the credits of a new month before anybody has read the balance", async () => {
  const { post, submit, clock } = setUp({
    accounts: { "test-key": { credits: { image: { monthly: 1 } } } },
  });
  await submit();
  expect((await post({})).status).toBe(402);
  clock.advance(31 * 24 * 60 * minute);
  expect((await post({})).status).toBe(202);
});

test("a refused submission takes no scheduled outcome", async () => {
  const { post, jobs, submit, finish } = setUp();
  jobs.next({ fail: "moderation" });
  expect((await post({ variations: 11 })).status).toBe(400);
  expect((await post({ action: "video-b-3-0", duration: 60 })).status).toBe(402);
  expect(jobs.scheduled).toMatchObject([{ taken: 0, remaining: 1 }]);
  expect(await finish(await submit())).toMatchObject({ status: "failed", error: "moderation" });
});

test.each([
  [{ monthly: 1, purchased: 2 }, 4, "it costs 4 image credits, and 3 are left"],
  [{ monthly: 1 }, 2, "it costs 2 image credits, and 1 is left"],
  [{}, 1, "it costs 1 image credit, and 0 are left"],
])(
  "the journal says for a 402 what the job costs, and what both pots have left: %j",
  async (image, variations, hint) => {
    const { post, journal } = setUp({ accounts: { "test-key": { credits: { image } } } });
    await post({ variations });
    expect(journal.entries[0]?.hint).toBe(hint);
  },
);
