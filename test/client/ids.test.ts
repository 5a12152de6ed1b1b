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

const refused: [string, unknown][] = [
  ["no text", ""],
  ["a blank", " "],
  ["white space", "\t \n"],
  ["an exotic blank", "\u00a0\u2003\ufeff"],
  ["a dot", "."],
  ["two dots", ".."],
  ["a line break", "a\r\nx-evil: 1"],
  ["a NUL", "a\0b"],
  ["an escape", "\u001b[31m"],
  ["a C1 control character", "a\u0085b"],
  ["half a surrogate pair", "a\ud800"],
  ["the other half", "\udc00a"],
  ["undefined", undefined],
  ["null", null],
  ["a number", 5],
  ["an object", { toString: () => ".." }],
  ["a list", ["a"]],
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
  "x".repeat(2_000),
];

describe.each(calls)("%s", (_, form, call) => {
  it.each(refused)("refuses %s as an id, and sends nothing", async (_, id) => {
    const server = await listen(success({ id: "x", status: "queued" }));

    const error = await rejection(call(clientOf(server), id as string));

    expect(error).toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      outcome: "not-sent",
    });
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
