import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const calls: [string, RegExp, (client: AdGenClient, id: string) => Promise<unknown>][] = [
  ["jobs.get", /^\/api\/v1\/jobs\/[^/?#]+$/, ({ jobs }, id) => jobs.get(id)],
  ["jobs.get by job", /^\/api\/v1\/jobs\/[^/?#]+$/, ({ jobs }, id) => jobs.get({ job_id: id })],
  ["brands.update", /^\/api\/v1\/brands\/[^/?#]+$/, ({ brands }, id) => brands.update(id, {})],
  ["brands.delete", /^\/api\/v1\/brands\/[^/?#]+$/, ({ brands }, id) => brands.delete(id)],
  ["brands.listAds", /^\/api\/v1\/brands\/[^/?#]+\/ads$/, ({ brands }, id) => brands.listAds(id)],
  ["savedAds.delete", /^\/api\/v1\/saved-ads\/[^/?#]+$/, ({ savedAds }, id) => savedAds.delete(id)],
];

const nothing = "must be a non-empty string, got undefined";
const empty = "must be a non-empty string, got an empty one";
const control = "has a line break or another control character";
const half = "has half of a surrogate pair";

const refused: [string, unknown, string][] = [
  ["no text", "", empty],
  ["a blank", " ", empty],
  ["white space", "\t \n", empty],
  ["an exotic blank", "\u00a0\u2003\ufeff", empty],
  ["a dot", ".", 'must not be "." (it would change the path)'],
  ["two dots", "..", 'must not be ".." (it would change the path)'],
  ["a line break", "a\r\nx-evil: 1", control],
  ["a NUL", "a\0b", control],
  ["an escape", "\u001b[31m", control],
  ["a C1 control character", "a\u0085b", control],
  ["half a surrogate pair", "a\ud800", half],
  ["the other half", "\udc00a", half],
  ["a text of 257 characters", "x".repeat(257), "has 257 characters, more than 256"],
  ["undefined", undefined, nothing],
  ["null", null, "must be a non-empty string, got null"],
  ["a number", 5, "must be a non-empty string, got a number"],
  ["an object", { toString: () => ".." }, "must be a non-empty string, got an object"],
  ["a list", ["a"], "must be a non-empty string, got an array"],
];

const escaped = [
  "a/b",
  "../../admin",
  "..\\..\\admin",
  "..%2f..%2fadmin",
  "%2e%2e",
  ".%2e",
  "%252e%252e%252f",
  "http://evil.test/",
  "//evil.test",
  "https:evil.test",
  "@evil.test",
  "?limit=1",
  "#fragment",
  "a?b#c",
  ";a=b",
  "a:b",
  ":id",
  "$&$1$$",
  "a b",
  " a ",
  "+%20+",
  "...",
  "ü\u{1f600}",
  "__proto__",
  "x".repeat(256),
];

/** Gives the id's name in a refusal, and the place to find one. */
const labelOf = (name: string): readonly [string, string] => {
  if (name.startsWith("jobs")) return ["job id", "pass job.job_id or the job"];
  if (name.startsWith("brands")) return ["brand id", "pass brand.id"];
  return ["saved ad id", "pass ad.id"];
};

describe.each(calls)("%s", (name, form, call) => {
  const [label, hint] = labelOf(name);
  const isRead = /get|list/.test(name);

  it.each(refused)("refuses %s as an id, and sends nothing", async (_, id, problem) => {
    const server = await listen(success({ id: "x", status: "queued" }));

    const error = await rejection(call(clientOf(server), id as string));

    expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
    // A read has no outcome.
    expect(error.outcome).toBe(isRead ? undefined : "not-sent");
    expect(error.message).toBe(`${label} ${problem}: ${hint}`);
    expect(server.sockets.size).toBe(0);
  });

  it("keeps every other id in its one segment", async () => {
    const server = await listen(success({ id: "x", status: "queued", ads: [] }));
    const { hostname, port } = new URL(server.url);
    const client = clientOf({ url: `${server.url}/api` });

    for (const id of escaped) {
      await call(client, id);
      const { url, headers } = server.received.at(-1) ?? { url: "", headers: {} };
      expect(url).toMatch(form);
      expect(url.split("/").map(decodeURIComponent)).toContain(id);
      expect(headers.host).toBe(`${hostname}:${port}`);
    }
    expect(server.received).toHaveLength(escaped.length);
  });
});
