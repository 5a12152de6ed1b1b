import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";
import { setUp as createSetUp } from "./set-up.ts";

const setUp = () => {
  const accounts = { "test-key": {}, "test-b": { credits: { image: {} } } };
  const made = createSetUp({ accounts, clock: createManualClock(1_000) });
  const submit = (action: string, key?: string) => made.post({ action, prompt: "Lemonade" }, key);
  return { ...made, submit, other: made.service.account("test-b") };
};

const numbersOf = (entries: readonly { readonly number: number }[]) =>
  entries.map(({ number }) => number);

describe("the journal", () => {
  test("keeps a whole request and its answer", async () => {
    const { journal, ask } = setUp();
    const body = { action: "edit-ad", prompt: "Lemonade" };
    const answered = await ask("POST", "/v1/jobs?trace=1", body);
    expect(journal.entries).toEqual([
      {
        number: 1,
        at: 1_000,
        operation: "jobs.submit",
        account: expect.stringMatching(/^test-…[0-9a-z]{4}$/),
        method: "POST",
        path: "/v1/jobs?trace=1",
        body,
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
    const { service, journal, list } = setUp();
    await list(1);
    await createAsk(service, "live-secret-of-somebody")("GET", "/v1/jobs");
    expect(JSON.stringify(journal.entries)).not.toMatch(/test-key|secret/);
    const [known, unknown] = journal.entries;
    expect(unknown).toMatchObject({ answer: { status: 401 } });
    expect(known?.account).not.toBe(unknown?.account);
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

  test("keeps requests of unknown paths, without a key, or without JSON", async () => {
    const { service, journal } = setUp();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    await service.fetch("https://ads.test/nowhere", { method: "PUT", body: "<xml/>" });
    await service.fetch("https://ads.test/v1/jobs");
    await service.fetch("https://ads.test/v1/jobs", { method: "POST", body: deep });
    const unknown = { operation: undefined, account: undefined, action: undefined };
    expect(journal.entries).toMatchObject([
      { ...unknown, method: "PUT", body: "<xml/>" },
      { operation: "jobs.list", body: undefined, answer: { status: 401 } },
      { operation: "jobs.submit", body: deep },
    ]);
    expect(() => journal.assertNone({ body: {} })).not.toThrow(RangeError);
  });

  test("names the fault of a request, and says whether the service carried it out", async () => {
    const { faults, journal, submit } = setUp();
    faults.play({ kind: "reset", accepted: true });
    faults.play({ kind: "rate-limit" });
    faults.play({ kind: "wrong-json" });
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

  test("names the job that was made, or asked for", async () => {
    const { faults, journal, jobs, submit, post, poll, list } = setUp();
    const { job_id } = (await submit("copy-ad")).data;
    await poll(job_id);
    await poll("job_unknown");
    await list(1);
    await post({ variations: 99 });
    faults.play({ kind: "reset", accepted: true });
    await submit("edit-ad").catch(() => {});
    const ids = [job_id, job_id, "job_unknown", undefined, undefined, jobs.all[0]?.job_id];
    expect(journal.entries.map(({ jobId }) => jobId)).toEqual(ids);
    expect(numbersOf(journal.find({ job: job_id }))).toEqual([1, 2]);
    expect(() => journal.assertOne({ job: "job_x" })).toThrow(
      `Expected 1 request about job_x; saw 1 jobs.submit of copy-ad about ${job_id}, `,
    );
  });

  test("counts its entries, shows the latest, and is cleared, for one account alone too", async () => {
    const { journal, other, list, submit } = setUp();
    await list(5);
    await submit("copy-ad", "test-b");
    expect([journal.count, other.journal.count]).toEqual([6, 1]);
    expect([0, 2, 99].map((most) => numbersOf(journal.latest(most)))).toEqual([
      [],
      [5, 6],
      [1, 2, 3, 4, 5, 6],
    ]);
    other.journal.clear();
    expect([journal.count, other.journal.entries]).toEqual([5, []]);
    journal.clear();
    await list(1);
    expect(numbersOf(journal.entries)).toEqual([7]);
  });

  test("does not change with an entry that a test has read", async () => {
    const { journal, submit } = setUp();
    await submit("copy-ad");
    Object.assign(journal.entries[0]?.body as object, { action: "edit-ad" });
    expect(journal.entries[0]?.body).toMatchObject({ action: "copy-ad" });
  });
});

/** Seven requests: 202, 402, 201, 404, a page with 502 without a key, 503, and no answer. */
const fill = async () => {
  const made = setUp();
  const { service, faults, submit, ask, poll, list } = made;
  await submit("copy-ad");
  await submit("edit-ad", "test-b");
  await ask("POST", "/v1/brands", { name: "Lemonade (50% off)" });
  await poll("job_x");
  faults.play({ kind: "html" });
  await service.fetch("https://ads.test/v1/brands");
  faults.play({ kind: "status", status: 503 });
  await list(1);
  faults.play({ kind: "reset" });
  await list(1).catch(() => {});
  return made;
};

describe("a filter", () => {
  test.each([
    [{}, [1, 2, 3, 4, 5, 6, 7]],
    [{ number: 3 }, [3]],
    [{ operation: "jobs.submit" }, [1, 2]],
    [{ operation: ["jobs.get", "brands.list"] }, [4, 5]],
    [{ account: "test-b" }, [2]],
    [{ action: "copy-ad" }, [1]],
    [{ method: "get" }, [4, 5, 6, 7]],
    [{ path: "/v1/jobs/job_x" }, [4]],
    [{ path: /jobs/ }, [1, 2, 4, 6, 7]],
    [{ status: 402 }, [2]],
    [{ fault: "html" }, [5]],
    [{ fault: false }, [1, 2, 3, 4]],
    [{ body: { prompt: "Lemonade" } }, [1, 2]],
    [{ body: { prompt: "lemonade" } }, []],
    [{ operation: "jobs.submit", status: 202 }, [1]],
  ] as const)("finds by %o", async (filter, numbers) => {
    const { journal } = await fill();
    expect(numbersOf(journal.find(filter))).toEqual(numbers);
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

describe("a search of the journal", () => {
  test("gives the newest first, and counts each class of answers, whichever it shows", async () => {
    const { journal, other } = await fill();
    const counts = { "2xx": 2, "4xx": 2, "5xx": 2, other: 0, none: 1 };
    const page = journal.search({ limit: 3 });
    expect(numbersOf(page.entries)).toEqual([7, 6, 5]);
    expect(page).toMatchObject({ total: 7, newer: 0, older: 4, counts });
    const refused = journal.search({ answered: "4xx", limit: 10 });
    expect(numbersOf(refused.entries)).toEqual([4, 2]);
    expect(refused).toMatchObject({ total: 2, counts });
    const until = journal.search({ until: 4, limit: 2 });
    expect(numbersOf(until.entries)).toEqual([4, 3]);
    expect(until).toMatchObject({ total: 7, newer: 3, older: 2 });
    const others = other.journal.search({ limit: 5 });
    expect([numbersOf(others.entries), others.total]).toEqual([[2], 1]);
  });

  test.each([
    [{ account: "test-b" }, [2]],
    [{ account: "test-unknown" }, []],
    [{ operation: "brands.list" as const }, [5]],
    [{ fault: "reset" as const }, [7]],
    [{ fault: true }, [7, 6, 5]],
    [{ fault: false }, [4, 3, 2, 1]],
    [{ answered: "none" as const }, [7]],
    [{ text: "lemonade (50% OFF)" }, [3]],
    [{ text: "insufficient CREDITS" }, [2]],
    [{ text: "/job_x" }, [4]],
    [{ text: ".*" }, []],
    [{ text: "" }, [7, 6, 5, 4, 3, 2, 1]],
  ])("finds by %j", async (search, expected) => {
    const { journal } = await fill();
    expect(numbersOf(journal.search({ ...search, limit: 10 }).entries)).toEqual(expected);
  });

  test("finds a request by its id", async () => {
    const { journal } = await fill();
    const text = journal.find({ number: 3 })[0]?.requestId ?? "";
    expect(numbersOf(journal.search({ text, limit: 5 }).entries)).toEqual([3]);
  });
});

describe("an assertion", () => {
  test("gives the entries that it found", async () => {
    const { journal } = await fill();
    expect(journal.assertOne({ action: "edit-ad" }).number).toBe(2);
    expect(journal.assertCount(2, { operation: "jobs.submit" })).toHaveLength(2);
    expect(journal.assertNone({ operation: "brands.update" })).toBeUndefined();
  });

  test("lists the requests that it saw instead", async () => {
    const { journal, submit, list } = setUp();
    expect(() => journal.assertOne()).toThrow("Expected 1 request; saw nothing");
    await submit("generate-ad");
    await submit("generate-ad");
    await list(1);
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

  test("lists the requests most like the expected ones first, and stays short", async () => {
    const { journal, submit, list, poll } = setUp();
    for (let count = 0; count < 10; count += 1) await poll(`${count}`);
    await submit("copy-ad");
    await submit("edit-ad");
    expect(() => journal.assertNone({ operation: "jobs.submit", action: "edit-ad" })).toThrow(
      "saw 1 jobs.submit of edit-ad, 1 jobs.submit of copy-ad, 10 jobs.get",
    );
    const body = { prompt: "Lemon" };
    expect(() => journal.assertOne({ operation: "jobs.submit", body })).toThrow(
      'saw 1 jobs.submit of copy-ad with {"action":"copy-ad","prompt":"Lemonade"}, 1 jobs.submit of edit-ad with {"action":"edit-ad","prompt":"Lemonade"}, 10 jobs.get',
    );
    journal.clear();
    for (let count = 0; count < 30; count += 1) await list(1, `/v1/${count}`);
    expect(() => journal.assertNone()).toThrow(/1 GET \/v1\/7, and 22 more$/);
  });

  test("masks the keys of accounts, and names those that no account has", async () => {
    const { service, journal, submit, list } = setUp();
    await submit("copy-ad", "test-b");
    const assert = () => journal.assertOne({ account: "test-key" });
    expect(assert).toThrow(
      /^Expected 1 request from test-…\w{4}; saw 1 jobs.submit of copy-ad from test-…\w{4}$/,
    );
    expect(assert).not.toThrow("test-key");
    await createAsk(service, "test-keyy")("GET", "/v1/jobs");
    const masked = journal.entries[1]?.account;
    const unknown = () => journal.assertOne({ status: 402 });
    expect(unknown).not.toThrow("test-key");
    journal.clear();
    await createAsk(service, "test-keyy")("GET", "/v1/jobs");
    expect(unknown).toThrow(
      `. No account has the key ${masked} (keys are masked); they have test-…`,
    );
    journal.clear();
    await list(1);
    expect(() => journal.assertNone()).not.toThrow("No account has");
  });
});
