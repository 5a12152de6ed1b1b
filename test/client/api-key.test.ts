import { inspect } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ClientOptions } from "../../src/client/index.ts";
import {
  answerWithText,
  cutBody,
  failure,
  queued,
  resetConnection,
  silence,
  success,
} from "../helpers/answers.ts";
import {
  clientOver,
  createBrand,
  envelopeText,
  failing,
  getJob,
  listJobs,
  refusalOf,
  refusing,
  schemaOf,
  submitJob,
  updateBrand,
} from "../helpers/calls.ts";
import { clientOf, fetchError, rejection } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { printed } from "../helpers/key-spellings.ts";

const baseUrl = "http://ads.test";
const gave = "POST /v1/jobs was not sent: the apiKey function gave";

/** Problems, and the keys that have them. */
const malformed: [problem: string, keys: string[], apiKeyPrefix?: string][] = [
  [
    "has a space, a line break or a character outside ASCII (read from a file? trim it)",
    [
      ...["   ", " test-secret", "test secret", "test-\tsecret", "test-\0secret", "test-secret\n"],
      ...["test-secret\r\nx-evil: 1", "test-secret\u2013", "test-secr\u00e9t", "test-secret\u200b"],
    ],
  ],
  ['begins with "Bearer ", which the client adds: pass the key alone', ["bearer test-secret"]],
  ['does not begin with apiKeyPrefix "live-"', ["test-secret"], "live-"],
];

it.each(malformed)("an API key that %s is refused without being quoted", async (...row) => {
  const [problem, keys, apiKeyPrefix] = row;
  for (const apiKey of keys) {
    const give = vi.fn(async () => apiKey);

    const error = await refusing(submitJob, { apiKey: give, apiKeyPrefix });

    expect(refusalOf({ baseUrl, apiKey, apiKeyPrefix })).toBe(`apiKey ${problem}`);
    expect(error).toMatchObject({ name: "ConfigError", code: "config", outcome: "not-sent" });
    expect(error.message).toBe(`${gave} a key that ${problem}`);
    expect(give).toHaveBeenCalledTimes(1);
  }
});

it.each<[unknown, string]>([
  [undefined, "undefined"],
  [null, "null"],
  ["", "an empty text"],
  [7, "a number"],
  [["ak-1"], "an array"],
  [new String("ak-1"), "an object"],
])("an API key that isn't text is refused (%s)", async (apiKey, kind) => {
  const error = await refusing(submitJob, { apiKey: async () => apiKey as string });

  if (apiKey) {
    const message = `apiKey must be text, a function or null, got ${kind}`;
    expect(refusalOf({ baseUrl, apiKey })).toBe(message);
  }
  expect(error).toMatchObject({ code: "config", outcome: "not-sent" });
  expect(error.message).toBe(`${gave} ${kind}: it must give the key as text`);
});

it("no API key is sent if it is null, and a 401 then asks for a proxy", async () => {
  const answer = failure(401, "who are you?");
  const { error, received } = await failing(answer, submitJob, { apiKey: null });
  expect(received[0]?.headers).not.toHaveProperty("authorization");
  const hint = "apiKey is null, which sends no key: is there a proxy at baseUrl that adds one?";
  expect(error.message).toBe(`POST /v1/jobs answered 401: who are you?; ${hint}`);
  // This answer is of this package's proxy, so the message needs no advice to set one up.
  const byProxy = failure(401, "sign in", { "adgen-outcome": "refused" });
  const { error: refused } = await failing(byProxy, submitJob, { apiKey: null });
  expect(refused.message).toBe("POST /v1/jobs answered 401: sign in");
  const { error: read } = await failing(answer, listJobs, { apiKey: null });
  expect(read.message).toBe(`GET /v1/jobs answered 401: who are you?; ${hint}`);
  // A page that calls its own origin has a proxy there, which adds no header to reads.
  const { error: ofPage } = await failing(answer, listJobs, { apiKey: null, callIds: true });
  expect(ofPage.message).toBe("GET /v1/jobs answered 401: who are you?");
  const other = failure(402, "no credits");
  const { error: poor } = await failing(other, submitJob, { apiKey: null });
  expect(poor.message).not.toContain(hint);
  const { error: ofKey } = await failing(answer, submitJob);
  expect(ofKey.message).toBe("POST /v1/jobs answered 401: who are you?");
});

it("an apiKey function is called anew for every attempt, and not before the first", async () => {
  const server = await listen(failure(503, "busy", { "retry-after": "0" }), success([]));
  const apiKey = vi.fn(async () => `ak-${apiKey.mock.calls.length}`);
  const client = clientOf(server, { apiKey, apiKeyPrefix: "ak-" });
  expect(apiKey).not.toHaveBeenCalled();

  await client.brands.list();

  const keys = server.received.map(({ headers }) => headers.authorization);
  expect(keys).toEqual(["Bearer ak-1", "Bearer ak-2"]);
});

const cause = Object.assign(new Error("no token today"), { token: "S3cr3t" });
it.each([
  ["throws", () => expect.fail("no token today")],
  ["rejects", () => Promise.reject(cause)],
])("an apiKey function that %s fails the call, which sends nothing", async (_, apiKey) => {
  const error = await refusing(submitJob, { apiKey, maxRetries: 0 });

  const name = "ConnectionError";
  expect(error).toMatchObject({ name, code: "connection", outcome: "not-sent" });
  const failed = "POST /v1/jobs was not sent: the apiKey function failed: no token today";
  expect(error.message).toBe(failed);
  expect(error.cause).toEqual(new Error("no token today"));
  expect(inspect(error, { showHidden: true, getters: true })).not.toContain("S3cr3t");
});

it("an apiKey function that throws once is called again, as nothing was sent", async () => {
  const server = await listen(queued());
  const apiKey = vi.fn(() => "ak-1").mockImplementationOnce(() => expect.fail("no token yet"));

  expect(await submitJob(clientOf(server, { apiKey }))).toMatchObject({ job_id: "job-1" });
  expect(server.received).toHaveLength(1);
});

const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
const apiKey = "ak-S3cr3t";

beforeEach(() => void warn.mockClear());
afterEach(() => vi.unstubAllGlobals());

/** Creates two clients with a fresh copy of the library, and returns its warnings. */
const warningsOf = async (options: object): Promise<unknown[]> => {
  vi.resetModules();
  const library = await import("../../src/client/index.ts");
  for (let n = 0; n < 2; n++) library.createClient({ baseUrl, apiKey, ...options });
  return warn.mock.calls.map(([text]) => text);
};
const inPage =
  "adgen-sdk: everybody who visits this page can read apiKey. Let a server of yours add the key " +
  "(apiKey: null), or say that this is meant (allowBrowserKey: true).";
const unencrypted = (url: string) => `adgen-sdk: apiKey goes unencrypted to ${url}: use https.`;
const remote = "http://api.example.com";

it.each<[place: string, options: object, warning?: string]>([
  ["a page", {}, inPage],
  ["a page", { allowBrowserKey: true }],
  ["a page", { apiKey: null }],
  ["a page", { apiKey: () => "short-lived" }],
  ["Node", {}],
  ["Node", { baseUrl: remote, apiKey: () => apiKey }, unencrypted(remote)],
  ["Node", { baseUrl: remote, apiKey: null }],
  ...[
    ...[remote, "http://10.0.0.7:8080/adgen", "http://localhost.example.com"],
    ...["http://127.example.com", "http://[2001:db8::1]"],
  ].map((url): [string, object, string] => ["Node", { baseUrl: url }, unencrypted(url)]),
  ...[
    ...["http://localhost:3000", "http://ads.localhost", "http://127.0.0.1:8080"],
    ...["http://127.1.2.3", "http://[::1]:8080", baseUrl, "https://api.example.com", "/adgen"],
  ].map((url): [string, object] => ["Node", { baseUrl: url }]),
])("a client in %s with %j warns about its key once, or never", async (place, options, warning) => {
  if (place === "a page") vi.stubGlobal("document", {});
  expect(await warningsOf(options)).toEqual(warning === undefined ? [] : [warning]);
});

const secret = "ak-S3cr3t+Key/With=Signs.$&";
const options: ClientOptions = { apiKey: secret, maxRetries: 0 };

const expectNoKey = (value: unknown): void => {
  expect(printed(value)).not.toContain(secret);
  expect(printed(value)).not.toContain("S3cr3t");
};

/** Echoes the key wherever a response can hold it. */
const echoing =
  (status: number, body: (key: string) => string): Answer =>
  (response, { url, body: sent, headers: { authorization: key = "", ...others } }) => {
    expect(key).toBe(`Bearer ${secret}`);
    // The key is in one header, and nowhere else in the request.
    expectNoKey({ url, sent, others });
    const headers = {
      "x-request-id": `id of ${key}`,
      location: `https://evil.test/?key=${encodeURIComponent(key)}`,
      "x-echo": key,
      "www-authenticate": key,
    };
    response.writeHead(status, headers).end(body(key));
  };

const envelope = (key: string) =>
  JSON.stringify({ success: false, data: null, error: `bad key ${key} and ${key}` });
const page = (key: string) => `<html>${key}</html>`;

it.each<[string, Answer]>([
  ["a 401 that repeats it", echoing(401, envelope)],
  ["a 400 that lists it", echoing(400, (key) => envelope(`Invalid action. Supported: ${key}, `))],
  ["a 500 with a page that repeats it", echoing(500, page)],
  ["a 200 with a page that repeats it", echoing(200, page)],
  ["a redirect with it in the location", echoing(302, page)],
  ["a page whose type it is", answerWithText(200, "<html>", { "content-type": `text/${secret}` })],
  ["a success that says failure", echoing(200, envelope)],
  ["a success without an envelope", echoing(200, (key) => JSON.stringify({ key }))],
  ["a success with wrong data", echoing(200, (key) => envelopeText({ job_id: key, key }))],
  ["a reset", resetConnection],
  ["a cut body", cutBody()],
  ["silence", silence],
])("the API key is not in the error after %s", async (_, answer) => {
  const fixed = { ...options, ...(answer === silence && { timeoutMs: 80 }) };
  const ofFunction = { ...fixed, apiKey: async () => secret };
  expectNoKey((await failing(answer, submitJob, fixed)).error);
  expectNoKey((await failing(answer, getJob, ofFunction)).error);
});

it("the API key is cut out of the service's message, and the rest stays", async () => {
  const { error } = await failing(echoing(401, envelope), submitJob, options);
  expect(error.message).toBe("POST /v1/jobs answered 401: bad key Bearer *** and Bearer ***");
  expect(error.requestId).toBe("id of Bearer ***");
});

it("the API key is cut out before the message is shortened, also at the edge", async () => {
  for (let padding = 500 - secret.length; padding <= 500; padding++) {
    const body = { success: false, error: "x".repeat(padding) + secret };
    const client = clientOver(async () => Response.json(body, { status: 400 }), options);
    expect((await rejection(submitJob(client))).message).not.toContain("ak-S");
  }
});

const keyOf = (request: Request): string => request.headers.get("authorization") ?? "";
const errorWith = (facts: object) => Object.assign(new Error("no"), facts);
it.each<[string, (request: Request) => unknown]>([
  ["holds the request", (request) => errorWith({ request })],
  ["holds its headers", ({ headers }) => errorWith({ config: { headers } })],
  ["quotes the key", (request) => new Error(`cannot send ${keyOf(request)}`)],
  ["has the key in its cause", (request) => new Error("no", { cause: new Error(keyOf(request)) })],
  ["has the key in its code", (request) => errorWith({ code: keyOf(request) })],
  ["has the key in its name", (request) => errorWith({ name: keyOf(request) })],
  ["is the header's text", keyOf],
  ["is an object with the key", (request) => ({ message: keyOf(request), request })],
  ["is a request", (request) => request],
  ["is a failed connection", (request) => Object.assign(fetchError("ECONNRESET"), { request })],
])("the API key is not in the error when fetch throws a value that %s", async (_, errorOf) => {
  const fetch = (request: Request) => Promise.reject(errorOf(request));
  const error = await rejection(submitJob(clientOver(fetch, options)));

  expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
  expect(error.cause).toBeInstanceOf(Error);
  expectNoKey(error);
});

it("the API key is not in a schema's message about a response that repeats the key", async () => {
  const brand = schemaOf((value) => {
    const message = `received\r\n\u001b[31m${JSON.stringify(value)}`;
    return { issues: [{ message, path: [secret, "no\nte"] }] };
  });
  const answer = success({ id: "b", note: `key ${secret}` });

  const { error } = await failing(answer, createBrand, { ...options, schemas: { brand } });

  expect(error).toMatchObject({ code: "decode", issues: [{ path: ["***", "no te"] }] });
  expect(error.message).toContain("received");
  expect(error.message + JSON.stringify(error)).not.toMatch(/S3cr3t|[\p{Cc}\u2028\u2029]/u);
});

it("the API key is not in the printed client", () => {
  const client = clientOf({ url: "http://ads.test" }, options);
  for (const value of [client, client.jobs, client.brands]) expectNoKey(value);
  expect(Object.values(client.jobs).map(String).join()).not.toContain("S3cr3t");
});

it("the API key is neither in events of hooks, nor in the output of hooks that fail", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const events: unknown[] = [];
  const note = (event: unknown): void => {
    events.push(event);
    throw new Error("a bug in the hook");
  };
  const hooks = { onRequest: note, onResponse: note, onFailure: note, onDrift: note };
  const again = { ...options, maxRetries: 1, timeoutMs: 5_000, hooks };

  await failing(echoing(503, envelope), getJob, again);
  await updateBrand(clientOf(await listen(success({ id: "b" })), { ...again, apiKey: secret }));

  expect(events).toHaveLength(8);
  expectNoKey(events);
  expect(print).toHaveBeenCalledTimes(8);
  expectNoKey(print.mock.calls);
  print.mockRestore();
});
