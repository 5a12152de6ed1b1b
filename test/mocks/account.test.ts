import { describe, expect, test } from "vitest";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const at = Date.UTC(2026, 0, 1);

const setUp = () => {
  const service = createMockService({
    accounts: { "test-key": { credits: { image: { monthly: 3, purchased: 9 } } }, "test-b": {} },
    clock: createManualClock(at),
    refundFailedJobs: true,
  });
  const ask = createAsk(service);
  const submit = async (action: string, more = {}): Promise<string> =>
    (await ask("POST", "/v1/jobs", { action, ...more })).data.job_id;
  return { service, account: service.account("test-key"), ask, submit };
};

describe("charges", () => {
  test("list the cost of each paid job", async () => {
    const { account, service, submit } = setUp();
    const ad = await submit("generate-ad", { variations: 4 });
    await submit("generate-ad-copy", { variations: 10 });
    const video = await submit("video-a-2-pro", { duration: 2 });
    service.jobs.fail(video);
    expect(account.charges).toEqual([
      {
        at,
        jobId: ad,
        action: "generate-ad",
        credit: "image",
        amount: 4,
        monthly: 3,
        purchased: 1,
        refunded: false,
      },
      {
        at,
        jobId: video,
        action: "video-a-2-pro",
        credit: "video",
        amount: 4,
        monthly: 4,
        purchased: 0,
        refunded: true,
      },
    ]);
  });

  test("can be asserted, by the fields that matter", async () => {
    const { account, submit } = setUp();
    account.assertCharges([]);
    const jobId = await submit("generate-ad", { variations: 4 });
    await submit("edit-ad");
    account.assertCharges([{ action: "generate-ad", amount: 4 }, { credit: "image" }]);
    account.assertCharges([{ jobId, monthly: 3, purchased: 1, refunded: false }, {}]);
  });

  test("that are others than expected are told", async () => {
    const { account, submit } = setUp();
    await submit("generate-ad", { variations: 4 });
    await submit("video-a-2", { duration: 5 });
    expect(() => account.assertCharges([{ amount: 1, credit: "image" }])).toThrow(
      "Expected charges of 1 image credit; saw ",
    );
    const saw = "saw 4 image credits for generate-ad; 5 video credits for video-a-2";
    expect(() => account.assertCharges([])).toThrow(`Expected charges of nothing; ${saw}`);
    expect(() => account.assertCharges([{ action: "edit-ad", amount: 4 }])).toThrow(
      `Expected charges of 4 credits for edit-ad; ${saw}`,
    );
    expect(() => account.assertCharges([{ amount: 4 }, { amount: 5, refunded: true }])).toThrow(
      "saw 4 image credits for generate-ad, refunded false; 5 video credits for video-a-2, refunded false",
    );
    expect(() => setUp().account.assertCharges([{}])).toThrow("saw nothing");
  });
});

describe("an account", () => {
  test("refuses grants that arithmetic could not tell apart", () => {
    const { account } = setUp();
    account.grant("video", { purchased: Number.MAX_SAFE_INTEGER });
    expect(() => account.grant("video", { purchased: 1 })).toThrow(RangeError);
    expect(account.credits.video.purchased).toBe(Number.MAX_SAFE_INTEGER);
  });

  test("is refused where its key or its credits make no sense", () => {
    const { service } = setUp();
    expect(() => service.addAccount("test-key")).toThrow('accounts["test-key"] must be a key that');
    expect(() => service.addAccount("a b")).toThrow('accounts["a b"] must be named by printable');
    expect(() => service.addAccount("x", { credits: { image: { monthly: -1 } } })).toThrow(
      'accounts["x"].credits.image.monthly must be a whole number, zero or more',
    );
    expect(() => createMockService({ apiKeyPrefix: "sk-" }).addAccount("test-x")).toThrow('"sk-"');
  });

  test("can be reset alone", async () => {
    const { service, account, ask, submit } = setUp();
    const other = createAsk(service, "test-b");
    const first = await submit("copy-ad");
    await ask("POST", "/v1/brands", { name: "Acme" });
    await other("POST", "/v1/brands", { name: "Other" });
    account.faults.play({ kind: "html" });
    account.jobs.next({ fail: "x" });
    account.clock.advance(1_000);
    service.faults.play({ kind: "latency", ms: 0 }, { account: "test-b" });
    account.reset();
    expect(account.ledger).toHaveLength(2);
    expect([account.jobs.all, account.brands, account.savedAds]).toEqual([[], [], []]);
    expect([account.faults.planned, account.journal.entries]).toEqual([[], []]);
    expect(account.clock.now()).toBe(at);
    expect(service.account("test-b").brands).toHaveLength(1);
    expect(service.faults.planned).toHaveLength(1);
    expect(service.account("test-b").journal.entries).toHaveLength(1);
    expect((await ask("GET", `/v1/jobs/${first}`)).status).toBe(404);
    expect(await submit("copy-ad")).not.toBe(first);
    expect(service.jobs.find(first)).toBeUndefined();
  });

  test("is removed with all it holds", async () => {
    const { service, account, ask, submit } = setUp();
    const id = await submit("copy-ad");
    await createAsk(service, "test-b")("GET", "/v1/jobs");
    account.faults.play({ kind: "html" });
    service.faults.play({ kind: "html" }, { account: "test-b" });
    account.jobs.next({ fail: "x" });
    expect(service.removeAccount("test-key")).toBe(true);
    expect(service.removeAccount("test-key")).toBe(false);
    expect(service.accounts.map(({ key }) => key)).toEqual(["test-b"]);
    expect(service.jobs.find(id)).toBeUndefined();
    expect(service.faults.planned).toHaveLength(1);
    expect(service.journal.entries).toHaveLength(1);
    expect((await ask("GET", "/v1/jobs")).status).toBe(401);
    expect(JSON.stringify(service.snapshot({ journal: false })["accounts"])).not.toContain(
      "test-key",
    );
  });

  test("says that it is gone, whatever it is asked", () => {
    const { service, account } = setUp();
    service.removeAccount("test-key");
    const uses: (() => unknown)[] = [
      () => account.credits,
      () => account.ledger,
      () => account.charges,
      () => account.brands,
      () => account.savedAds,
      () => account.faults,
      () => account.journal,
      () => account.clock.now(),
      () => account.jobs.all,
      () => account.jobs.count,
      () => account.jobs.planned,
      () => account.jobs.assertTaken(),
      () => account.jobs.next({ fail: "moderation" }),
      () => account.grant("image", { monthly: 1 }),
      () => account.assertCharges([]),
      () => account.reset(),
    ];
    for (const use of uses) {
      expect(use).toThrow(
        'The mock has no account "test-key" any more, because it was removed, or a reset or a restore closed it; it has test-b',
      );
    }
    service.removeAccount("test-b");
    expect(() => account.credits).toThrow("it has no account");
  });

  test("may be opened again after it was removed, and begins anew", async () => {
    const { service, account, ask, submit } = setUp();
    const id = await submit("copy-ad");
    service.removeAccount("test-key");
    const again = service.addAccount("test-key", { credits: { image: { monthly: 5 } } });
    expect(again.credits.image).toEqual({ monthly: 5, purchased: 0 });
    expect(account.credits).toEqual(again.credits);
    expect((await ask("GET", `/v1/jobs/${id}`)).status).toBe(404);
    expect(await submit("copy-ad")).not.toBe(id);
    service.removeAccount("test-key");
    service.reset();
    expect(service.account("test-key").credits.image).toEqual({ monthly: 3, purchased: 9 });
  });

  test("shows brands and ads, newest first, as copies", async () => {
    const { account, ask } = setUp();
    const { data } = await ask("POST", "/v1/brands", { name: "Acme", deep: { colors: ["red"] } });
    await ask("POST", "/v1/brands", { name: "Second" });
    await ask("POST", "/v1/saved-ads", { brand_id: data.id });
    expect(account.brands.map(({ name }) => name)).toEqual(["Second", "Acme"]);
    expect(account.savedAds).toHaveLength(1);
    Object.assign(account.brands[1] as object, { name: "Changed" });
    expect(account.brands[1]?.["name"]).toBe("Acme");
  });
});
