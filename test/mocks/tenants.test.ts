import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { createAsk, failure, read } from "./ask.ts";

const unauthorized = failure("API key invalid or missing");

describe("the API key", () => {
  test.each([
    ["is missing", undefined],
    ["is empty", ""],
    ["is not the one of any account", "Bearer test-other"],
    ["has no scheme", "test-key"],
    ["is of another scheme", "Basic test-key"],
    ["has its scheme twice", "Bearer Bearer test-key"],
    ["comes right after its scheme", "Bearertest-key"],
    ["is in other letters", "Bearer TEST-KEY"],
    ["is followed by more", "Bearer test-key more"],
    ["is a name that every object has", "Bearer constructor"],
    ["is nothing", "Bearer "],
  ])("gives 401 when it %s", async (_, authorization) => {
    const { fetch, account } = createMockService();
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const [method, path, body] of [
      ["GET", "/v1/jobs", undefined],
      ["POST", "/v1/jobs", '{"action":"generate-ad"}'],
      ["POST", "/v1/jobs", "not JSON"],
      ["GET", "/v1/unknown", undefined],
    ] as const) {
      const init = body === undefined ? { method, headers } : { method, headers, body };
      const { status, text } = await read(await fetch(`https://ads.test${path}`, init));
      expect(status).toBe(401);
      expect(text).toBe(unauthorized);
    }
    expect(account("test-key").ledger).toHaveLength(2);
  });

  test("may have any prefix, and is checked against one that is given", async () => {
    const service = createMockService({ apiKeyPrefix: "live-" });
    expect((await createAsk(service, "live-key")("GET", "/v1/jobs")).status).toBe(200);
    expect((await createAsk(service)("GET", "/v1/jobs")).status).toBe(401);
    const own = createMockService({ accounts: { "sk-1": {} } });
    expect((await createAsk(own, "sk-1")("GET", "/v1/jobs")).status).toBe(200);
  });
});

describe("two tenants", () => {
  const setUp = () => {
    const service = createMockService({ accounts: { "test-a": {}, "test-b": {} } });
    return { service, a: createAsk(service, "test-a"), b: createAsk(service, "test-b") };
  };

  test("are listed, and found by their keys", () => {
    const { service } = setUp();
    expect(service.accounts.map(({ key }) => key)).toEqual(["test-a", "test-b"]);
    expect(service.account("test-b")).toBe(service.accounts[1]);
    expect(() => service.account("test-c")).toThrow('no account "test-c"; it has test-a, test-b');
  });
});

describe("the scheme of the API key", () => {
  test.each([
    ["in small letters", "bearer test-key"],
    ["in capitals", "BEARER test-key"],
    ["with several spaces", "Bearer   test-key"],
    ["with a tab", "Bearer\ttest-key"],
    ["with a space at the end", "Bearer test-key "],
  ])("may be written %s", async (_, authorization) => {
    const service = createMockService();
    const reply = service.replyNow({
      ...{ method: "GET", url: "https://ads.test/v1/jobs", body: "" },
      authorization,
    });
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty("www-authenticate");
    service.account("test-key").journal.assertCount(1, { status: 200 });
  });

  test("is named by every 401", async () => {
    const { fetch } = createMockService();
    for (const path of ["/v1/jobs", "/v1/unknown"]) {
      const { status, headers } = await fetch(`https://ads.test${path}`);
      expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
  });
});

describe("a reply with 401 has a hint for a person", () => {
  const ask = (service: ReturnType<typeof createMockService>, authorization: string | null) =>
    service.replyNow({ method: "GET", url: "https://ads.test/v1/jobs", body: "", authorization });

  test("that names keys of the mock, and not the one of the request", () => {
    const service = createMockService();
    const reply = ask(service, "Bearer sk-real-secret");
    expect(reply.hint).toBe('no account has the key of the request; the mock has "test-key"');
    expect(reply.body).toBe(unauthorized);
    for (const key of ["b", "c", "d", "e"]) service.addAccount(`test-${key}`);
    expect(ask(service, "Bearer x").hint).toContain('"test-key", "test-b", "test-c", 2 more');
    for (const { key } of service.accounts) service.removeAccount(key);
    expect(ask(service, "Bearer x").hint).toContain("the mock has no account");
  });

  test("that tells when there is no key at all, and none with other answers", () => {
    const service = createMockService();
    const withoutKey = 'the request has no header "Authorization: Bearer <key>"';
    expect(ask(service, null).hint).toBe(withoutKey);
    expect(ask(service, "Basic test-key").hint).toBe(withoutKey);
    expect(ask(service, "Bearer test-key").hint).toBeUndefined();
  });
});
