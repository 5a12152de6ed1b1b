import { afterEach, describe, expect, it, vi } from "vitest";
import { type CallOptions, type ClientOptions, createClient } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

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

  it("counts as missing where it is empty", () => {
    vi.stubEnv("ADGEN_BASE_URL", "");
    vi.stubEnv("ADGEN_API_KEY", "");

    expect(() => createClient({ apiKey: "ak-1" })).toThrow(/^baseUrl .*ADGEN_BASE_URL/);
    expect(() => createClient({ baseUrl: "http://ads.test" })).toThrow(/^apiKey .*ADGEN_API_KEY/);
  });

  it.each([
    ["is no process", undefined],
    ["is a process without env", {}],
    [
      "is an env that may not be read",
      {
        get env(): never {
          throw new Error("Requires env access");
        },
      },
    ],
  ])("is not needed where there %s", (_, process) => {
    vi.stubGlobal("process", process);

    expect(() => createClient({ baseUrl: "http://ads.test", apiKey: "ak-1" })).not.toThrow();
    expect(() => createClient({ baseUrl: "http://ads.test" })).toThrow(/^apiKey .*ADGEN_API_KEY/);
  });
});

const maxMs = 2 ** 31 - 1;

const badOptions: [string, unknown[]][] = [
  ["timeoutMs", [0, -1, Number.NaN, Number.POSITIVE_INFINITY, maxMs + 1, "100", true, {}]],
  ["totalTimeoutMs", [0, -1, Number.NaN, Number.POSITIVE_INFINITY, maxMs + 1, "100", true, {}]],
  ["maxRetries", [-1, 11, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "2", {}]],
];

describe("createClient", () => {
  const create = (options: object) => () =>
    createClient({ baseUrl: "http://ads.test", apiKey: "ak-1", ...options } as ClientOptions);

  it.each([
    ...badOptions,
    ["maxResponseBytes", [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "1", null]],
    ["fetch", ["fetch", {}, 5]],
    ["durations", [null, "{}", { version: 1, actions: {} }]],
    ["headers", [5, "a: b", { "a b": "c" }, { a: "S3cr3t\nc" }, { a: "\u2013" }]],
  ] as [string, unknown[]][])("refuses a bad %s, and names it", (name, values) => {
    for (const value of values) {
      expect(create({ [name]: value })).toThrow(
        expect.objectContaining({ name: "ConfigError", code: "config", outcome: "not-sent" }),
      );
      expect(create({ [name]: value })).toThrow(new RegExp(`^${name} `));
      expect(create({ [name]: value })).not.toThrow(/S3cr3t/);
    }
  });

  it("takes values at the limits", () => {
    expect(create({ timeoutMs: 1, totalTimeoutMs: maxMs, maxRetries: 0 })).not.toThrow();
    expect(create({ timeoutMs: maxMs, totalTimeoutMs: 1, maxRetries: 10 })).not.toThrow();
    expect(create({ maxResponseBytes: 1 })).not.toThrow();
    expect(create({ maxResponseBytes: Number.MAX_SAFE_INTEGER })).not.toThrow();
  });

  it.each(["baseURL", "api_key", "timeout", "retries", "maxRetry", "Headers"])(
    "refuses the option %s, which it does not know",
    (name) => {
      const message =
        `createClient has no option "${name}"; it has baseUrl, apiKey, apiKeyPrefix, fetch, ` +
        "headers, timeoutMs, totalTimeoutMs, maxRetries, maxResponseBytes, schemas, " +
        "durations, submissions, callIds, allowBrowserKey, hooks";
      expect(create({ [name]: 1 })).toThrow(expect.objectContaining({ message }));
      expect(create({ [name]: undefined })).toThrow(expect.objectContaining({ message }));
    },
  );

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

    expect(server.received[0]?.headers).toMatchObject({
      authorization: "Bearer ak-1",
      "x-a": "1",
    });
  });
});

describe("a call", () => {
  const submit = async (options: object) => {
    const server = await listen(queued());
    const error = await rejection(clientOf(server).jobs.submit(paidJob, options as CallOptions));
    expect(server.sockets.size).toBe(0);
    expect(error).toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      outcome: "not-sent",
    });
    return error.message;
  };

  it.each([
    ...badOptions,
    ["headers", [5, { "a b": "c" }, { a: "b\nc" }, { authorization: "Bearer ak-2" }]],
    ["onResponse", ["log", {}]],
    ["signal", [null, {}, new AbortController(), "abort"]],
  ] as [string, unknown[]][])(
    "refuses a bad %s, names it, and sends nothing",
    async (name, values) => {
      for (const value of values) expect(await submit({ [name]: value })).toMatch(`${name} `);
    },
  );

  it.each(["timeout", "retry", "idempotencyKey", "apiKey", "baseUrl"])(
    "refuses the option %s, which it does not know",
    async (name) => {
      expect(await submit({ [name]: 1 })).toBe(
        `jobs.submit has no option "${name}"; ` +
          "it has signal, timeoutMs, totalTimeoutMs, maxRetries, headers, onResponse, once",
      );
    },
  );

  it("takes undefined for every option", async () => {
    const server = await listen(queued());

    const job = await clientOf(server).jobs.submit(paidJob, {
      signal: undefined,
      timeoutMs: undefined,
      totalTimeoutMs: undefined,
      maxRetries: undefined,
      headers: undefined,
      onResponse: undefined,
    });

    expect(job.job_id).toBe("job-1");
  });
});
