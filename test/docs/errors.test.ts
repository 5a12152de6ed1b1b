// Each row of the table of errors in the guide about proxies happens, and no other error does.
// Each of our messages that the guide for troubleshooting quotes stands in the sources.

import { globSync, readFileSync } from "node:fs";
import { createClient, isAdGenError, type JobRequest, markAsNotSent } from "adgen-sdk";
import { createProxy, type ProxyOptions } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import { expect, test } from "vitest";
import { guides } from "../helpers/documents.ts";

const guide = guides.find(({ path }) => path === "docs/guides/pages.md")?.text ?? "";

/** Status, code and outcome of each row. */
const rows = Array.from(
  guide.matchAll(/^\| (\d{3})[^|]*\| `(\w+)` \|[^|]+\| `([\w-]+)` \|/gm),
  ([, ...row]) => row.join(" "),
);

const succeed = (): Response =>
  Response.json({ success: true, data: { job_id: "job-1", status: "queued" }, error: null });

const failWith = (status: number) => ({
  fetch: async () => Response.json({ success: false, data: null, error: "no" }, { status }),
});

const broken = (): never => {
  throw new Error("broken");
};

const request: JobRequest = { action: "generate-ad", prompt: "Lemonade" };

interface Attempt {
  readonly options?: Partial<ProxyOptions>;
  readonly headers?: Record<string, string>;
  /** Submissions that the page makes before the failing one. */
  readonly before?: readonly JobRequest[];
  /** Body that the request brings instead of its own. */
  readonly body?: BodyInit;
}

/** Option that `fetch` needs for a streamed body. The types don't know it. */
const half = { duplex: "half" };

/** Submits as a page does, and describes the error. */
const meet = async ({ options, headers = {}, before = [], ...attempt }: Attempt) => {
  const proxy = createProxy({
    baseUrl: "https://api.example.com",
    apiKey: "the-key",
    authorize: () => "anna",
    store: createMemoryStore(),
    hooks: { onError: () => {} }, // failures are meant, and must not be printed
    fetch: async () => succeed(),
    ...options,
  });
  const { jobs } = createClient({
    baseUrl: "http://app/adgen",
    apiKey: null,
    callIds: true,
    headers,
    maxRetries: 0,
    fetch: ({ url, method, headers, body }) =>
      proxy(new Request(url, Object.assign({ method, headers, body: attempt.body ?? body }, half))),
  });
  for (const earlier of before) await jobs.submit(earlier);
  const error = await jobs.submit(request).catch((thrown: unknown) => thrown);
  if (!isAdGenError(error)) throw error;
  expect(error.message).not.toContain("the-key");
  return error;
};

const situations: readonly [row: string, attempt: Attempt][] = [
  ["401 unauthorized refused", { options: { authorize: () => undefined } }],
  [
    "402 payment_required refused",
    { options: { limits: { day: { jobs: 1 } } }, before: [request] },
  ],
  ["402 payment_required refused", { options: failWith(402) }],
  ["403 unexpected_status refused", { headers: { "sec-fetch-site": "cross-site" } }],
  [
    "409 invalid_request refused",
    { headers: { "idempotency-key": "one" }, before: [{ action: "generate-ad-copy" }] },
  ],
  ["413 unexpected_status refused", { options: { maxRequestBytes: 10 } }],
  ["500 server_error unknown", { options: { authorize: broken } }],
  ["500 server_error not-sent", { options: { limits: broken } }],
  [
    "502 server_error not-sent",
    { options: { fetch: () => Promise.reject(markAsNotSent(new Error("offline"))) } },
  ],
  ["502 server_error unknown", { options: { fetch: broken } }],
  ["502 server_error unknown", { options: { fetch: async () => new Response("<h1>") } }],
  ["503 server_error unknown", { options: { store: { ...createMemoryStore(), swap: broken } } }],
  [
    "502 server_error unknown",
    { options: { timeoutMs: 10, fetch: () => new Promise<never>(() => {}) } },
  ],
];

test.each(situations)(
  "the guide's table of a page's errors has the row %s",
  async (row, attempt) => {
    const { status, code, outcome } = await meet(attempt);
    expect(`${status} ${code} ${outcome}`).toBe(row);
    expect(rows).toContain(row);
  },
);

test("the guide's table of a page's errors has only rows that happen", () => {
  const shown = new Set(situations.map(([row]) => row));
  expect(rows.filter((row) => !shown.has(row))).toEqual([]);
});

test("the message of a 402 tells the app's own limit from an empty account", async () => {
  const options = { limits: { day: { jobs: 1 } } };
  const own = await meet({ options, before: [request] });
  const [, words = "none"] = /^\| 402, "([^…]+)…"/m.exec(guide) ?? [];
  expect(own.message).toContain(words);
  expect(own.retryAfterMs).toBeGreaterThan(0);
  expect((await meet({ options: failWith(402) })).message).not.toContain(words);
});

const troubleshooting =
  guides.find(({ path }) => path === "docs/guides/troubleshooting.md")?.text ?? "";
const quotedMessages = Array.from(
  troubleshooting.matchAll(/^\| `(.+?)`(?: \(([\w. ]+)\))? \|/gm),
  ([, message = "", origin]) => ({ message, origin }),
);

/** Sources in which texts of several lines are joined, and values in them are left out. */
const sources = globSync("{src,mocks}/**/*.ts")
  .map((path) => readFileSync(path, "utf8"))
  .join("\n")
  .replace(/["`] \+\s*["`]/g, "")
  .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…")
  .replace(/\\"/g, '"');

const isOurs = (message: string): boolean =>
  message
    // The name of a missing option is a value in the sources.
    .replace(/^\w+ is missing/, "… is missing")
    .split("…")
    .map((part) => part.replace(/^[":;\s]+|[":;\s]+$/g, ""))
    .filter((part) => part !== "")
    .every((part) => sources.includes(part));

test("the troubleshooting guide quotes our messages as the sources have them", () => {
  const ours = quotedMessages.filter(({ origin }) => origin === undefined);
  expect(ours.length).toBeGreaterThan(20);
  expect(ours.filter(({ message }) => !isOurs(message))).toEqual([]);
});

test("the troubleshooting guide says which program each foreign message comes from", () => {
  const others = quotedMessages.filter(({ origin }) => origin !== undefined);
  expect(others.length).toBeGreaterThan(5);
  const programs = ["Node", "TypeScript", "Redis", "Jest", "a browser"];
  expect(others.filter(({ origin = "" }) => !programs.includes(origin))).toEqual([]);
  expect(others.filter(({ message }) => isOurs(message))).toEqual([]);
});

test("a quoted message that no source contains is found", () => {
  expect(isOurs("baseUrl is missing: … elsewhere and nowhere")).toBe(false);
});
