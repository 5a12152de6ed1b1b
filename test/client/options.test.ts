import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CallOptions, type ClientOptions, createClient } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { refusalOf, refusing } from "../helpers/calls.ts";
import { paidJob } from "../helpers/client.ts";
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
  "apiKey is missing: pass it to createClient, or set ADGEN_API_KEY; null says that a proxy adds it";

describe("the environment", () => {
  it("gives base URL and key, where the options do not", async () => {
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

  it.each([undefined, "", null])("counts as missing where it is empty, and so does %j", (none) => {
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
  ])("is not needed where there %s", (_, process, message) => {
    vi.stubGlobal("process", process);
    expect(() => createClient(given)).not.toThrow();
    expect(refusalOf({ baseUrl: "http://ads.test" })).toBe(message);
  });
});

const maxMs = 2 ** 31 - 1;
const ms = "a number of milliseconds from 1 to 2147483647";
const signal = "an AbortSignal (of a controller: its signal)";
const schema = "a Standard Schema (zod 3.24, valibot 1, arktype 2, or newer)";
const bytes = "a number of bytes of 1 or more";
const learned = "what createLearnedDurations(snapshot) makes";
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
  [ofClient, "maxResponseBytes", bytes, [0, -1, Number.NaN, 1 / 0, "1", null]],
  [ofClient, "apiKeyPrefix", "text", [1, null]],
  [ofClient, "callIds", "true or false", [1, "true"]],
  [ofClient, "allowBrowserKey", "true or false", [1, "true"]],
  [ofClient, "fetch", "a function", ["fetch", {}, 5]],
  [ofClient, "durations", learned, [null, "{}", { version: 1 }]],
  [ofClient, "submissions", "what createSubmissions(store) makes", [null, "{}", { version: 1 }]],
  [ofClient, "hooks.onRetry", "a function", ["log", {}]],
  [ofClient, "schemas.brand", schema, [5, null, {}, { "~standard": {} }]],
  [ofClient, "schemas.savedAd", schema, [{}]],
  [ofClient, "schemas.results.copy-ad", schema, [{}]],
  [ofCall, "onResponse", "a function", ["log", {}]],
  [ofCall, "signal", signal, [null, {}, new AbortController(), "abort"]],
];

/** Makes `{ a: { b: value } }` of `a.b`. */
const nest = (name: string, value: unknown): object =>
  name.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as object;

/** Texts of values in a message, where JSON does not say them. */
const shown = (value: unknown): string => {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return value ? "an object" : "null";
  return typeof value === "number" ? String(value) : JSON.stringify(value);
};

const names = {
  createClient:
    "baseUrl, apiKey, apiKeyPrefix, fetch, headers, timeoutMs, totalTimeoutMs, maxRetries, " +
    "maxResponseBytes, schemas, durations, submissions, callIds, allowBrowserKey, hooks",
  "jobs.submit": "signal, timeoutMs, totalTimeoutMs, maxRetries, headers, onResponse, once",
  schemas: "brand, savedAd, results",
  "schemas.results":
    "copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, image-a-pro, video-a-2, " +
    "video-a-2-pro, video-b-3-0",
  hooks: "onRequest, onResponse, onRetry, onDrift",
};

/** Gives the refusal of options of their owner: of the client, of one of its groups, or of a call. */
const refusalBy = async (owner: string, options: unknown): Promise<string> => {
  if (owner === "createClient") return refusalOf(options);
  if (owner !== "jobs.submit") return refusalOf({ ...given, ...nest(owner, options) });
  const error = await refusing(({ jobs }) => jobs.submit(paidJob, options as CallOptions));
  const { name, code, outcome, message } = error;
  expect([name, code, outcome]).toEqual(["InvalidRequestError", "invalid_request", "not-sent"]);
  return message;
};

describe("options", () => {
  it.each(bad)("of %j with a bad %s are refused by name, kind and value", async (...row) => {
    const [owners, name, kind, values] = row;
    for (const value of values) {
      const message = `${name} must be ${kind}, got ${shown(value)}`;
      for (const owner of owners) {
        const others = owner === "createClient" ? given : {};
        expect(await refusalBy(owner, { ...others, ...nest(name, value) })).toBe(message);
      }
    }
  });

  it.each(Object.entries(names))("of %s are an object of known ones alone", async (owner, all) => {
    for (const options of ["https://ads.test", null, [given]]) {
      const message = `${owner} takes an object: { ${all} }, got ${shown(options)}`;
      expect(await refusalBy(owner, options)).toBe(message);
    }
    for (const name of ["baseURL", "timeout", "retry", "idempotencyKey", "Headers", "Brand"]) {
      const message = `${owner} has no option "${name}"; it has ${all}`;
      expect(await refusalBy(owner, { [name]: 1 })).toBe(message);
      expect(await refusalBy(owner, { [name]: undefined })).toBe(message);
    }
  });

  it.each<ClientOptions>([
    { timeoutMs: 1, totalTimeoutMs: maxMs, maxRetries: 0 },
    { timeoutMs: maxMs, totalTimeoutMs: 1, maxRetries: 10 },
    { maxResponseBytes: 1 },
    { maxResponseBytes: Number.MAX_SAFE_INTEGER },
  ])("take values at the limits: %j", (options) => {
    expect(() => createClient({ ...given, ...options })).not.toThrow();
  });

  it("of a client may change later, which it does not heed", async () => {
    const server = await listen(success([]));
    const options = { baseUrl: server.url, apiKey: "ak-1", headers: { "x-a": "1" } };
    const client = createClient(options);
    Object.assign(options, { baseUrl: "http://evil.test", apiKey: "ak-2" });
    options.headers["x-a"] = "2";

    await client.jobs.list();

    const { headers } = server.received[0] ?? {};
    expect(headers).toMatchObject({ authorization: "Bearer ak-1", "x-a": "1" });
  });

  it("may all be undefined", async () => {
    const server = await listen(queued());
    const none = (text: string) =>
      Object.fromEntries(text.split(", ").map((name) => [name, undefined]));
    const options: ClientOptions = none(names.createClient);
    const client = createClient({ ...options, baseUrl: server.url, apiKey: "ak-1" });

    expect((await client.jobs.submit(paidJob, none(names["jobs.submit"]))).job_id).toBe("job-1");
  });
});
