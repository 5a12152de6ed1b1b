import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { failure, queued, success } from "../helpers/answers.ts";
import { list, refusalOf, refusing, submit } from "../helpers/calls.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const forbidden =
  "has a space, a line break or a character outside ASCII (read from a file? trim it)";
const doubled = 'begins with "Bearer ", which the client adds: pass the key alone';

/** Keys that cannot be sent: the problem as it is told. */
const malformed: [name: string, key: string, problem: string][] = [
  ["blank", "   ", forbidden],
  ["with a line break", "test-secret\r\nx-evil: 1", forbidden],
  ["with a trailing line break", "test-secret\n", forbidden],
  ["with a leading blank", " test-secret", forbidden],
  ["with a blank inside", "test secret", forbidden],
  ["with a tab", "test-\tsecret", forbidden],
  ["with a NUL", "test-\0secret", forbidden],
  ["with unicode", "test-secret\u2013", forbidden],
  ["with Latin-1", "test-secr\u00e9t", forbidden],
  ["with a zero-width blank", "test-secret\u200b", forbidden],
  ["with its scheme", "bearer test-secret", doubled],
];

const baseUrl = "http://ads.test";
const gave = "POST /v1/jobs was not sent: the apiKey function gave";

describe("the API key", () => {
  it.each(malformed)("is refused %s, without being quoted", async (_, apiKey, problem) => {
    const give = vi.fn(async () => apiKey);

    const error = await refusing(submit, { apiKey: give });

    expect(refusalOf({ baseUrl, apiKey })).toBe(`apiKey ${problem}`);
    expect(error).toMatchObject({ name: "ConfigError", code: "config", outcome: "not-sent" });
    expect(error.message).toBe(`${gave} a key that ${problem}`);
    expect(give).toHaveBeenCalledTimes(1);
  });

  it.each<[unknown, string]>([
    [undefined, "undefined"],
    [null, "null"],
    ["", "an empty text"],
    [7, "a number"],
    [1n, "a bigint"],
    [true, "a boolean"],
    [Symbol("key"), "a symbol"],
    [["ak-1"], "an array"],
    [{ key: "ak-1" }, "an object"],
    [new String("ak-1"), "an object"],
  ])("is refused when it is no text (%s)", async (apiKey, kind) => {
    const error = await refusing(submit, { apiKey: async () => apiKey as string });

    if (apiKey) {
      const message = `apiKey must be text, a function or null, got ${kind}`;
      expect(refusalOf({ baseUrl, apiKey })).toBe(message);
    }
    expect(error).toMatchObject({ code: "config", outcome: "not-sent" });
    expect(error.message).toBe(`${gave} ${kind}: it must give the key as text`);
  });

  it("is not sent at all when it is null, as a proxy adds it", async () => {
    const server = await listen(queued(), failure(401, "who are you?"));
    const client = clientOf(server, { apiKey: null });

    await client.jobs.submit(paidJob);
    const error = await rejection(client.jobs.submit(paidJob));

    expect(server.received[0]?.headers).not.toHaveProperty("authorization");
    expect(error.message).toBe("POST /v1/jobs answered 401: who are you?");
  });

  it("must begin with apiKeyPrefix, where that is given", async () => {
    const options = { baseUrl, apiKeyPrefix: "live-" };
    const problem = 'does not begin with apiKeyPrefix "live-"';

    expect(() => createClient({ ...options, apiKey: "live-1" })).not.toThrow();
    expect(refusalOf({ ...options, apiKey: "test-secret" })).toBe(`apiKey ${problem}`);
    const error = await refusing(list, { apiKeyPrefix: "live-", apiKey: () => "test-secret" });
    expect(error.name).toBe("ConfigError");
    expect(error.message).toBe(
      `GET /v1/jobs was not sent: the apiKey function gave a key that ${problem}`,
    );
  });
});

describe("an apiKey function", () => {
  it("is asked anew for every attempt, and not before the first", async () => {
    const server = await listen(failure(503, "busy", { "retry-after": "0" }), success([]));
    const apiKey = vi.fn(async () => `ak-${apiKey.mock.calls.length}`);
    const client = clientOf(server, { apiKey });
    expect(apiKey).not.toHaveBeenCalled();

    await client.brands.list();

    const keys = server.received.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(["Bearer ak-1", "Bearer ak-2"]);
  });

  const cause = Object.assign(new Error("no token today"), { token: "S3cr3t" });
  it.each([
    ["throws", () => expect.fail("no token today")],
    ["rejects", () => Promise.reject(cause)],
  ])("that %s fails the call, which sends nothing; its message is the cause", async (_, apiKey) => {
    const error = await refusing(submit, { apiKey, maxRetries: 0 });

    expect(error).toMatchObject({
      name: "ConnectionError",
      code: "connection",
      outcome: "not-sent",
    });
    expect(error.message).toBe(
      "POST /v1/jobs was not sent: the apiKey function failed: no token today",
    );
    expect(error.cause).toEqual(new Error("no token today"));
    expect(inspect(error, { showHidden: true, getters: true })).not.toContain("S3cr3t");
  });

  it("that throws once is asked again: nothing was sent", async () => {
    const server = await listen(queued());
    const apiKey = vi.fn(() => "ak-1").mockImplementationOnce(() => expect.fail("no token yet"));

    expect((await clientOf(server, { apiKey }).jobs.submit(paidJob)).job_id).toBe("job-1");
    expect(server.received).toHaveLength(1);
  });
});

describe("a warning", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const apiKey = "ak-S3cr3t";

  beforeEach(() => void warn.mockClear());
  afterEach(() => vi.unstubAllGlobals());

  /** Makes two clients with a library that has not warned yet, and gives its warnings. */
  const warningsOf = async (options: object): Promise<unknown[]> => {
    vi.resetModules();
    const library = await import("../../src/index.ts");
    for (let n = 0; n < 2; n++) library.createClient({ baseUrl, apiKey, ...options });
    return warn.mock.calls.map(([text]) => text);
  };
  const inPage =
    "adgen-sdk: everybody who visits this page can read apiKey. Let a server of yours add the key " +
    "(apiKey: null), or say that this is meant (allowBrowserKey: true).";

  it.each<[string, boolean, object, number]>([
    ["comes once for a key in a browser", true, {}, 1],
    ["comes for none where it is meant", true, { allowBrowserKey: true }, 0],
    ["comes for none that a proxy adds", true, { apiKey: null }, 0],
    ["comes for none that a function gives", true, { apiKey: () => "short-lived" }, 0],
    ["comes for none elsewhere", false, {}, 0],
  ])("%s", async (_, isPage, options, times) => {
    if (isPage) vi.stubGlobal("document", {});
    expect(await warningsOf(options)).toEqual(Array(times).fill(inPage));
  });

  it.each<[url: string, isTold: boolean, options?: object]>([
    ["http://api.example.com", true],
    ["http://10.0.0.7:8080/adgen", true],
    ["http://localhost.example.com", true],
    ["http://127.example.com", true],
    ["http://[2001:db8::1]", true],
    ["http://api.example.com", true, { apiKey: () => apiKey }],
    ["http://api.example.com", false, { apiKey: null }],
    ["http://localhost:3000", false],
    ["http://ads.localhost", false],
    ["http://127.0.0.1:8080", false],
    ["http://127.1.2.3", false],
    ["http://[::1]:8080", false],
    ["http://ads.test", false],
    ["https://api.example.com", false],
    ["/adgen", false],
  ])("comes once for a key over plain http: %s, %j", async (url, isTold, options) => {
    const text = `adgen-sdk: apiKey goes unencrypted to ${url}: use https.`;
    expect(await warningsOf({ baseUrl: url, ...options })).toEqual(isTold ? [text] : []);
  });
});
