import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CallOptions, type ClientOptions, createClient } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { refusalOf, refusing } from "../helpers/calls.ts";
import { clientOf, paidJob } from "../helpers/client.ts";
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

  it.each([undefined, "", null])(
    "counts as missing where it is empty, and so does %j",
    (baseUrl) => {
      vi.stubEnv("ADGEN_BASE_URL", "");
      vi.stubEnv("ADGEN_API_KEY", "");
      const noBaseUrl = "baseUrl is missing: pass it to createClient, or set ADGEN_BASE_URL";
      expect(refusalOf({ apiKey: "ak-1", baseUrl })).toBe(noBaseUrl);
      expect(refusalOf({ baseUrl: "http://ads.test", apiKey: baseUrl ?? undefined })).toBe(noKey);
    },
  );

  const env = { get: () => expect.fail("Requires env access") };
  const noEnv = " (Deno reads it with --allow-env only)";
  it.each<[string, object | undefined, string]>([
    ["is no process", undefined, noKey],
    ["is a process without env", {}, noKey],
    [
      "is an env that may not be read",
      Object.defineProperty({}, "env", env),
      noKey.replace(";", `${noEnv};`),
    ],
  ])("is not needed where there %s", (_, process, message) => {
    vi.stubGlobal("process", process);
    expect(() => createClient(given)).not.toThrow();
    expect(refusalOf({ baseUrl: "http://ads.test" })).toBe(message);
  });
});

const all =
  "baseUrl, apiKey, apiKeyPrefix, fetch, headers, timeoutMs, totalTimeoutMs, maxRetries, " +
  "maxResponseBytes, schemas, durations, submissions, callIds, allowBrowserKey, hooks";
const actions =
  "copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, image-a-pro, video-a-2, " +
  "video-a-2-pro, video-b-3-0";

const maxMs = 2 ** 31 - 1;
const ms = "a number of milliseconds from 1 to 2147483647";
const schema = "a Standard Schema (zod 3.24, valibot 1, arktype 2, or newer)";
const noMs = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, maxMs + 1, "100", true, {}];

type Row = [name: string, kind: string, values: readonly unknown[]];

/** Rows: an option, what it must be, and values that it must not have. */
const bad: Row[] = [
  ["timeoutMs", ms, noMs],
  ["totalTimeoutMs", ms, noMs],
  ["maxRetries", "a whole number from 0 to 10", [-1, 11, 1.5, Number.NaN, 1 / 0, "2", {}]],
  ["headers", "an object of texts", [5, "a: b", ["a"]]],
];
const badOfClient: Row[] = [
  ["maxResponseBytes", "a number of bytes of 1 or more", [0, -1, Number.NaN, 1 / 0, "1", null]],
  ["apiKeyPrefix", "text", [1, null]],
  ["callIds", "true or false", [1, "true"]],
  ["allowBrowserKey", "true or false", [1, "true"]],
  ["fetch", "a function", ["fetch", {}, 5]],
  ["durations", "what createLearnedDurations(snapshot) makes", [null, "{}", { version: 1 }]],
  ["submissions", "what createSubmissions(store) makes", [null, "{}", { version: 1 }]],
  ["hooks.onRetry", "a function", ["log", {}]],
  ["schemas.brand", schema, [5, null, {}, { "~standard": {} }]],
  ["schemas.savedAd", schema, [{}]],
  ["schemas.results.copy-ad", schema, [{}]],
];
const signal = "an AbortSignal (of a controller: its signal)";
const badOfCall: Row[] = [
  ["onResponse", "a function", ["log", {}]],
  ["signal", signal, [null, {}, new AbortController(), "abort"]],
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

describe("createClient", () => {
  const create = (options: object) => () => createClient({ ...given, ...options });

  it.each([...bad, ...badOfClient])(
    "refuses a bad %s, and names it, its kind and its value",
    (name, kind, values) => {
      for (const value of values) {
        const message = `${name} must be ${kind}, got ${shown(value)}`;
        expect(refusalOf({ ...given, ...nest(name, value) })).toBe(message);
      }
    },
  );

  it.each([
    ["schemas", "brand, savedAd, results"],
    ["schemas.results", actions],
    ["hooks", "onRequest, onResponse, onRetry, onDrift"],
  ])("takes an object for %s, of known options alone", (name, names) => {
    const ofNone = refusalOf({ ...given, ...nest(name, null) });
    const ofMore = refusalOf({ ...given, ...nest(name, { Brand: {} }) });
    expect(ofNone).toBe(`${name} takes an object: { ${names} }, got null`);
    expect(ofMore).toBe(`${name} has no option "Brand"; it has ${names}`);
  });

  it("takes an object itself, of known options alone", () => {
    for (const options of ["https://ads.test", null, [given]]) {
      const message = `createClient takes an object: { ${all} }, got ${shown(options)}`;
      expect(refusalOf(options)).toBe(message);
    }
    for (const name of ["baseURL", "timeout", "retries", "Headers"]) {
      const message = `createClient has no option "${name}"; it has ${all}`;
      expect(refusalOf({ ...given, [name]: 1 })).toBe(message);
      expect(refusalOf({ ...given, [name]: undefined })).toBe(message);
    }
  });

  it("takes values at the limits", () => {
    expect(create({ timeoutMs: 1, totalTimeoutMs: maxMs, maxRetries: 0 })).not.toThrow();
    expect(create({ timeoutMs: maxMs, totalTimeoutMs: 1, maxRetries: 10 })).not.toThrow();
    expect(create({ maxResponseBytes: 1 })).not.toThrow();
    expect(create({ maxResponseBytes: Number.MAX_SAFE_INTEGER })).not.toThrow();
  });

  it("sends nothing", async () => {
    const server = await listen(queued());
    clientOf(server);
    expect(server.sockets.size).toBe(0);
  });

  it("does not heed later changes of the options it was given", async () => {
    const server = await listen(success([]));
    const options = { baseUrl: server.url, apiKey: "ak-1", headers: { "x-a": "1" } };
    const client = createClient(options);
    Object.assign(options, { baseUrl: "http://evil.test", apiKey: "ak-2" });
    options.headers["x-a"] = "2";

    await client.jobs.list();

    const { headers } = server.received[0] ?? {};
    expect(headers).toMatchObject({ authorization: "Bearer ak-1", "x-a": "1" });
  });
});

describe("a call", () => {
  const refusalOfCall = async (options: unknown): Promise<string> => {
    const error = await refusing(({ jobs }) => jobs.submit(paidJob, options as CallOptions));
    const { name, code, outcome, message } = error;
    expect([name, code, outcome]).toEqual(["InvalidRequestError", "invalid_request", "not-sent"]);
    return message;
  };
  const names = "signal, timeoutMs, totalTimeoutMs, maxRetries, headers, onResponse, once";

  it.each([...bad, ...badOfCall])(
    "refuses a bad %s, names it, and sends nothing",
    async (name, kind, values) => {
      for (const value of values) {
        const message = `${name} must be ${kind}, got ${shown(value)}`;
        expect(await refusalOfCall({ [name]: value })).toBe(message);
      }
    },
  );

  it("takes an object of known options alone", async () => {
    expect(await refusalOfCall(null)).toBe(`jobs.submit takes an object: { ${names} }, got null`);
    for (const name of ["timeout", "retry", "idempotencyKey", "apiKey", "baseUrl"]) {
      const message = `jobs.submit has no option "${name}"; it has ${names}`;
      expect(await refusalOfCall({ [name]: 1 })).toBe(message);
    }
  });

  it("takes undefined for every option, and so does createClient", async () => {
    const server = await listen(queued());
    const none = (text: string) =>
      Object.fromEntries(text.split(", ").map((name) => [name, undefined]));
    const client = createClient({
      ...(none(all) as ClientOptions),
      baseUrl: server.url,
      apiKey: "ak-1",
    });

    expect((await client.jobs.submit(paidJob, none(names))).job_id).toBe("job-1");
  });
});
