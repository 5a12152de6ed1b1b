import { brotliCompressSync, gzipSync } from "node:zlib";
import { beforeAll, expect, test, vi } from "vitest";
import { type Asked, failureOf, openProxy, type ProxyUnderTest } from "./proxy-under-test.ts";

let stage: ProxyUnderTest;
beforeAll(async () => {
  const limits = [{ windowMs: 86_400_000, imageCredits: 5, videoSeconds: 5 }];
  stage = await openProxy({ limits, maxRequestBytes: 3_000_000 });
  await stage.submit("eve", {}, "call-1");
});

const body = { action: "generate-ad", prompt: "Sale" };
const json = JSON.stringify(body);
const post = (body: unknown, headers = {}): Asked => ({ method: "POST", body, headers });
const typed = (type: string) => post(json, { "content-type": type });
const coded = (coding: string, body: unknown = json) => post(body, { "content-encoding": coding });
const latin = (text: string) => post(Buffer.from(text, "latin1"));
const holding = (members: string, action = "generate-ad") =>
  post(`{"action":"${action}","prompt":"Sale",${members}}`);
const nested = (depth: number) => holding(`"a":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);

type Row = [
  what: string,
  asked: Asked & { readonly owner?: string },
  status: number,
  error?: string | undefined,
];

const change = { method: "PATCH", path: "/v1/brands/brand-1" };
/** Requests that go no further than to the question whose they are, and what they ask for. */
const strangers: Row[] = [
  ["nobody's submission", { owner: "", ...post(body) }, 401, "Unauthorized: sign in first"],
  ["nobody's change of a brand", { owner: "", ...change, body: {} }, 401],
  ["nobody's deletion of a brand", { owner: "", ...change, method: "DELETE" }, 401],
  ["nobody's read", { owner: "" }, 401],
  ["nobody's question about no path", { owner: "", method: "OPTIONS", path: "/v1/nothing" }, 404],
  ["another origin", post(body, { origin: "https://evil.test" }), 403],
  ["no path", { ...post(body), path: "/v1/nothing" }, 404, "Not found"],
  ...[
    ...["PUT", "DELETE", "PROPFIND"].map((name) => [name, "/v1/jobs", "POST, GET, HEAD, OPTIONS"]),
    ...["POST", "DELETE"].map((name) => [name, "/v1/jobs/job-1", "GET, HEAD, OPTIONS"]),
    ["GET", "/v1/brands/brand-1", "PATCH, DELETE, OPTIONS"],
    ["PATCH", "/v1/saved-ads/ad-1", "DELETE, OPTIONS"],
    ["GET", "/v1/saved-ads", "POST, OPTIONS"],
  ].map(([method = "", path = "", allow]): Row => {
    const error = `${method} is not allowed here; allowed: ${allow}`;
    return [`${method} of ${path}`, { method, path }, 405, error];
  }),
];

const jsonOnly = "the body must be JSON: content-type application/json, in UTF-8";
const plainOnly = "the body must not be compressed: send it without content-encoding";
const kinds: Row[] = [
  ...[
    ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""],
    ...["application/jsonp", "text/plain; application/json", "text/plain, application/json"],
    ...["application/json; charset=utf-16", "application/json; charset=utf-7"],
  ].map((type): Row => [`the type "${type}"`, typed(type), 415, jsonOnly]),
  ["a change that is a form", { ...typed("text/plain"), ...change }, 415, jsonOnly],
  ["gzip", coded("gzip", gzipSync(json)), 415, plainOnly],
  ["brotli", coded("br", brotliCompressSync(json)), 415, plainOnly],
  ["what is said to be gzip", coded("gzip"), 415, plainOnly],
  ["the coding identity, twice", coded("identity, gzip", gzipSync(json)), 415, plainOnly],
];

const noJson = "the body is not JSON in UTF-8";
const readBefore =
  "the body is empty: where the page has sent one, a body parser before the proxy has read it";
const broken: Row[] = [
  ["nothing", post(""), 400, readBefore],
  ["half of it", post(json.slice(0, -1)), 400, noJson],
  ["two of them", post(`${json}${json}`), 400, noJson],
  ["a list", post([body]), 400, "the body must be an object in JSON"],
  ["a text", post('"generate-ad"'), 400],
  ["null", post("null"), 400],
  ["NaN", holding('"variations":NaN'), 400],
  ["a comment", post(`/* */${json}`), 400],
  ["bytes that are no UTF-8", latin('{"\xff\xfe":1}'), 400, noJson],
  ["an overlong slash", latin('{"action":"\xc0\xaf"}'), 400, noJson],
  ["half a surrogate pair in bytes", latin('{"action":"\xed\xa0\x80"}'), 400, noJson],
  ["UTF-16", post(Buffer.from(`\uFEFF${json}`, "utf16le")), 400, noJson],
];

const tooMany = "the body holds more than 100000 values";
const tooDeep = "the body is nested more than 500 levels deep";
const tooLarge = "the body has more than 3000000 bytes (maxRequestBytes)";
const fields = Array.from({ length: 200_000 }, (_, index) => `"k${index}\\"":0`).join(",");
const costly: Row[] = [
  ["numbers", holding(`"a":[${"0,".repeat(100_000)}0]`), 400, tooMany],
  ["brands", holding(`"brand_id":[${'"a",'.repeat(100_000)}"a"]`), 400, tooMany],
  ["brackets", holding(`"a":${"[".repeat(500_000)}${"]".repeat(500_000)}`), 400, tooMany],
  ["brackets without an end", holding(`"a":${"[".repeat(500_000)}`), 400, tooMany],
  ["empty objects", holding(`"a":[{}${",{}".repeat(200_000)}]`), 400, tooMany],
  ["fields", holding(fields), 400, tooMany],
  ["500 levels", nested(500), 400, tooDeep],
  ["20000 levels", nested(20_000), 400, tooDeep],
  ["a text of many bytes", holding(`"a":"${"x".repeat(3_000_000)}"`), 413, tooLarge],
];

// Numbers that decide about the price.
const counts = ['"10"', "0", "-1", "0.5", "1e3", "1e400", "-0", "null", "[1]", '{"valueOf":1}'];
const lengths = ['"1"', "-5", "1e400", "1e303", "1000000001", "0", "1e-7", "0.0009"];
const names = [
  ...["Variations", "variation\u017f", "\uff56ariations", "variations ", "variations\u200b"],
  ...["vari\u00adations", "var\u0131ations", "\\nduration"],
];
const members: [members: string, error?: string][] = [
  ...counts.map((count): [string, string] => [
    `"variations":${count}`,
    "variations must be a whole number from 1 to 10",
  ]),
  ...lengths.map((length): [string, string] => [
    `"duration":${length}`,
    "duration must be a number of seconds, from 0.001 to 1000000000",
  ]),
  ...names.map((name): [string] => [`"${name}":5`]),
  ['"variations":1,"VARIATIONS":10', "unknown parameter VARIATIONS: write variations"],
];
const smuggled: Row[] = ["generate-ad", "video-a-2"].flatMap((action) =>
  members.map(([text, error]): Row => [`${text} of ${action}`, holding(text, action), 400, error]),
);

const anAction =
  "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, " +
  "image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";
const noLength = "duration is missing: a limit counts the seconds of videos";
const noId = "id cannot be chosen: the service makes it";
const brands = { method: "POST", path: "/v1/brands" };
const wrong: Row[] = [
  ...["Generate-Ad", "generate-ad ", "nope", 7, null, ["generate-ad"], undefined].map(
    (action): Row => [`the action ${action}`, post({ ...body, action }), 400, anAction],
  ),
  ["a video of no length", post({ ...body, action: "video-a-2" }), 400, noLength],
  ["the id of a new brand", { ...brands, body: { name: "Eve", id: "brand-1" } }, 400, noId],
  ["its id and a space", { ...brands, body: { name: "Eve", "id ": "brand-1" } }, 400, noId],
  ["its id in capitals", { ...brands, body: { name: "Eve", ID: "brand-1" } }, 400, noId],
  ["the id of a new ad", { ...brands, path: "/v1/saved-ads", body: { id: "ad-2" } }, 400, noId],
  ["another id of a brand", { ...change, body: { id: "brand-1" } }, 400, noId],
];

const odd = ["", "-1", "1.5", "NaN", "1e400", "two", "0x10", "10001"];
const queries = ["owner=bob", "cursor=job-1", "limit=1&limit=5", "limit=1&page=2", "Limit=1"];
const lists = [...odd.map((limit) => `limit=${limit}`), ...queries].map(
  (query): Row => [`a list of ${query}`, { path: `/v1/jobs?${query}` }, 400],
);

const rows = [strangers, kinds, broken, costly, smuggled, wrong, lists].flat();
test.each(rows)("%s is refused, and sent nowhere", async (what, request, status, error) => {
  const { owner = "eve", ...asked } = request;
  const { ask, service, events, errors, used } = stage;
  const parse = vi.spyOn(JSON, "parse");
  const send = async (callId?: string) => {
    const named = callId !== undefined && { "idempotency-key": callId };
    const answered = await ask(owner, { ...asked, headers: { ...asked.headers, ...named } });
    expect(answered.body.length).toBeLessThan(1_000);
    if (status === 405) expect(error).toContain(`; allowed: ${answered.headers.allow}`);
    return failureOf(answered);
  };
  const isRead = !["POST", "PATCH", "DELETE"].includes(asked.method ?? "GET");
  const alone = await send();
  const outcome = isRead ? undefined : "refused";
  expect(alone).toMatchObject({ status, outcome, success: false, data: null });
  if (error !== undefined) expect(alone.error).toBe(error);
  if (!isRead) {
    // No other request of this owner's new id has come further. Whose a stranger's is, is unknown.
    const isStranger = strangers.some((row) => row[0] === what);
    const named = await send("call-2");
    expect([named.status, named.outcome]).toEqual([status, isStranger ? "unknown" : "refused"]);
    const again = await send("call-1");
    expect(again).toMatchObject({ status, outcome: "unknown", success: false, data: null });
    expect(again.error).toBe(alone.error);
    expect(events.at(-1)).toMatchObject({ status, outcome: "unknown" });
  }
  // A parser would take seconds for millions of values.
  expect(parse.mock.calls.filter(([text]) => text.length > 100_000)).toEqual([]);
  parse.mockRestore();
  expect([service.received.length, await used("eve"), errors]).toEqual([1, [1, 0], []]);
});
