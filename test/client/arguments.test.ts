import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { refusing } from "../helpers/calls.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: the arguments are wrong on purpose
type Any = any;

type CallOfId = (client: AdGenClient, id: string) => Promise<unknown>;

/** Calls that take an id, with their paths. */
const calls: [name: string, path: string, call: CallOfId][] = [
  ["jobs.get", "jobs/:id", ({ jobs }, id) => jobs.get(id)],
  ["jobs.get by job", "jobs/:id", ({ jobs }, id) => jobs.get({ job_id: id })],
  ["brands.update", "brands/:id", ({ brands }, id) => brands.update(id, {})],
  ["brands.delete", "brands/:id", ({ brands }, id) => brands.delete(id)],
  ["brands.listAds", "brands/:id/ads", ({ brands }, id) => brands.listAds(id)],
  ["savedAds.delete", "saved-ads/:id", ({ savedAds }, id) => savedAds.delete(id)],
];

/** Gives the id's name in a refusal, and the place to find one. */
const labelOf = (name: string): readonly [string, string] => {
  if (name.startsWith("jobs")) return ["job id", "pass job.job_id or the job"];
  if (name.startsWith("brands")) return ["brand id", "pass brand.id"];
  return ["saved ad id", "pass ad.id"];
};

const no = "must be a non-empty string, got";
const empty = `${no} an empty one`;
const control = "has a line break or another control character";
const half = "has half of a surrogate pair";

const refused: [id: unknown, problem: string][] = [
  ["", empty],
  [" ", empty],
  ["\t \n", empty],
  ["\u00a0\u2003\ufeff", empty],
  [".", 'must not be "." (it would change the path)'],
  ["..", 'must not be ".." (it would change the path)'],
  ["a\r\nx-evil: 1", control],
  ["a\0b", control],
  ["\u001b[31m", control],
  ["a\u0085b", control],
  ["a\ud800", half],
  ["\udc00a", half],
  ["x".repeat(257), "has 257 characters, more than 256"],
  [undefined, `${no} undefined`],
  [null, `${no} null`],
  [5, `${no} a number`],
  [{ toString: () => ".." }, `${no} an object`],
  [["a"], `${no} an array`],
];

const escaped = [
  ...[
    "a/b",
    "../../admin",
    "..\\..\\admin",
    "..%2f..%2fadmin",
    "%2e%2e",
    ".%2e",
    "%252e%252e%252f",
  ],
  ...["http://evil.test/", "//evil.test", "https:evil.test", "@evil.test", "?limit=1", "#fragment"],
  ...["a?b#c", ";a=b", "a:b", ":id", "$&$1$$", "a b", " a ", "+%20+", "...", "ü\u{1f600}"],
  ...["__proto__", "x".repeat(256)],
];

describe.each(calls)("%s", (name, path, call) => {
  it("refuses an id that is none, never quotes it, and sends nothing", async () => {
    const [label, hint] = labelOf(name);
    for (const [id, problem] of refused) {
      const error = await refusing((client) => call(client, id as string));

      expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
      // A read has no outcome.
      expect(error.outcome).toBe(/get|list/.test(name) ? undefined : "not-sent");
      expect(error.message).toBe(`${label} ${problem}: ${hint}`);
      expect(JSON.stringify(error)).not.toMatch(/xxx|evil/);
    }
  });

  it("keeps every other id in its one segment", async () => {
    const server = await listen(success({ id: "x", status: "queued", ads: [] }));
    const client = clientOf({ url: `${server.url}/api` });

    for (const id of escaped) {
      await call(client, id);

      const { url = "", headers } = server.received.at(-1) ?? {};
      const segments = path.split("/").map((part) => (part === ":id" ? id : part));
      expect(url).not.toMatch(/[?#]/);
      expect(url.split("/").map(decodeURIComponent)).toEqual(["", "api", "v1", ...segments]);
      expect(`http://${headers?.host}`).toBe(server.url);
    }
    expect(server.received).toHaveLength(escaped.length);
  });
});

const reading = "signal, timeoutMs, totalTimeoutMs, maxRetries, headers, onResponse";
/** Calls that are refused before anything is sent, with the whole refusal. */
const mistakes: [call: (client: Any) => Any, message: string][] = [
  [(c) => c.jobs.get({ id: "j" }), `job id ${no} an object: pass job.job_id or the job`],
  [(c) => c.jobs.list("abc"), 'query must be an object, got "abc"'],
  [(c) => c.jobs.list(null), "query must be an object, got null"],
  [
    (c) => c.jobs.list({ timeoutMs: 5 }),
    "query.timeoutMs is an option of the call, not of the query: pass it in the options",
  ],
  [(c) => c.jobs.list({ limit: -1 }), "query.limit must be a whole number of 0 or more, got -1"],
  [(c) => c.jobs.list({ cursor: "\ud800" }), "query.cursor has half of a surrogate pair"],
  [
    (c) => c.brands.list({ limit: 5 }),
    `brands.list has no option "limit"; it has ${reading}, query`,
  ],
];

describe("a call", () => {
  it.each(mistakes)(
    "with a mistake says what is wrong, and what to do: %s",
    async (call, message) => {
      const error = await refusing(async (client) => call(client));
      expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
      expect(error.message).toBe(message);
    },
  );

  it.each<[unknown, string]>([
    [Number.NaN, "NaN"],
    [null, "null"],
    [{}, "an object"],
    [[], "an array"],
    [() => 1, "a function"],
    [1n, "a bigint"],
    [Symbol("s"), "a symbol"],
  ])("with %s in its query says so", async (value, shown) => {
    const { message } = await refusing(({ jobs }) => jobs.list({ limit: value as Any }));
    expect(message).toBe(`query.limit must be a whole number of 0 or more, got ${shown}`);
    const query = { status: value as Any };
    const error = await refusing(({ brands }) => brands.list({ query }));
    expect(error.message).toBe(
      `query.status must be text, a finite number or a boolean, got ${shown}`,
    );
  });
});
