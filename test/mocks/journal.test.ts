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
        unknownParameters: [],
        answer: { status: 202, body: JSON.parse(answered.text) },
        requestId: answered.headers.get("x-request-id"),
        accepted: true,
        fault: undefined,
      },
    ]);
  });

  test("masks every key, known or not, and keeps no more than the beginning of one", async () => {
    const { service, journal, list } = setUp();
    const key = `live-secret${"x".repeat(8 * 1024 * 1024)}`;
    await list(1);
    for (const one of [key, `${key}y`]) await createAsk(service, one)("GET", "/v1/jobs");
    expect(JSON.stringify(journal.entries)).not.toMatch(/test-key|secret/);
    const [known, unknown, other] = journal.entries;
    expect(unknown).toMatchObject({ answer: { status: 401 } });
    expect(new Set([known?.account, unknown?.account, other?.account]).size).toBe(3);
    expect(journal.assertOne({ account: key }).number).toBe(2);
  });

  test("keeps requests of unknown paths, without a key, or without JSON", async () => {
    const { service, faults, journal } = setUp();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    await service.fetch("https://ads.test/nowhere", { method: "PUT", body: "<xml/>" });
    await service.fetch("https://ads.test/v1/jobs");
    await service.fetch("https://ads.test/v1/jobs", { method: "POST", body: deep });
    faults.play({ kind: "wrong-json" });
    await service.fetch("https://ads.test/v1/jobs");
    const unknown = { operation: undefined, account: undefined, action: undefined };
    expect(journal.entries).toMatchObject([
      { ...unknown, method: "PUT", body: "<xml/>" },
      { operation: "jobs.list", body: undefined, answer: { status: 401 } },
      { operation: "jobs.submit", body: deep },
      { fault: { kind: "wrong-json" }, answer: { body: expect.stringMatching(/^{"success":fal/) } },
    ]);
    expect(() => journal.assertNone({ body: {} })).not.toThrow(RangeError);
  });
});

/** Three requests, which the model test cannot tell apart by their texts. */
const fill = async () => {
  const { journal, submit, ask, poll } = setUp();
  await submit("edit-ad", "test-b");
  const { headers } = await ask("POST", "/v1/brands", { name: "Lemonade (50% off)" });
  await poll("job_x");
  return { journal, requestId: headers.get("x-request-id") ?? "" };
};

describe("a filter", () => {
  test.each([
    [{ path: "/v1/jobs/job_x" }, [3]],
    [{ path: /jobs/ }, [1, 3]],
    [{ body: { prompt: "Lemonade" } }, [1]],
    [{ body: { prompt: "lemonade" } }, []],
  ])("finds by %o", async (filter, numbers) => {
    const { journal } = await fill();
    expect(numbersOf(journal.find(filter))).toEqual(numbers);
  });

  test.each([
    [{ operations: "jobs.get" }, 'journal filter has no field "operations"; it has number, '],
    [{ operation: "jobs.gets" }, "journal filter.operation must be one or more of jobs.submit, "],
    [{ action: "edit" }, "journal filter.action must be one or more of copy-ad, "],
    [{ fault: "resett" }, "journal filter.fault must be true, false, or one of reset, "],
    [{ status: "402" }, 'journal filter.status must be a whole number; it is "402"'],
  ])("that is misspelt is refused, even by an empty journal: %o", (filter, message) => {
    const { journal } = setUp();
    expect(() => journal.find(filter as never)).toThrow(message);
    expect(() => journal.assertNone(filter as never)).toThrow(message);
  });
});

test("a pattern with flags that remember a place finds every request that fits", async () => {
  const { journal, list } = setUp();
  await list(4);
  for (const path of [/jobs/g, /jobs/y, /jobs/gi]) {
    const expected = path.sticky ? [] : [1, 2, 3, 4];
    for (const _ of ["once", "again"]) expect(numbersOf(journal.find({ path }))).toEqual(expected);
  }
  journal.assertCount(4, { path: /\/v1\/jobs$/gy });
});

test("a body that is no JSON, such as a pattern, is refused: it would fit nothing", async () => {
  const { ask, service, journal } = setUp();
  await ask("POST", "/v1/brands", { name: "Acme" });
  for (const wrong of [/Ac/, [/Ac/], new Date(0), expect.stringContaining("Ac"), () => true]) {
    const body = { name: wrong };
    const words = "body.name must be plain JSON";
    expect(() => journal.find({ body })).toThrow(words);
    expect(() => service.faults.play({ kind: "reset" }, { body })).toThrow(words);
    expect(() => service.jobs.next({ fail: "moderation" }, { body })).toThrow(words);
  }
  expect(journal.find({ body: { name: "Acme" } })).toHaveLength(1);
});

test("a search finds a text in a request or its answer, in any case", async () => {
  const { journal, requestId } = await fill();
  for (const [text, expected] of [
    ["lemonade (50% OFF)", [2]],
    ["insufficient CREDITS", [1]],
    ["/job_x", [3]],
    [requestId, [2]],
    [".*", []],
    ["", [3, 2, 1]],
  ] as const) {
    expect(numbersOf(journal.search({ text, limit: 10 }).entries)).toEqual(expected);
  }
});

describe("an assertion", () => {
  test("lists the requests that it saw instead", async () => {
    const { journal, submit, list } = setUp();
    expect(() => journal.assertOne()).toThrow("Expected 1 request;\n  saw nothing");
    await submit("generate-ad");
    await submit("generate-ad");
    await list(1);
    expect(() => journal.assertOne({ operation: "jobs.submit", action: "edit-ad" })).toThrow(
      "Expected 1 jobs.submit of edit-ad;\n  saw 2 jobs.submit of generate-ad, 1 jobs.list",
    );
    expect(() => journal.assertOne({ body: { action: "generate-ad" } })).toThrow(
      /^Expected 1 request \(body {"action":"generate-ad"}\), found 2;\n {2}saw 2 jobs\.submit/,
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
      'saw 1 jobs.submit of copy-ad (body {"action":"copy-ad","prompt":"Lemonade"}), 1 jobs.submit of edit-ad (body {"action":"edit-ad","prompt":"Lemonade"}), 10 jobs.get',
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
      /^Expected 1 request \(account "test-…\w{4}"\);\n {2}saw 1 jobs.submit of copy-ad \(account "test-…\w{4}"\)$/,
    );
    expect(assert).not.toThrow("test-key");
    await createAsk(service, "test-keyy")("GET", "/v1/jobs");
    const masked = journal.entries[1]?.account;
    const unknown = () => journal.assertOne({ status: 402 });
    expect(unknown).not.toThrow("test-key");
    journal.clear();
    await createAsk(service, "test-keyy")("GET", "/v1/jobs");
    expect(unknown).toThrow(
      `.\n  No account has the key ${masked} (keys are masked); they have test-…`,
    );
    journal.clear();
    await list(1);
    expect(() => journal.assertNone()).not.toThrow("No account has");
  });
});

describe("the headers of a request", () => {
  const sent = {
    authorization: "Bearer test-key",
    "X-Tenant": "acme",
    "idempotency-key": "order-1",
    "x-api-key": "sk-1",
    "X-Auth-Token": "sk-2",
    cookie: "sid=sk-3",
    "x-long": "x".repeat(2_000),
  };

  test("are kept without keys, cut, and out of comparisons and snapshots", async () => {
    const { service, journal } = setUp();
    await service.fetch("https://ads.test/v1/jobs", { headers: sent });
    const [entry] = journal.entries;
    expect(entry?.headers).toEqual({
      ...{ authorization: "[redacted]", "x-tenant": "acme", "idempotency-key": "order-1" },
      ...{ "x-api-key": "[redacted]", "x-auth-token": "[redacted]", cookie: "[redacted]" },
      "x-long": `${"x".repeat(1_000)}…`,
    });
    expect(JSON.stringify(entry)).not.toMatch(/acme|sk-\d/);
  });

  test("are found by their names in any case, also when an adapter lists none", async () => {
    const { service, journal } = setUp();
    await service.fetch("https://ads.test/v1/jobs", { headers: sent });
    service.replyNow({
      method: "GET",
      url: "https://ads.test/v1/jobs",
      authorization: null,
      body: "",
    });
    expect(numbersOf(journal.find({ headers: { "x-TENANT": "acme" } }))).toEqual([1]);
    const wrong = () => journal.assertOne({ operation: "jobs.list", headers: { "x-tenant": "b" } });
    expect(wrong).toThrow(
      'Expected 1 jobs.list (headers {"x-tenant":"b"});\n  saw 2 jobs.list.\n  The nearest is request 1: headers.x-tenant is "acme", not "b"',
    );
  });

  test("show no API key inside another value, whoever sent it", async () => {
    const { service, journal } = setUp();
    const send = (headers: Record<string, string>) =>
      service.fetch("https://ads.test/v1/jobs", { headers });
    const authorization = "Bearer test-key";
    service.addAccount("team:a/2");
    service.addAccount("dGVzdA==");
    await send({
      authorization,
      "x-to": "https://a.test/?k=test-key&n=1",
      "x-in": "%20test-key.s",
    });
    await send({ "x-foo": "Bearer no-account", "x-bare": "test-b", "x-json": '{"k":"test-b"}' });
    await send({
      authorization: "Bearer gone",
      "x-foo": "gone,test",
      "x-near": "my-gone team:a/2",
      "x-base64": "k=dGVzdA==&n=1",
    });
    expect(journal.entries.map(({ headers }) => headers)).toMatchObject([
      { "x-to": "https://a.test/?k=[redacted]&n=1", "x-in": "%20[redacted].s" },
      { "x-foo": "Bearer [redacted]", "x-bare": "[redacted]", "x-json": '{"k":"[redacted]"}' },
      {
        "x-foo": "[redacted],test",
        "x-near": "my-gone [redacted]",
        "x-base64": "k=[redacted]&n=1",
      },
    ]);
    const wrong = () => journal.assertOne({ headers: { "x-bare": "none" } });
    expect(wrong).toThrow('The nearest is request 2: headers.x-bare is "[redacted]", not "none"');
    const [latest] = journal.search({ limit: 1 }).entries;
    expect(latest?.headers["x-foo"]).toBe("[redacted],test");
    expect(numbersOf(journal.find({ headers: { "x-bare": "[redacted]" } }))).toEqual([2]);
  });
});

describe("the nearest request", () => {
  const nearestTo = ({ journal }: ReturnType<typeof setUp>, filter: object): string => {
    try {
      journal.assertOne(filter);
    } catch (error) {
      return /The nearest is (.*)$/s.exec(String(error))?.[1] ?? "none";
    }
    return "fits";
  };

  test("is the latest of those with the fewest fields that do not fit", async () => {
    const made = setUp();
    const { journal, submit, poll } = made;
    await submit("copy-ad");
    await submit("edit-ad", "test-b");
    await poll("job_x");
    const message = (filter: object): string => nearestTo(made, filter);
    const operation = "jobs.submit";
    expect(message({ operation, action: "generate-ad" })).toBe(
      'request 2: action is "edit-ad", not "generate-ad"',
    );
    expect(message({ operation, status: 402, account: "test-key" })).toMatch(
      /^request 2: account is test-…\w{4}$/,
    );
    expect(message({ operation, status: 404, path: /brands/, method: "post" })).toBe(
      'request 2: path is "/v1/jobs", not /brands/; status is 402, not 404',
    );
    expect(message({ operation, body: { prompt: "Lemonade", images: ["x"] } })).toBe(
      'request 2: body.images is missing, not ["x"]',
    );
    expect(message({ operation: "jobs.get", job: "job_y", fault: "reset" })).toContain(
      'request 3: job is "job_x", not "job_y"; fault is false, not "reset"',
    );
    expect(message({ status: 500 })).toBe("none");
    // Nothing came too seldom here.
    expect(() => journal.assertNone({ operation, action: "edit-ad" })).not.toThrow("nearest");
  });

  test("to a body has most of its fields, be it the only choice or not", async () => {
    const made = setUp();
    const images = ["a.png"];
    await made.post({ prompt: "red", images, look: { tone: "dry", size: 1 } });
    await made.post({ prompt: "blue" });
    await made.ask("POST", "/v1/brands", { name: "Acme" });
    await made.ask("POST", "/v1/jobs");
    await made.list(1);
    const fields = { prompt: "blue", images, look: { tone: "wet", size: 1 } };
    for (const choice of [{}, { operation: "jobs.submit" }]) {
      expect(nearestTo(made, { ...choice, body: { prompt: "green" } })).toBe(
        'request 2: body.prompt is "blue", not "green"',
      );
      expect(nearestTo(made, { ...choice, body: fields })).toBe(
        'request 1: body.prompt is "red", not "blue"; body.look.tone is "dry", not "wet"',
      );
    }
    expect(nearestTo(made, { body: { brand: "x" } })).toBe(
      'request 3: body.brand is missing, not "x"',
    );
    made.journal.clear();
    await made.list(1);
    expect(nearestTo(made, { body: fields })).toBe("none");
  });

  test("is told by three of its wrong fields, and by the number of the others", async () => {
    const made = setUp();
    await made.post({ prompt: "red", variations: 2 });
    const wanted = { prompt: "blue", images: ["x"], variations: 1, brand_id: "b" };
    expect(nearestTo(made, { body: { action: "generate-ad", ...wanted } })).toBe(
      'request 1: body.prompt is "red", not "blue"; body.images is missing, not ["x"]; body.variations is 2, not 1; and 1 more',
    );
  });

  test.each([
    { body: { prompt: "x".repeat(5_000) } },
    { body: { ["x".repeat(5_000)]: 1 } },
    { operation: "jobs.submit", path: new RegExp("x".repeat(5_000)) },
  ])("is told shortly, however long the choice is: %#", async (filter) => {
    const { journal, submit } = setUp();
    await submit("copy-ad");
    expect(() => journal.assertOne(filter as object)).toThrow(
      /^Expected 1 .{0,100}x{77,120}….* The nearest is request 1: .*…$|^Expected 1 .{0,100}x{77,120}….*… is missing, not 1$/s,
    );
    expect(() => journal.assertOne(filter as object)).not.toThrow(/.{600}/s);
  });
});
