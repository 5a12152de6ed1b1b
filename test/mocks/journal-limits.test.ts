import { describe, expect, test, vi } from "vitest";
import { createMockService, type MockServiceOptions } from "../../mocks/index.ts";
import { createAdministered } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

const accounts = { "test-key": {}, "test-b": {} };

const setUp = (options: MockServiceOptions = {}) => {
  const service = createMockService({ accounts, ...options });
  return {
    service,
    journal: service.journal,
    ask: createAsk(service),
    askAsB: createAsk(service, "test-b"),
    submit: (prompt: string) =>
      createAsk(service)("POST", "/v1/jobs", { action: "copy-ad", prompt }),
  };
};

type SetUp = ReturnType<typeof setUp>;

const list = async ({ ask }: Pick<SetUp, "ask">, times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) await ask("GET", "/v1/jobs");
};

/** A journal of ten requests, which has forgotten the creation of a brand. */
const forgetBrand = async (options: MockServiceOptions = {}) => {
  const made = setUp({ journalLimit: 10, ...options });
  await made.ask("POST", "/v1/brands", { name: "Acme" });
  await list(made, 10);
  return made;
};

const advice = "raise journalLimit, or clear the journal before the part that the test checks";

describe("a journal that has forgotten requests", () => {
  test("counts them, beside those that it remembers", async () => {
    const { service, journal } = await forgetBrand();
    expect([journal.count, journal.forgotten]).toEqual([10, 1]);
    const { forgotten } = service.account("test-key").journal;
    expect([forgotten, service.account("test-b").journal.forgotten]).toEqual([1, 0]);
  });

  test("fails every assertion about them, and says why", async () => {
    const { journal } = await forgetBrand();
    const filter = { operation: "brands.create" } as const;
    const reason = `saw 10 jobs.list. The journal has forgotten 1 earlier request that may fit (journalLimit is 10): ${advice}`;
    expect(() => journal.assertNone(filter)).toThrow(`Expected 0 brands.create; ${reason}`);
    expect(() => journal.assertOne(filter)).toThrow(`Expected 1 brands.create; ${reason}`);
    expect(() => journal.assertCount(2, filter)).toThrow(`Expected 2 brands.create; ${reason}`);
    expect(() => journal.assertCount(10)).toThrow(`Expected 10 requests; ${reason}`);
    await list(await forgetBrand(), 1);
  });

  test.each([
    { operation: "brands.create" },
    { account: "test-key", operation: "brands.create" },
    { status: 201 },
    { method: "post" },
    { number: 1 },
    { path: "/v1/brands" },
    { body: { name: "Acme" } },
    { job: "job_x" },
    { action: "copy-ad", fault: false },
    { operation: "jobs.submit", status: 402 },
  ] as const)("cannot exclude that they fit %o", async (filter) => {
    const { journal } = await forgetBrand();
    expect(() => journal.assertNone(filter)).toThrow("forgotten 1 earlier request that may fit");
  });

  test.each([
    { account: "test-b" },
    { account: "test-b", operation: "brands.create" },
    { number: 12 },
  ] as const)(
    "passes an assertion about another account or a later request: %o",
    async (filter) => {
      const { journal } = await forgetBrand();
      expect(() => journal.assertNone(filter)).not.toThrow();
    },
  );

  test("passes assertions of those that it remembers all of", async () => {
    const { service, journal, askAsB } = await forgetBrand();
    await askAsB("GET", "/v1/brands");
    expect(service.account("test-b").journal.assertOne().operation).toBe("brands.list");
    expect(journal.assertOne({ number: 11 }).operation).toBe("jobs.list");
    expect(() => journal.assertOne({ number: 1 })).toThrow("forgotten 2 earlier requests");
    expect(() => service.account("test-key").journal.assertCount(9)).toThrow("forgotten 2");
    service.account("test-key").journal.assertNone({ account: "test-b" });
  });

  test("starts anew when it is cleared, for all or for one account", async () => {
    const made = await forgetBrand();
    const { service, journal, askAsB } = made;
    for (let count = 0; count < 11; count += 1) await askAsB("GET", "/v1/brands");
    expect(journal.forgotten).toBe(12);
    service.account("test-key").journal.clear();
    expect([journal.forgotten, service.account("test-b").journal.forgotten]).toEqual([1, 1]);
    service.account("test-key").journal.assertNone();
    journal.clear();
    expect([journal.count, journal.forgotten]).toEqual([0, 0]);
    journal.assertNone({ operation: "brands.create" });
    await list(made, 11);
    expect(journal.forgotten).toBe(1);
    service.reset();
    expect(journal.forgotten).toBe(0);
  });

  test("keeps the count in a snapshot, and in a fork", async () => {
    const { service } = await forgetBrand();
    const fork = service.fork();
    expect(fork.journal.forgotten).toBe(1);
    expect(() => fork.journal.assertNone({ status: 201 })).toThrow("forgotten 1");
    fork.journal.assertNone({ account: "test-b" });
    fork.restore(service.snapshot({ journal: false }));
    expect([fork.journal.count, fork.journal.forgotten]).toEqual([0, 0]);
    const { forgotten: _, ...older } = service.snapshot();
    fork.restore(older as never);
    expect([fork.journal.count, fork.journal.forgotten]).toEqual([10, 0]);
  });

  test("does not grow with keys and methods that clients invent", async () => {
    const { service, journal } = setUp({ journalLimit: 1 });
    for (let count = 0; count < 1_500; count += 1) {
      const authorization = `Bearer test-${count}`;
      await service.fetch("https://ads.test/v1/jobs", { headers: { authorization } });
    }
    expect(journal.forgotten).toBe(1_499);
    expect(service.snapshot()["forgotten"]).toHaveLength(1_001);
    const assert = () => journal.assertNone({ account: "test-key" });
    expect(assert).toThrow("forgotten 499 earlier requests that may fit");
  });

  test("says so over HTTP", async () => {
    const { order, ask } = createAdministered({ accounts, journalLimit: 10 });
    await ask("POST", "/v1/brands", { name: "Acme" });
    await list({ ask }, 10);
    const body = { count: 0, filter: { operation: "brands.create" } };
    const failed = await order("POST", "/journal/assert", body);
    expect([failed.status, failed.error]).toEqual([
      409,
      expect.stringMatching(/^Expected 0 brands.create; saw 10 jobs.list. The journal has forg/),
    ]);
    const other = { count: 0, account: "test-b" };
    expect((await order("POST", "/journal/assert", other)).status).toBe(200);
    const all = await order("GET", "/journal?limit=0");
    expect(all.data).toEqual({ total: 10, forgotten: 1, entries: [] });
    const others = await order("GET", "/journal?account=test-b");
    expect(others.data).toEqual({ total: 0, forgotten: 0, entries: [] });
    expect((await order("DELETE", "/journal?account=test-b")).data).toEqual({ total: 10 });
    expect((await order("DELETE", "/journal?account=test-key")).data).toEqual({ total: 0 });
    expect((await order("GET", "/journal")).data.forgotten).toBe(0);
  });
});

test("a journal that is off fails every assertion, and says so", async () => {
  const made = setUp({ journalLimit: 0 });
  const off =
    "the journal is off (journalLimit is 0) and has seen nothing. Set journalLimit to the number of requests that the test sends, or more";
  expect(() => made.journal.assertNone()).toThrow(`Expected 0 requests; ${off}`);
  await list(made, 3);
  expect([made.journal.count, made.journal.forgotten]).toEqual([0, 3]);
  expect(() => made.journal.assertCount(3)).toThrow(`Expected 3 requests; ${off}`);
  expect(() => made.service.account("test-b").journal.assertNone()).toThrow(off);
});

const kibi = 1_024;
const long = (characters: number): string => "lemon ".repeat(characters / 6 + 1);

describe("a text beyond the journal's bounds", () => {
  test("is cut, and its entry is kept", async () => {
    const { journal, submit } = setUp();
    const small = { action: "copy-ad", prompt: "first" };
    await submit(small.prompt);
    for (let count = 0; count < 24; count += 1) await submit(long(1_000 * kibi));
    expect([journal.count, journal.forgotten]).toEqual([25, 0]);
    const [first, second, latest] = [0, 1, -1].map((place) => journal.entries.at(place));
    expect(first).toMatchObject({ body: small, truncated: false });
    expect(second?.truncated).toBe(true);
    expect(second?.body).toMatch(/^\{"action":"copy-ad","prompt":"lemon .{900,970}…$/);
    expect(second?.body).toHaveLength(1_001);
    expect(second).toMatchObject({ action: "copy-ad", operation: "jobs.submit" });
    expect(latest).toMatchObject({ body: { action: "copy-ad" }, truncated: false });
    expect(journal.assertCount(25, { action: "copy-ad" })).toHaveLength(25);
    expect(JSON.stringify(journal.entries).length).toBeLessThan(17 * kibi * kibi);
  });

  test("is cut at once when it fills a mebi of characters by itself", async () => {
    const { journal, submit } = setUp();
    await submit(long(kibi * kibi));
    expect(journal.entries[0]).toMatchObject({ truncated: true, action: "copy-ad" });
    expect(journal.entries[0]?.body).toHaveLength(1_001);
  });

  test("may be an answer, or a path", async () => {
    const { service, journal, ask } = setUp();
    await ask("POST", "/v1/brands", { name: "Acme", story: long(kibi * kibi) });
    service.faults.play({ kind: "status", status: 500, body: long(kibi * kibi) });
    await service.fetch(`https://ads.test/v1/jobs?trace=${"x".repeat(kibi * kibi)}`);
    const [brand, failure] = journal.entries;
    expect(brand?.answer?.body).toMatch(/^\{"success":true.{400,500}…$/);
    expect(failure?.answer).toMatchObject({ status: 500, body: expect.stringMatching(/^lemon/) });
    expect(failure?.path).toHaveLength(501);
    expect(() => journal.find({ path: /trace/ })).toThrow(
      "The journal has cut the path of request 2 (jobs.list) to 500 characters",
    );
    expect(journal.find({ operation: "brands.create", path: /brands/ })).toHaveLength(1);
  });

  test("is not compared with a filter: the question fails with words", async () => {
    const { journal, submit, ask } = setUp();
    await submit(long(kibi * kibi));
    await ask("POST", "/v1/brands", { name: "Acme" });
    const message = `The journal has cut the body of request 1 (jobs.submit) to 1,000 characters, and cannot tell whether it fits. Leave body out of the filter, or clear the journal before the part that the test checks`;
    expect(() => journal.find({ body: { prompt: "x" } })).toThrow(message);
    expect(() => journal.assertNone({ body: { prompt: "x" } })).toThrow(message);
    expect(journal.find({ body: { name: "Acme" }, operation: "brands.create" })).toHaveLength(1);
    expect(journal.find({ body: { prompt: "x" }, action: "edit-ad" })).toEqual([]);
  });

  test("does not stay in memory", async () => {
    const { service, ask } = setUp();
    const used = (): number => {
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    await ask("POST", "/v1/nowhere", { text: "first" });
    const before = used();
    for (let count = 0; count < 60; count += 1) {
      await ask("POST", "/v1/nowhere", { action: "copy-ad", text: `${count} ${long(800 * kibi)}` });
    }
    expect((used() - before) / kibi / kibi).toBeLessThan(20);
    expect(service.journal.count).toBe(61);
  });
});

describe("tookMs of an entry", () => {
  test("is the time until the answer was delivered", async () => {
    vi.useFakeTimers();
    const { service, journal, ask } = setUp();
    service.faults.play({ kind: "latency", ms: 300 });
    const answered = ask("GET", "/v1/jobs");
    expect(journal.entries[0]?.tookMs).toBeUndefined();
    await vi.advanceTimersByTimeAsync(300);
    await answered;
    expect(journal.entries[0]?.tookMs).toBe(300);
    vi.useRealTimers();
  });

  test("is no part of comparisons, but of the admin's JSON", async () => {
    const { order, ask, service } = createAdministered();
    await ask("GET", "/v1/jobs");
    expect(Object.keys(service.journal.entries[0] ?? {})).not.toContain("tookMs");
    expect((await order("GET", "/journal")).data.entries[0].tookMs).toBeGreaterThan(0);
    expect((await order("GET", "/journal/1")).data.tookMs).toBeGreaterThan(0);
    expect(JSON.stringify(service.snapshot())).not.toContain("tookMs");
  });
});

describe("jobId of an entry", () => {
  test("names the job that was made, or asked for", async () => {
    const { service, journal, ask, submit } = setUp();
    const { job_id } = (await submit("Lemonade")).data;
    await ask("GET", `/v1/jobs/${job_id}`);
    await ask("GET", "/v1/jobs/job_unknown");
    await list({ ask }, 1);
    await ask("POST", "/v1/jobs", { action: "copy-ad", variations: 99 });
    service.faults.play({ kind: "reset", accepted: true });
    await submit("Lost").catch(() => {});
    const lost = service.jobs.all[0]?.job_id;
    const ids = [job_id, job_id, "job_unknown", undefined, undefined, lost];
    expect(journal.entries.map(({ jobId }) => jobId)).toEqual(ids);
    expect(journal.find({ job: job_id }).map(({ number }) => number)).toEqual([1, 2]);
    expect(() => journal.assertOne({ job: "job_x" })).toThrow(
      `Expected 1 request about job_x; saw 1 jobs.submit of copy-ad about ${job_id}, `,
    );
  });
});

test("a failed assertion names keys that no account has", async () => {
  const { service, journal, ask } = setUp();
  await createAsk(service, "test-keyy")("GET", "/v1/jobs");
  const masked = journal.entries[0]?.account;
  await ask("GET", "/v1/jobs");
  expect(() => service.journal.assertOne({ status: 402 })).toThrow(
    `. No account has the key ${masked} (keys are masked); they have test-…`,
  );
  expect(() => service.journal.assertOne({ status: 402 })).not.toThrow("test-key");
  journal.clear();
  await ask("GET", "/v1/jobs");
  expect(() => journal.assertNone()).not.toThrow("No account has");
});
