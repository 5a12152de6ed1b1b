import { describe, expect, test } from "vitest";
import type { MockServiceOptions } from "../../mocks/index.ts";
import { minute, setUp, start } from "./set-up.ts";

/* One named example for each rule of the document and of the guides. */

const day = 24 * 60 * minute;

/** Sets up an account with these image credits, and these monthly video credits. */
const paidBy = (
  monthly: number,
  purchased: number,
  video = 100,
  options: MockServiceOptions = {},
) =>
  setUp({
    accounts: {
      "test-key": { credits: { image: { monthly, purchased }, video: { monthly: video } } },
      "test-b": {},
    },
    ...options,
  });

describe("the mock's credits", () => {
  test("monthly credits are spent before purchased ones", async () => {
    const { account, submit } = paidBy(3, 2);
    await submit({ variations: 4 });
    expect(account.credits.image).toEqual({ monthly: 0, purchased: 1 });
    expect(account.ledger.at(-1)).toMatchObject({ monthly: -3, purchased: -1, reason: "charge" });
  });

  test("each variation of a picture costs one image credit, and one is the default", async () => {
    const { account, submit } = setUp();
    await submit({ action: "image-a-pro", variations: 10 });
    await submit({ action: "edit-ad" });
    account.assertCharges([{ amount: 10 }, { amount: 1 }]);
  });

  test("ad copy is free, even with no credits left", async () => {
    const { account, post } = paidBy(0, 0);
    expect((await post({ action: "generate-ad-copy", variations: 10 })).status).toBe(202);
    expect(account.charges).toEqual([]);
  });

  test("a video costs its seconds times its model's price, rounded up, at least one credit", async () => {
    const { account, submit } = setUp({ videoPrices: { "video-a-2": 0.1, "video-b-3-0": 1.1 } });
    await submit({ action: "video-a-2", duration: 1 });
    await submit({ action: "video-a-2-pro", duration: 10 });
    await submit({ action: "video-b-3-0", duration: 50 });
    await submit({ action: "video-b-3-0" });
    expect(account.charges.map(({ amount }) => amount)).toEqual([1, 20, 55, 6]);
    expect(account.credits.image.monthly).toBe(100);
  });

  test("a job that costs more than both pots hold gets a 402, and nothing is charged", async () => {
    const { account, post } = paidBy(2, 1);
    const { status, error } = await post({ variations: 4 });
    expect([status, error]).toEqual([402, "Insufficient credits"]);
    expect(account.credits.image).toEqual({ monthly: 2, purchased: 1 });
    expect(account.jobs.count).toBe(0);
  });

  test("image credits don't pay for a video, nor video credits for a picture", async () => {
    const pictures = paidBy(50, 50, 0);
    expect((await pictures.post({ action: "video-a-2" })).status).toBe(402);
    expect((await paidBy(0, 0).post({ action: "image-a-2" })).status).toBe(402);
  });

  test.each([
    [false, { monthly: 0, purchased: 1 }],
    [true, { monthly: 3, purchased: 2 }],
  ])("with refundFailedJobs: %j, a failed job leaves %j", async (refundFailedJobs, image) => {
    const { account, jobs, submit } = paidBy(3, 2, 0, { refundFailedJobs });
    const jobId = await submit({ variations: 4 });
    jobs.fail(jobId);
    expect(account.credits.image).toEqual(image);
    expect(account.charges[0]?.refunded).toBe(refundFailedJobs);
    const refund = { reason: "refund", monthly: 3, purchased: 1, jobId };
    if (refundFailedJobs) expect(account.ledger.at(-1)).toMatchObject(refund);
  });

  test("an expired job is refunded at its 30th minute", async () => {
    const { account, clock, submit } = paidBy(3, 2, 0, { refundFailedJobs: true });
    await submit();
    clock.advance(45 * minute);
    expect(account.ledger.at(-1)).toMatchObject({ reason: "refund", at: start + 30 * minute });
  });

  test("monthly credits renew a month after the account was opened, and unused ones lapse", async () => {
    const { account, clock, submit } = paidBy(3, 2);
    await submit({ variations: 4 });
    clock.advance(31 * day - 1);
    expect(account.credits.image).toEqual({ monthly: 0, purchased: 1 });
    clock.advance(1);
    expect(account.credits.image).toEqual({ monthly: 3, purchased: 1 });
    account.grant({ image: { monthly: 5 } });
    clock.advance(28 * day);
    expect(account.credits.image).toEqual({ monthly: 3, purchased: 1 });
    expect(account.ledger.at(-1)).toMatchObject({ monthly: -5, reason: "renewal" });
  });

  test("an account opened on 31 January renews on 28 February, then on 31 March", async () => {
    const { account, clock } = paidBy(3, 0);
    clock.setTime(Date.UTC(2027, 0, 31));
    account.reset();
    for (const [renewed, month, date] of [
      ["28 February", 1, 28],
      ["31 March", 2, 31],
    ] as const) {
      account.setCredits({ image: {} });
      clock.setTime(Date.UTC(2027, month, date) - 1);
      expect(account.credits.image.monthly, `before ${renewed}`).toBe(0);
      clock.advance(1);
      expect(account.credits.image.monthly, renewed).toBe(3);
    }
  });

  test("monthly credits never renew with the renewal off", () => {
    const { account, clock } = paidBy(3, 0, 0, { renewal: "never" });
    account.setCredits({ image: {} });
    clock.advance(400 * day);
    expect(account.credits.image.monthly).toBe(0);
  });

  test("the entries of the ledger always add up to the balances", async () => {
    const { account, clock, jobs, submit } = paidBy(3, 9, 0, { refundFailedJobs: true });
    jobs.fail(await submit({ variations: 5 }));
    jobs.complete(await submit({ variations: 2 }));
    account.grant({ image: { purchased: 1 } });
    clock.advance(40 * day);
    account.setCredits({ image: { monthly: 7, purchased: 1 } });
    const entries = account.ledger.filter(({ credit }) => credit === "image");
    const reasons = new Set(entries.map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(["grant", "charge", "refund", "renewal", "adjustment"]));
    for (const pot of ["monthly", "purchased"] as const) {
      expect(entries.reduce((sum, entry) => sum + entry[pot], 0)).toBe(account.credits.image[pot]);
    }
  });
});

describe("a job of the mock", () => {
  test("a job is queued at first, and each poll advances it by one state", async () => {
    const { post, poll } = setUp();
    const { status, data } = await post({});
    expect([status, data]).toEqual([202, { job_id: data.job_id, status: "queued" }]);
    const seen = [await poll(data.job_id), await poll(data.job_id), await poll(data.job_id)];
    expect(seen.map((answer) => answer.data.status)).toEqual([
      "processing",
      "completed",
      "completed",
    ]);
  });

  test("a job follows its timeline to the millisecond", async () => {
    const { clock, jobs, submit } = setUp({ timeline: { queuedMs: 100, processingMs: 900 } });
    const id = await submit();
    for (const [ms, status] of [
      [99, "queued"],
      [1, "processing"],
      [899, "processing"],
      [1, "completed"],
    ] as const) {
      clock.advance(ms);
      expect(jobs.find(id)?.status).toBe(status);
    }
  });

  test.each([
    ["failed", { status: "failed", error: "Job expired" }, { status: "completed" }],
    ["not-found", undefined, { status: "completed" }],
    ["all-not-found", undefined, undefined],
  ] as const)(
    "a job expires after 30 minutes, and not before, with expiry %s",
    async (expiry, open, finished) => {
      const { clock, submit, finish, poll } = setUp({ expiry });
      const [openId, finishedId] = [await submit(), await submit()];
      await finish(finishedId);
      clock.advance(30 * minute - 1);
      expect((await poll(openId)).data.status).toBe("processing");
      clock.advance(1);
      for (const [id, left] of [
        [openId, open],
        [finishedId, finished],
      ] as const) {
        const { status, data } = await poll(id);
        expect(status).toBe(left ? 200 : 404);
        if (left) expect(data).toMatchObject(left);
      }
    },
  );

  test("a job that takes exactly 30 minutes completes", async () => {
    const { clock, jobs, submit, poll } = setUp();
    jobs.next({ takesMs: 30 * minute });
    const id = await submit();
    clock.advance(30 * minute);
    expect((await poll(id)).data.status).toBe("completed");
  });

  test("no job id is given out twice, whatever was reset", async () => {
    const { service, account, submit } = setUp();
    const ids = [await submit()];
    service.reset();
    ids.push(await submit());
    account.reset();
    ids.push(await submit());
    service.removeAccount("test-key");
    service.addAccount("test-key");
    ids.push(await submit());
    expect(new Set(ids).size).toBe(4);
  });

  test("jobs are listed newest first, up to the limit, or 100 by default", async () => {
    const { ask, submit } = setUp();
    const ids: string[] = [];
    for (let count = 0; count < 101; count += 1) {
      ids.unshift(await submit({ action: "generate-ad-copy" }));
    }
    const idsOf = async (path: string) =>
      (await ask("GET", path)).data.jobs.map(({ job_id }: { job_id: string }) => job_id);
    expect(await idsOf("/v1/jobs?limit=2")).toEqual(ids.slice(0, 2));
    expect(await idsOf("/v1/jobs?limit=101")).toEqual(ids);
    expect(await idsOf("/v1/jobs")).toEqual(ids.slice(0, 100));
  });
});

describe("the mock refuses", () => {
  test("the mock checks key, path, method, action, parameters, brand and credits in this order", async () => {
    const { service } = paidBy(0, 0);
    const right = { action: "edit-ad", variations: 1 };
    const path = "/v1/jobs";
    const wrong = { ...right, brand_id: "brand_none" };
    for (const [status, method, to, key, body] of [
      [401, "PUT", "/v1/none", "test-none", {}],
      [404, "PUT", "/v1/none", "test-key", {}],
      [405, "PUT", path, "test-key", {}],
      [400, "POST", path, "test-key", { ...wrong, action: "x", variations: 99 }],
      [400, "POST", path, "test-key", { ...wrong, variations: 99 }],
      [404, "POST", path, "test-key", wrong],
      [402, "POST", path, "test-key", right],
    ] as const) {
      const headers = { authorization: `Bearer ${key}` };
      const init = { method, headers, body: JSON.stringify(body) };
      expect((await service.fetch(`https://ads.test${to}`, init)).status).toBe(status);
    }
  });
});
