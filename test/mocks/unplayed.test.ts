import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { createAdministered } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

const accounts = { "test-key": {}, "test-b": {} };
const endless = Number.POSITIVE_INFINITY;

const setUp = () => {
  const service = createMockService({ accounts });
  const { faults, jobs } = service;
  const ask = createAsk(service);
  const submit = () => ask("POST", "/v1/jobs", { action: "copy-ad" });
  return { service, faults, jobs, ask, submit };
};

describe("faults.assertPlayed", () => {
  test("passes when nothing is planned, or all was played or taken back", async () => {
    const { faults, ask } = setUp();
    faults.assertPlayed();
    faults.play({ kind: "rate-limit" }, { times: 2 });
    faults.play({ kind: "latency", ms: 0 }, { times: endless });
    faults.remove(faults.play({ kind: "stall" }).id);
    await ask("GET", "/v1/jobs");
    await ask("GET", "/v1/jobs");
    expect(() => faults.assertPlayed()).not.toThrow();
  });

  test("lists the faults that were played too seldom", async () => {
    const { faults, ask } = setUp();
    faults.play(
      { kind: "status", status: 503 },
      { times: 3, operation: ["jobs.get", "jobs.list"] },
    );
    faults.play({ kind: "reset" }, { account: "test-b" });
    expect(() => faults.assertPlayed()).toThrow(
      '2 planned faults were not played as often as planned: fault_1 {"kind":"status","status":503} for jobs.get or jobs.list (0 of 3); fault_2 {"kind":"reset"} of test-b (0 of 1). Send the requests that it is for, or take it back with faults.remove(id)',
    );
    await ask("GET", "/v1/jobs");
    expect(() => faults.assertPlayed()).toThrow("for jobs.get or jobs.list (1 of 3)");
    faults.clear();
    faults.play({ kind: "html" }, { times: endless });
    expect(() => faults.assertPlayed()).toThrow(
      'A planned fault was not played as often as planned: fault_3 {"kind":"html"} (0). Send',
    );
  });

  test("stays short when many faults wait", () => {
    const { faults } = setUp();
    const body = { text: "x".repeat(1_000) };
    for (let count = 0; count < 30; count += 1) {
      faults.play({ kind: "status", status: 500, body });
    }
    expect(() => faults.assertPlayed()).toThrow(/x… \(0 of 1\); and 22 more\. Send/);
  });
});

describe("jobs.assertTaken", () => {
  test("lists the outcomes that too few submissions took", async () => {
    const { service, jobs, submit } = setUp();
    jobs.assertTaken();
    jobs.next({ fail: "moderation" }, { times: 2 });
    jobs.next({ result: [1], takesMs: 5 }, { account: "test-b", action: "edit-ad" });
    jobs.next({ takesMs: 5 }, { times: endless, account: "test-b" });
    await submit();
    expect(() => jobs.assertTaken()).toThrow(
      '3 planned outcomes were not taken as often as planned: outcome_1 {"fail":"moderation"} (1 of 2); outcome_2 {"result":[1],"takesMs":5} for edit-ad of test-b (0 of 1); outcome_3 {"takesMs":5} of test-b (0). Send the requests that it is for, or take it back with jobs.removePlanned(id)',
    );
    service.account("test-key").jobs.assertTaken();
    expect(() => service.account("test-b").jobs.assertTaken()).toThrow("2 planned outcomes were");
    await submit();
    service.account("test-b").jobs.clearPlanned();
    expect(() => jobs.assertTaken()).not.toThrow();
  });
});

test("both are answered with 409 over HTTP while something waits", async () => {
  const { order, service } = createAdministered({ accounts });
  for (const path of ["/faults/assert", "/jobs/next/assert"]) {
    expect((await order("POST", path)).status).toBe(200);
    service.account("test-b").faults.play({ kind: "reset" });
    service.account("test-b").jobs.next({ fail: "moderation" });
    const failed = await order("POST", path);
    expect([failed.status, failed.error]).toEqual([
      409,
      expect.stringMatching(/^A planned (fault|outcome) was not /),
    ]);
    expect((await order("POST", path, { account: "test-key" })).status).toBe(200);
    expect((await order("POST", path, { account: "test-b" })).status).toBe(409);
    expect((await order("POST", path, { account: "test-c" })).status).toBe(400);
    service.reset();
  }
});

describe("no more than a thousand", () => {
  test("faults wait", async () => {
    const { service, faults, ask } = setUp();
    for (let count = 0; count < 1_000; count += 1) {
      faults.play({ kind: "html" }, { account: "test-b", operation: "jobs.get" });
    }
    expect(() => faults.play({ kind: "html" })).toThrow(
      "The mock plans at most 1,000 faults, and so many wait. Take them back with faults.clear(), or plan one for several requests with times",
    );
    expect((await ask("GET", "/v1/brands")).status).toBe(200);
    expect(faults.planned).toHaveLength(1_000);
    service.fork();
    faults.clear();
    expect(faults.play({ kind: "html" }).id).toBe("fault_1001");
  });

  test("outcomes wait", async () => {
    const { order, service } = createAdministered({ accounts });
    for (let count = 0; count < 1_000; count += 1) service.jobs.next({ fail: "x" });
    const refused = await order("POST", "/jobs/next", { fail: "x" });
    expect(refused.status).toBe(400);
    expect(refused.error).toContain("The mock plans at most 1,000 outcomes, and so many wait.");
  });
});

describe("a fault that is spent in the middle of others", () => {
  test("leaves the others as they were", async () => {
    const { faults, ask } = setUp();
    faults.play({ kind: "latency", ms: 1 });
    faults.play({ kind: "status", status: 503 });
    faults.play({ kind: "latency", ms: 1 }, { times: 2 });
    faults.play({ kind: "status", status: 504 });
    expect((await ask("GET", "/v1/jobs")).status).toBe(503);
    expect(faults.planned.map(({ id, played }) => [id, played])).toEqual([
      ["fault_3", 1],
      ["fault_4", 0],
    ]);
    expect((await ask("GET", "/v1/jobs")).status).toBe(504);
    expect(faults.planned).toEqual([]);
  });
});

describe("a pattern over HTTP", () => {
  const bait = `/v1/${"a".repeat(40)}!`;

  test("that takes too long is refused, and does not block the server", async () => {
    const { order, ask } = createAdministered();
    await ask("GET", bait);
    const pathPattern = "^/v1/(a+)+$";
    const query = new URLSearchParams({ pathPattern });
    const startedAt = performance.now();
    const listed = await order("GET", `/journal?${query}`);
    const asserted = await order("POST", "/journal/assert", { count: 0, filter: { pathPattern } });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const error = `pathPattern "^/v1/(a+)+$" takes more than 250 ms. Nested repetitions such as (a+)+ take a time that doubles with each letter`;
    expect([listed.status, listed.error]).toEqual([400, error]);
    expect([asserted.status, asserted.error]).toEqual([400, error]);
  });

  test("is tried on those paths only that the rest of the filter leaves", async () => {
    const { order, ask } = createAdministered();
    await ask("GET", bait);
    await ask("GET", "/v1/jobs");
    const query = new URLSearchParams({ pathPattern: "^/v1/(\\w+)+$", operation: "jobs.list" });
    expect((await order("GET", `/journal?${query}`)).data.total).toBe(1);
  });
});
