import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type CallOptions, type ClientOptions, createClient } from "../../src/client/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { listJobs, refusalOf, refusing, respondWithData, submitJob } from "../helpers/calls.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

beforeEach(() => {
  vi.stubEnv("ADGEN_BASE_URL", undefined);
  vi.stubEnv("ADGEN_API_KEY", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const given = { baseUrl: "http://ads.test", apiKey: "ak-1" };
const noKey =
  "apiKey is missing: pass it to createClient, or set ADGEN_API_KEY; pass null if a proxy adds it";

it("the environment gives base URL and key if the options don't", async () => {
  const server = await listen(success([]));
  vi.stubEnv("ADGEN_BASE_URL", `${server.url}/env`);
  vi.stubEnv("ADGEN_API_KEY", "ak-env");

  await createClient().jobs.list();
  await createClient({ apiKey: "ak-own" }).jobs.list();
  await createClient({ baseUrl: server.url }).jobs.list();
  await createClient({ apiKey: null }).jobs.list();

  expect(server.received.map(({ url, headers }) => `${url} ${headers.authorization}`)).toEqual([
    "/env/v1/jobs Bearer ak-env",
    "/env/v1/jobs Bearer ak-own",
    "/v1/jobs Bearer ak-env",
    "/env/v1/jobs undefined",
  ]);
});

it.each([undefined, "", null])("an empty base URL or key, or %j, counts as missing", (none) => {
  vi.stubEnv("ADGEN_BASE_URL", "");
  vi.stubEnv("ADGEN_API_KEY", "");
  const noBaseUrl = "baseUrl is missing: pass it to createClient, or set ADGEN_BASE_URL";
  expect(refusalOf({ ...given, baseUrl: none })).toBe(noBaseUrl);
  expect(refusalOf({ ...given, apiKey: none ?? undefined })).toBe(noKey);
});

const locked = Object.defineProperty({}, "env", {
  get: () => expect.fail("Requires env access"),
});
const noEnv = noKey.replace(";", " (Deno reads it with --allow-env only);");
it.each<[string, object | undefined, string]>([
  ["is no process", undefined, noKey],
  ["is a process without env", {}, noKey],
  ["is an env that may not be read", locked, noEnv],
])("no environment is needed if there %s", (_, process, message) => {
  vi.stubGlobal("process", process);
  expect(() => createClient(given)).not.toThrow();
  expect(refusalOf({ baseUrl: "http://ads.test" })).toBe(message);
});

const maxMs = 2 ** 31 - 1;
const ms = "a number of milliseconds from 1 to 2147483647";
const signal = "an AbortSignal (of a controller: its signal)";
const schema = "a Standard Schema (zod 3.24, valibot 1, arktype 2, or newer)";
const bytes = "a number of bytes of 1 or more";
const noMs = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, maxMs + 1, "100", true, {}];

const ofBoth = ["createClient", "jobs.submit"];
const ofClient = ["createClient"];
const ofCall = ["jobs.submit"];

/** Rows: the owners of an option, what it must be, and values that it must not have. */
const bad: [owners: string[], name: string, kind: string, values: readonly unknown[]][] = [
  [ofBoth, "timeoutMs", ms, noMs],
  [ofBoth, "totalTimeoutMs", ms, noMs],
  [ofBoth, "maxRetries", "a whole number from 0 to 10", [-1, 11, 1.5, Number.NaN, 1 / 0, "2", {}]],
  [ofBoth, "headers", "an object of texts", [5, "a: b", ["a"]]],
  [ofClient, "baseUrl", "text or a URL", [5, true, { toString: String }, [given.baseUrl], String]],
  [ofClient, "maxResponseBytes", bytes, [0, -1, Number.NaN, 1 / 0, "1", null]],
  [ofClient, "apiKeyPrefix", "text", [1, null]],
  [ofClient, "callIds", "true or false", [1, "true"]],
  [ofClient, "allowBrowserKey", "true or false", [1, "true"]],
  [ofClient, "fetch", "a function", ["fetch", {}, 5]],
  [ofClient, "ky", "a function", ["ky", {}, 5]],
  [ofClient, "submissions", "what createSubmissions(store) makes", [null, "{}", { version: 1 }]],
  [ofClient, "hooks.onFailure", "a function", ["log", {}]],
  [ofClient, "schemas.brand", schema, [5, null, {}, { "~standard": {} }]],
  [ofClient, "schemas.savedAd", schema, [{}]],
  [ofClient, "schemas.results.copy-ad", schema, [{}]],
  [ofCall, "onResponse", "a function", ["log", {}]],
  [ofCall, "signal", signal, [null, {}, new AbortController(), "abort"]],
];

/** Makes `{ a: { b: value } }` of `a.b`. */
const nest = (name: string, value: unknown): object =>
  name.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as object;

/** How a message shows a value. */
const shown = (value: unknown): string => {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function") return "a function";
  if (typeof value === "object") return value ? "an object" : "null";
  return typeof value === "number" ? String(value) : JSON.stringify(value);
};

const names = {
  createClient:
    "baseUrl, apiKey, apiKeyPrefix, fetch, ky, headers, timeoutMs, totalTimeoutMs, maxRetries, " +
    "maxResponseBytes, schemas, submissions, callIds, allowBrowserKey, hooks, log",
  "jobs.submit": "signal, timeoutMs, totalTimeoutMs, maxRetries, headers, onResponse, once",
  schemas: "brand, savedAd, results",
  "schemas.results":
    "copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, image-a-pro, video-a-2, " +
    "video-a-2-pro, video-b-3-0",
  hooks: "onRequest, onResponse, onFailure, onDrift",
};

/** Returns the refusal of options by the client, one of its groups, or a call. */
const refusalBy = async (owner: string, options: unknown): Promise<string> => {
  if (owner === "createClient") return refusalOf(options);
  if (owner !== "jobs.submit") return refusalOf({ ...given, ...nest(owner, options) });
  const error = await refusing(({ jobs }) => jobs.submit(paidJob, options as CallOptions));
  const { name, code, outcome, message } = error;
  expect([name, code, outcome]).toEqual(["InvalidRequestError", "invalid_request", "not-sent"]);
  return message;
};

it.each(bad)("options of %j with a bad %s are refused by name, kind and value", async (...row) => {
  const [owners, name, kind, values] = row;
  for (const value of values) {
    const message = `${name} must be ${kind}, got ${shown(value)}`;
    for (const owner of owners) {
      const others = owner === "createClient" ? given : {};
      expect(await refusalBy(owner, { ...others, ...nest(name, value) })).toBe(message);
    }
  }
});

it.each(Object.entries(names))("%s takes an object of known options only", async (owner, all) => {
  for (const options of ["https://ads.test", null, [given]]) {
    const message = `${owner} takes an object: { ${all} }, got ${shown(options)}`;
    expect(await refusalBy(owner, options)).toBe(message);
  }
  for (const name of ["xy", "colour", "Zebra"]) {
    const message = `${owner} has no option "${name}"; it has ${all}`;
    expect(await refusalBy(owner, { [name]: 1 })).toBe(message);
    expect(await refusalBy(owner, { [name]: undefined })).toBe(message);
  }
});

it.each([
  ["createClient", "baseURL", "baseUrl"],
  ["createClient", "base_url", "baseUrl"],
  ["createClient", "defaultHeaders", "headers"],
  ["createClient", "timeout", "timeoutMs"],
  ["createClient", "retries", "maxRetries"],
  ["createClient", "key", "apiKey"],
  ["hooks", "request", "onRequest"],
  ["jobs.submit", "abortSignal", "signal"],
])("the refusal of %s's option %s names the option that is meant", async (owner, name, meant) => {
  const message = `${owner} has no option "${name}"; did you mean ${meant}?`;
  expect(await refusalBy(owner, { [name]: 1 })).toBe(message);
});

it("a client's options are copied, so later changes have no effect", async () => {
  const server = await listen(success([]));
  const options = { baseUrl: server.url, apiKey: "ak-1", headers: { "x-a": "1" } };
  const client = createClient(options);
  Object.assign(options, { baseUrl: "http://evil.test", apiKey: "ak-2" });
  options.headers["x-a"] = "2";

  await client.jobs.list();

  const { headers } = server.received[0] ?? {};
  expect(headers).toMatchObject({ authorization: "Bearer ak-1", "x-a": "1" });
});

it("all options may be undefined", async () => {
  const server = await listen(queued());
  const none = (text: string) =>
    Object.fromEntries(text.split(", ").map((name) => [name, undefined]));
  const options: ClientOptions = none(names.createClient);
  const client = createClient({ ...options, baseUrl: server.url, apiKey: "ak-1" });

  expect((await client.jobs.submit(paidJob, none(names["jobs.submit"]))).job_id).toBe("job-1");
});

const page = { href: "https://shop.test/admin/ads.html" };

/** Gives the URLs that requests go to, through the global `fetch`. */
const noteTargets = (): string[] => {
  const urls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    urls.push(url);
    return respondWithData([]);
  });
  return urls;
};

const noQuery = "must not have a query or a fragment (what follows ? or #)";
const noUser = "must not hold a user name or a password (use apiKey)";
const noVersion = "must not end in /v1 (the client adds it)";

/** Texts that are refused as base URLs, by their problem. */
const refused: [problem: string, texts: string[]][] = [
  [noQuery, ["https://ads.test/?key=1", "https://ads.test/#top"]],
  [noUser, ["https://user:secret@ads.test", "https://secret@ads.test"]],
  [noVersion, ["https://ads.test/v1", "https://ads.test/api/v1/", "https://ads.test/v1//"]],
  [
    "must begin with http:// or https://",
    [
      ...["https://user:secret@ads test", "user:secret@ads.test", "ftp://user:secret@ads.test"],
      ...["ftp://ads.test", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,a"],
      ...["blob:https://ads.test/1", "ws://ads.test", "ads.test", "ads.test:8080", "api"],
      ...["https://", "https://ads test", "not a URL", "//ads.test/adgen", "//ads.test"],
      ...["/\\ads.test", "/\t/ads.test", "///ads.test"],
    ],
  ],
];

it.each<[baseUrl: string | URL, url: string, isInPage?: true]>([
  ["https://ads.test", "https://ads.test/v1/jobs"],
  ["https://ads.test/", "https://ads.test/v1/jobs"],
  ["https://ads.test///", "https://ads.test/v1/jobs"],
  ["https://ads.test/api", "https://ads.test/api/v1/jobs"],
  ["https://ads.test/api/ads//", "https://ads.test/api/ads/v1/jobs"],
  ["https://ads.test/a/../b", "https://ads.test/b/v1/jobs"],
  ["https://ads.test/%2e%2e/b%2Fc", "https://ads.test/b%2Fc/v1/jobs"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/jobs"],
  ["http://[::1]:8080/x", "http://[::1]:8080/x/v1/jobs"],
  ["HTTPS://ADS.test", "https://ads.test/v1/jobs"],
  [" https://ads.test ", "https://ads.test/v1/jobs"],
  ["https://ads.test/?", "https://ads.test/v1/jobs"],
  [new URL("https://ads.test/api/"), "https://ads.test/api/v1/jobs"],
  ["/api", "https://shop.test/api/v1/jobs", true],
  ["./api", "https://shop.test/admin/api/v1/jobs", true],
  ["../api/", "https://shop.test/api/v1/jobs", true],
  ["./adgen//", "https://shop.test/admin/adgen/v1/jobs", true],
  ["/adgen//x", "https://shop.test/adgen//x/v1/jobs", true],
])("the base URL %s leads to %s, by the caller's fetch too", async (baseUrl, url, isInPage) => {
  if (isInPage) vi.stubGlobal("location", page);
  const urls = noteTargets();
  const fetch = (request: Request) => globalThis.fetch(request.url);

  await createClient({ baseUrl, apiKey: null }).jobs.list();
  await createClient({ baseUrl, apiKey: null, fetch }).jobs.list();

  expect(urls).toEqual([url, url]);
});

it.each(refused)("the base URL %s, or it is refused", (problem, texts) => {
  for (const baseUrl of texts) {
    // An address that may hold a secret is not quoted.
    const got = /[@?#]/.test(baseUrl) ? "" : `, got ${JSON.stringify(baseUrl.replace("\t", " "))}`;
    for (const location of [undefined, page]) {
      vi.stubGlobal("location", location);
      expect(refusalOf({ baseUrl, apiKey: null })).toBe(`baseUrl ${problem}${got}`);
    }
  }
});

it.each(["/", "/adgen", "./adgen", "../adgen", "./adgen//", "/adgen//x"])(
  "the relative base URL %s without a page is refused at the first call",
  async (url) => {
    const urls = noteTargets();
    const client = clientOf({ url }, { apiKey: null });
    const message =
      `baseUrl "${url}" is relative, and there is no page here to complete it: ` +
      "call it in a browser, or give the whole address";

    const read = await rejection(listJobs(client));
    const write = await rejection(submitJob(client));

    for (const error of [read, write]) expect(error).toMatchObject({ code: "config", message });
    expect([read.outcome, write.outcome]).toEqual([undefined, "not-sent"]);
    expect(urls).toEqual([]);
  },
);
