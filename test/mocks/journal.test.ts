import { describe, expect, test } from "vitest";
import { createAsk } from "./ask.ts";
import { setUp, start } from "./set-up.ts";

describe("the journal", () => {
  test("the journal keeps a whole request and its answer, and no key", async () => {
    const { service, journal } = setUp();
    const headers = { authorization: "Bearer test-key", "X-Trace": "1", cookie: "sid=1" };
    const body = { action: "edit-ad", variation: 2 };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await service.fetch("https://ads.test/api/v1/jobs?a=1", init);
    const answer = await response.json();
    expect(journal.entries).toEqual([
      {
        ...{ number: 1, at: start, operation: "jobs.submit", method: "POST" },
        ...{ path: "/api/v1/jobs?a=1", body, action: "edit-ad", unknownParameters: ["variation"] },
        ...{ jobId: answer.data.job_id, status: 202, answer, accepted: true },
        account: expect.stringMatching(/^test-…\w{4}$/),
        requestId: response.headers.get("x-request-id"),
        headers: expect.objectContaining({ authorization: "[redacted]", "x-trace": "1" }),
        ...{ fault: undefined, hint: undefined },
      },
    ]);
    expect(JSON.stringify(journal.entries)).not.toContain("test-key");
  });

  test("the journal keeps requests of unknown paths, without a key, or without an answer", async () => {
    const { service, faults, journal } = setUp();
    await service.fetch("https://ads.test/nowhere");
    faults.play({ kind: "reset", accepted: true });
    await createAsk(service)("GET", "/v1/jobs").catch(() => {});
    expect(journal.entries).toMatchObject([
      { operation: undefined, account: undefined, status: 401 },
      { operation: "jobs.list", status: undefined, accepted: true, fault: { kind: "reset" } },
    ]);
  });

  test("journal.find finds the requests that have the given fields, at any depth", async () => {
    const { journal, post, list, account } = setUp();
    await post({ prompt: "blue", look: { tone: "dry" } });
    await post({ prompt: "red" }, "test-b");
    await list(1);
    const numbers = (...given: Parameters<typeof journal.find>) =>
      journal.find(...given).map(({ number }) => number);
    expect(numbers()).toEqual([1, 2, 3]);
    expect(numbers({ operation: "jobs.submit", status: 202 })).toEqual([1, 2]);
    expect(numbers({ body: { look: { tone: "dry" } } })).toEqual([1]);
    expect(numbers({ account: "test-b" })).toEqual([2]);
    expect(account.journal.count).toBe(2);
    account.journal.clear();
    expect(numbers()).toEqual([2]);
    expect(() => journal.assertNone({ operatio: "jobs.list" } as object)).toThrow(
      'The mock\'s requests have no field "operatio"; did you mean operation?',
    );
  });

  test("a failed assertion of the journal says which requests it saw", async () => {
    const { journal, post, list } = setUp();
    await post({});
    await list(2);
    expect(journal.assertOne({ operation: "jobs.submit" }).number).toBe(1);
    expect(() => journal.assertCount(3, { operation: "jobs.list" })).toThrow(
      'Expected 3 of {"operation":"jobs.list"}, found 2;\n  saw 1 jobs.submit of generate-ad (202), 2 jobs.list (200)',
    );
  });

  test("an assertion fails once the journal has forgotten a request", async () => {
    const { journal, list } = setUp({ journalLimit: 2 });
    await list(3);
    expect(journal.entries.map(({ number }) => number)).toEqual([2, 3]);
    expect(() => journal.assertCount(2)).toThrow("has forgotten 1: raise journalLimit");
    journal.clear();
    journal.assertCount(0);
  });

  test.each([
    ...["authorization", "cookie", "x-api-key", "x-pass", "x-secret", "x-session", "x-signature"],
    ...["x-token", "x-credential", "cf-access-jwt-assertion"],
  ])("the journal redacts the header %s", async (name) => {
    const { service, journal } = setUp();
    const headers = { authorization: "Bearer test-key", "x-trace": "1", [name]: "Bearer hidden" };
    await service.fetch("https://ads.test/v1/brands", { headers });
    expect(journal.entries[0]?.headers[name]).toBe("[redacted]");
    expect(journal.entries[0]?.headers["x-trace"]).toBe("1");
  });
});
