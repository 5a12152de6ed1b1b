import { describe, expect, test } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const setUp = (options: MockServiceOptions = {}) => {
  const service = createMockService({
    accounts: { "test-key": {}, "test-b": { credits: { image: {} } } },
    clock: createManualClock(1_000),
    ...options,
  });
  const ask = createAsk(service);
  const submit = (action: string, key = "test-key") =>
    createAsk(service, key)("POST", "/v1/jobs?trace=1", { action, prompt: "Lemonade" });
  return { service, journal: service.journal, ask, submit };
};

describe("the journal", () => {
  test("keeps a whole request and its answer", async () => {
    const { journal, submit } = setUp();
    const answered = await submit("edit-ad");
    expect(journal.entries).toEqual([
      {
        number: 1,
        at: 1_000,
        operation: "jobs.submit",
        account: expect.stringMatching(/^test-…[0-9a-z]{4}$/),
        method: "POST",
        path: "/v1/jobs?trace=1",
        body: { action: "edit-ad", prompt: "Lemonade" },
        action: "edit-ad",
        jobId: answered.data.job_id,
        truncated: false,
        answer: { status: 202, body: JSON.parse(answered.text) },
        requestId: answered.headers.get("x-request-id"),
        accepted: true,
        fault: undefined,
      },
    ]);
  });

  test("masks every key, known or not", async () => {
    const { service, journal, ask } = setUp();
    await ask("GET", "/v1/jobs");
    await createAsk(service, "live-secret-of-somebody")("GET", "/v1/jobs");
    const text = JSON.stringify(journal.entries);
    expect(text).not.toContain("test-key");
    expect(text).not.toContain("secret");
    expect(journal.entries[1]).toMatchObject({ answer: { status: 401 } });
    expect(journal.entries[0]?.account).not.toBe(journal.entries[1]?.account);
  });

  test("keeps requests of unknown paths, without a key, or without JSON", async () => {
    const { service, journal } = setUp();
    await service.fetch("https://ads.test/nowhere", { method: "PUT", body: "<xml/>" });
    await service.fetch("https://ads.test/v1/jobs");
    expect(journal.entries).toMatchObject([
      {
        operation: undefined,
        account: undefined,
        method: "PUT",
        body: "<xml/>",
        action: undefined,
      },
      { operation: "jobs.list", body: undefined, answer: { status: 401 } },
    ]);
  });

  test("names the fault of a request, and says whether the service carried it out", async () => {
    const { service, journal, submit } = setUp();
    service.faults.play({ kind: "reset", accepted: true });
    service.faults.play({ kind: "rate-limit" });
    service.faults.play({ kind: "wrong-json" });
    await expect(submit("copy-ad")).rejects.toThrow("fetch failed");
    await submit("copy-ad");
    await expect(submit("copy-ad")).rejects.toThrow(SyntaxError);
    expect(journal.entries).toMatchObject([
      { fault: { kind: "reset", accepted: true }, accepted: true, answer: undefined },
      { fault: { kind: "rate-limit" }, accepted: false, answer: { status: 429 } },
      { fault: { kind: "wrong-json" }, accepted: true, answer: { status: 202 } },
    ]);
    expect(journal.entries[2]?.answer?.body).toMatch(/^{"success":true/);
  });

  test("keeps the latest requests, as many as its limit", async () => {
    const { journal, ask } = setUp({ journalLimit: 3 });
    for (let count = 0; count < 10; count += 1) await ask("GET", `/v1/jobs/${count}`);
    expect(journal.entries.map(({ number }) => number)).toEqual([8, 9, 10]);
    const none = setUp({ journalLimit: 0 });
    await none.ask("GET", "/v1/jobs");
    expect(none.journal.entries).toEqual([]);
  });

  test("keeps a body that is too deep to be written again as text", async () => {
    const { service, journal } = setUp();
    const body = "[".repeat(100_000) + "]".repeat(100_000);
    await service.fetch("https://ads.test/v1/jobs", { method: "POST", body });
    expect(journal.entries[0]?.body).toBe(body);
    expect(() => journal.assertNone({ body: {} })).not.toThrow(RangeError);
  });

  test("keeps no more than the beginning of a key that is too long, and finds it", async () => {
    const { service, journal } = setUp();
    const key = "x".repeat(8 * 1024 * 1024);
    await createAsk(service, key)("GET", "/v1/jobs");
    await createAsk(service, `${key}y`)("GET", "/v1/jobs");
    expect(JSON.stringify(service.snapshot()).length).toBeLessThan(10_000);
    expect(journal.assertOne({ account: key }).number).toBe(1);
    expect(journal.entries[0]?.account).not.toBe(journal.entries[1]?.account);
  });

  test("counts its entries, and shows the latest", async () => {
    const { journal, ask, service } = setUp();
    for (let count = 1; count <= 5; count += 1) await ask("GET", `/v1/jobs/${count}`);
    expect([journal.count, service.account("test-b").journal.count]).toEqual([5, 0]);
    expect(journal.latest(2).map(({ number }) => number)).toEqual([4, 5]);
    expect([journal.latest(0), journal.latest(99).length]).toEqual([[], 5]);
  });

  test("can be cleared, also for one account alone", async () => {
    const { service, journal, submit } = setUp();
    await submit("copy-ad");
    await submit("copy-ad", "test-b");
    expect(service.account("test-b").journal.entries).toHaveLength(1);
    service.account("test-b").journal.clear();
    expect(journal.entries).toHaveLength(1);
    journal.clear();
    expect(journal.entries).toEqual([]);
    await submit("copy-ad");
    expect(journal.entries[0]?.number).toBe(3);
  });

  test("does not change with an entry that a test has read", async () => {
    const { journal, submit } = setUp();
    await submit("copy-ad");
    Object.assign(journal.entries[0]?.body as object, { action: "edit-ad" });
    expect(journal.entries[0]?.body).toMatchObject({ action: "copy-ad" });
  });
});

describe("a filter", () => {
  const fill = async () => {
    const { service, journal, submit, ask } = setUp();
    await submit("copy-ad");
    await submit("edit-ad", "test-b");
    await ask("GET", "/v1/jobs/job_x");
    service.faults.play({ kind: "html" });
    await service.fetch("https://ads.test/v1/brands");
    return journal;
  };

  test.each([
    [{}, [1, 2, 3, 4]],
    [{ number: 3 }, [3]],
    [{ operation: "jobs.submit" }, [1, 2]],
    [{ operation: ["jobs.get", "brands.list"] }, [3, 4]],
    [{ account: "test-b" }, [2]],
    [{ action: "copy-ad" }, [1]],
    [{ method: "get" }, [3, 4]],
    [{ path: "/v1/jobs/job_x" }, [3]],
    [{ path: /jobs/ }, [1, 2, 3]],
    [{ status: 402 }, [2]],
    [{ fault: "html" }, [4]],
    [{ fault: false }, [1, 2, 3]],
    [{ body: { prompt: "Lemonade" } }, [1, 2]],
    [{ body: { prompt: "lemonade" } }, []],
    [{ operation: "jobs.submit", status: 202 }, [1]],
  ] as const)("finds by %o", async (filter, numbers) => {
    const journal = await fill();
    expect(journal.find(filter).map(({ number }) => number)).toEqual(numbers);
  });

  test.each([
    [{ operations: "jobs.get" }, 'journal filter has no field "operations"; it has number, '],
    [{ operation: "jobs.gets" }, "journal filter.operation must be one or more of jobs.submit, "],
    [{ action: "edit" }, "journal filter.action must be one of copy-ad, "],
    [{ fault: "resett" }, "journal filter.fault must be false, or one of reset, "],
    [{ status: "402" }, 'journal filter.status must be a whole number; it is "402"'],
  ])("that is misspelt is refused, even by an empty journal: %o", (filter, message) => {
    const { journal } = setUp();
    expect(() => journal.find(filter as never)).toThrow(message);
    expect(() => journal.assertNone(filter as never)).toThrow(message);
  });
});

describe("an assertion", () => {
  test("gives the entries that it found", async () => {
    const { journal, submit } = setUp();
    await submit("copy-ad");
    await submit("edit-ad");
    expect(journal.assertOne({ action: "edit-ad" }).number).toBe(2);
    expect(journal.assertCount(2, { operation: "jobs.submit" })).toHaveLength(2);
    expect(journal.assertNone({ operation: "brands.create" })).toBeUndefined();
  });

  test("lists the requests that it saw instead", async () => {
    const { journal, submit, ask } = setUp();
    expect(() => journal.assertOne()).toThrow("Expected 1 request; saw nothing");
    await submit("generate-ad");
    await submit("generate-ad");
    await ask("GET", "/v1/jobs");
    expect(() => journal.assertOne({ operation: "jobs.submit", action: "edit-ad" })).toThrow(
      "Expected 1 jobs.submit of edit-ad; saw 2 jobs.submit of generate-ad, 1 jobs.list",
    );
    expect(() => journal.assertNone({ status: 202 })).toThrow(
      "Expected 0 requests answered with 202; saw 2 jobs.submit of generate-ad answered with 202, 1 jobs.list answered with 200",
    );
    expect(() => journal.assertCount(12, { path: /jobs/ })).toThrow(
      /^Expected 12 requests to \/jobs\/;/,
    );
  });

  test("lists the requests most like the expected ones first", async () => {
    const { journal, submit, ask } = setUp();
    for (let count = 0; count < 10; count += 1) await ask("GET", `/v1/jobs/${count}`);
    await submit("copy-ad");
    await submit("edit-ad");
    expect(() => journal.assertNone({ operation: "jobs.submit", action: "edit-ad" })).toThrow(
      "saw 1 jobs.submit of edit-ad, 1 jobs.submit of copy-ad, 10 jobs.get",
    );
    const body = { prompt: "Lemon" };
    expect(() => journal.assertOne({ operation: "jobs.submit", body })).toThrow(
      'saw 1 jobs.submit of copy-ad with {"action":"copy-ad","prompt":"Lemonade"}, 1 jobs.submit of edit-ad with {"action":"edit-ad","prompt":"Lemonade"}, 10 jobs.get',
    );
  });

  test("masks the keys of accounts", async () => {
    const { journal, submit } = setUp();
    await submit("copy-ad", "test-b");
    const assert = () => journal.assertOne({ account: "test-key" });
    expect(assert).toThrow(
      /^Expected 1 request from test-…\w{4}; saw 1 jobs.submit of copy-ad from test-…\w{4}$/,
    );
    expect(assert).not.toThrow("test-key");
  });

  test("stays short after many requests", async () => {
    const { journal, ask } = setUp();
    for (let count = 0; count < 30; count += 1) await ask("GET", `/v1/${count}`);
    expect(() => journal.assertNone()).toThrow(/1 GET \/v1\/7, and 22 more$/);
  });
});
