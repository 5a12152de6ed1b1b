import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/index.ts";

beforeEach(() => {
  vi.stubEnv("ADGEN_BASE_URL", undefined);
  vi.stubEnv("ADGEN_API_KEY", undefined);
});
afterEach(() => vi.unstubAllEnvs());

const given = { baseUrl: "http://ads.test", apiKey: "ak-1" };
const kinds = "(zod 3.24, valibot 1, arktype 2, or newer)";

/** Each row: options of createClient, and what the refusal says: value, problem, remedy. */
const options: [unknown, ...string[]][] = [
  [
    "https://ads.test",
    "createClient takes an object: { baseUrl, apiKey,",
    'got "https://ads.test"',
  ],
  [null, "createClient takes an object: { baseUrl, apiKey,", "got null"],
  [[given], "createClient takes an object: { baseUrl, apiKey,", "got an array"],
  [
    { baseUrl: given.baseUrl },
    "apiKey is missing",
    "pass it to createClient",
    "ADGEN_API_KEY",
    "null",
  ],
  [{ ...given, apiKey: "ak-1\n" }, "apiKey has", "a line break", "read from a file? trim it"],
  [{ ...given, apiKey: "ak-\u00e9" }, "apiKey has", "a character outside ASCII"],
  [{ ...given, apiKey: 5 }, "apiKey must be text, a function or null", "got a number"],
  [{ ...given, baseURL: "x" }, 'createClient has no option "baseURL"', "it has baseUrl, apiKey,"],
  [{ ...given, maxRetries: 1.5 }, "maxRetries must be a whole number from 0 to 10", "got 1.5"],
  [{ ...given, timeoutMs: "5s" }, "timeoutMs must be a number of milliseconds", 'got "5s"'],
  [
    { ...given, maxResponseBytes: 0 },
    "maxResponseBytes must be a number of bytes of 1 or more",
    "got 0",
  ],
  [{ ...given, callIds: 1 }, "callIds must be true or false", "got 1"],
  [{ ...given, allowBrowserKey: 1 }, "allowBrowserKey must be true or false", "got 1"],
  [{ ...given, apiKeyPrefix: 1 }, "apiKeyPrefix must be text", "got 1"],
  [{ ...given, fetch: "fetch" }, "fetch must be a function", 'got "fetch"'],
  [{ ...given, schemas: null }, "schemas takes an object: { brand, savedAd, results }", "got null"],
  [
    { ...given, schemas: { Brand: {} } },
    'schemas has no option "Brand"',
    "brand, savedAd, results",
  ],
  [{ ...given, schemas: { brand: 5 } }, "schemas.brand must be a Standard Schema", kinds, "got 5"],
  [{ ...given, schemas: { brand: { "~standard": {} } } }, "schemas.brand must be", kinds],
  [
    { ...given, schemas: { results: { "generate-add": {} } } },
    'schemas.results has no option "generate-add"',
    "it has copy-ad, generate-ad,",
  ],
  [{ ...given, schemas: { results: { "copy-ad": {} } } }, "schemas.results", "copy-ad", kinds],
  [{ ...given, schemas: { results: null } }, "schemas.results takes an object", "got null"],
  [{ ...given, hooks: null }, "hooks takes an object: { onRequest, onResponse,", "got null"],
  [{ ...given, hooks: { onreq: () => {} } }, 'hooks has no option "onreq"', "it has onRequest,"],
  [{ ...given, hooks: { onRetry: "log" } }, "hooks.onRetry must be a function", 'got "log"'],
];

describe("createClient", () => {
  it.each(options)("with %o names the mistake and the remedy", (bad, ...parts) => {
    let error: unknown;
    try {
      createClient(bad as typeof given);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "config", outcome: "not-sent" });
    for (const part of parts) expect((error as Error).message).toContain(part);
  });
});
