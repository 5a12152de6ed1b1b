import { afterEach, expect, it, vi } from "vitest";
import type { CallOptions, ClientOptions, ListQuery } from "../../src/client/index.ts";
import { failure, queued, success } from "../helpers/answers.ts";
import {
  type Call,
  clientOver,
  createBrand,
  deleteBrand,
  failing,
  getJob,
  refusalOf,
  refusing,
  respondWithData,
  submitJob,
  updateBrand,
} from "../helpers/calls.ts";
import { clientOf, paidJob, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

afterEach(() => vi.unstubAllGlobals());

it("a request sends its content type, its length and the types that it accepts", async () => {
  const server = await listen(queued(), success([]));
  const prompt = "Größe \u{1f600}".repeat(1_000);

  await clientOf(server).jobs.submit({ ...paidJob, prompt });
  await clientOf(server).jobs.list();

  const [submission, read] = server.received;
  const body = JSON.stringify({ ...paidJob, prompt });
  const accept = "application/json";
  const more = { "content-type": accept, "content-length": String(Buffer.byteLength(body)) };
  expect(submission).toMatchObject({ body, headers: { accept, ...more } });
  expect(submission?.headers).not.toHaveProperty("transfer-encoding");
  expect(read).toMatchObject({ body: "", headers: { accept } });
  expect(read?.headers).not.toHaveProperty("content-type");
});

const cannotBeSent = "cannot be sent: its name or value has a character that HTTP forbids";
const cannotBeSet = "cannot be set: the runtime sets the connection's headers";

const refused: [headers: Record<string, unknown>, message: string][] = [
  [{ AUTHORIZATION: "S3cr3t" }, "headers must not hold Authorization: use apiKey"],
  [{ "x team": "S3cr3t" }, `headers "x team" ${cannotBeSent}`],
  [{ "": "S3cr3t" }, `headers "" ${cannotBeSent}`],
  [{ "x-a": "S3cr3t\r\nx-b: 1" }, `headers "x-a" ${cannotBeSent}`],
  [{ "x-a": "S3cr3t\u2013" }, `headers "x-a" ${cannotBeSent}`],
  [{ "x-a": null }, 'headers "x-a" must be text, got null'],
  [{ "x-a": 5 }, 'headers "x-a" must be text, got a number'],
  [{ "x-a": ["S3cr3t"] }, 'headers "x-a" must be text, got an array'],
  ...[
    ...["connection", "content-length", "expect", "keep-alive", "te", "trailer"],
    ...["transfer-encoding", "upgrade", "Upgrade", "TE"],
  ].map((name): (typeof refused)[0] => [{ [name]: "h2c" }, `headers "${name}" ${cannotBeSet}`]),
];

it.each(refused)("a header is refused by client and call: %j", async (headers, message) => {
  const options = { headers } as CallOptions;
  const write = await refusing(({ jobs }) => jobs.submit(paidJob, options));
  const read = await refusing(({ jobs }) => jobs.get("j", options));

  expect(refusalOf({ baseUrl: "http://ads.test", apiKey: testKey, headers })).toBe(message);
  expect(write).toMatchObject({ code: "invalid_request", outcome: "not-sent", message });
  expect(read).toMatchObject({ code: "invalid_request", message });
  expect(read.outcome).toBeUndefined();
});

const none = undefined;
const ofHeaders = new Headers({ "x-a": "1" }) as unknown as ClientOptions["headers"];
const foreign = { Accept: "text/html", "Content-Type": "text/plain" };
const ownHeaders = { accept: "application/json", "content-type": "application/json" };
it.each<[string, ClientOptions["headers"], CallOptions["headers"], object]>([
  ["of client and call is sent", { "X-A": "1" }, { "X-B": "2" }, { "x-a": "1", "x-b": "2" }],
  ["of the call replaces the client's", { "X-A": "1" }, { "x-a": "2" }, { "x-a": "2" }],
  ["that is undefined is left out", { "x-a": none, "x-b": "1" }, { "x-c": none }, { "x-b": "1" }],
  [
    "that is undefined doesn't replace the client's",
    { "x-a": "1" },
    { "X-A": none },
    { "x-a": "1" },
  ],
  ["of a Headers object is sent", ofHeaders, none, { "x-a": "1" }],
  ["doesn't replace the library's own", foreign, foreign, ownHeaders],
])("a header %s", async (_, headers, ofCall, sent) => {
  const server = await listen(queued());
  const client = clientOf(server, { headers });

  await client.jobs.submit(paidJob, { headers: ofCall });
  await client.jobs.submit(paidJob);

  const [first = {}, second] = server.received.map((request) => request.headers);
  expect(first).toMatchObject({ ...sent, authorization: `Bearer ${testKey}` });
  const names = Object.keys(first).filter((name) => name.startsWith("x-"));
  expect(names.sort()).toEqual(Object.keys(sent).filter((name) => name.startsWith("x-")));
  // The headers of one call aren't sent with the next.
  expect(JSON.stringify(second)).not.toMatch(/"x-[ab]":"2"/);
});

/** 128 bits in hexadecimal digits. */
const form = /^[0-9a-f]{32}$/;

const shop = "https://shop.test/a.html";
const worker = "https://shop.test/worker.js";
const own: ClientOptions = { baseUrl: "/adgen", apiKey: null };
const elsewhere: ClientOptions = { baseUrl: "https://ads.test", apiKey: null };

const writes = [submitJob, submitJob, createBrand, deleteBrand, updateBrand];

/** Makes a read and all writes, and returns their call ids. */
const idsOf = async (options: ClientOptions): Promise<(string | null)[]> => {
  const ids: (string | null)[] = [];
  const fetch = async ({ headers }: Request): Promise<Response> => {
    ids.push(headers.get("idempotency-key"));
    return respondWithData({ job_id: "j", status: "queued", id: "b" });
  };
  const client = clientOver(fetch, options);
  for (const call of [getJob, ...writes]) await call(client);
  return ids;
};

const openAt = (url: string | undefined): void => {
  if (url === undefined) return;
  if (url !== worker) vi.stubGlobal("document", {});
  vi.stubGlobal("location", new URL(url));
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  // A page without https has no randomUUID.
  if (url.startsWith("http:")) vi.stubGlobal("crypto", { getRandomValues });
};

it.each<[isSent: boolean, way: string, page: string | undefined, options: ClientOptions]>([
  [true, "a page to its own origin", shop, own],
  [true, "a page to its whole address", shop, { ...own, baseUrl: "https://shop.test/x" }],
  [true, "a page without https to its origin", "http://shop.test/a.html", own],
  [true, "a worker, which has no document, to its origin", worker, own],
  [true, "a program that asks for ids", undefined, { ...elsewhere, callIds: true }],
  [false, "a page to another origin", shop, elsewhere],
  [false, "a worker to another origin", worker, elsewhere],
  [false, "a page to another port", shop, { ...own, baseUrl: "https://shop.test:8443" }],
  [false, "a page to another scheme", shop, { ...own, baseUrl: "http://shop.test" }],
  [false, "a page to the service itself", shop, { ...own, apiKey: () => "ak-1" }],
  [false, "a page to a proxy with callIds: false", shop, { ...own, callIds: false }],
  [false, "a program to a proxy", undefined, { ...own, baseUrl: "https://shop.test" }],
])("a generated call id goes with every write and no read (%s) of %s", async (...row) => {
  const [isSent, , page, options] = row;
  openAt(page);

  const [read, ...ids] = await idsOf(options);

  expect(read).toBeNull();
  if (isSent) for (const id of ids) expect(id).toMatch(form);
  expect(new Set(ids)).toHaveProperty("size", isSent ? writes.length : 1);
  expect(ids.includes(null)).toBe(!isSent);
});

it("a caller's Idempotency-Key replaces the generated call id", async () => {
  openAt(shop);
  const ids = await idsOf({ ...own, headers: { "Idempotency-Key": "mine" } });
  expect(new Set(ids)).toEqual(new Set(["mine"]));
});

it("an Idempotency-Key for the service itself, which would ignore it, is refused", async () => {
  const words =
    /^headers must not hold (x-)?idempotency-key: the service knows no .* so use once, /i;
  for (const name of ["Idempotency-Key", "IDEMPOTENCY-KEY", "X-Idempotency-Key"]) {
    const headers = { [name]: "order-1" };
    expect(refusalOf({ baseUrl: "https://ads.test", apiKey: "ak-1", headers })).toMatch(words);
    const error = await refusing(({ jobs }) => jobs.submit(paidJob, { headers }));
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.message).toMatch(words);
    const client = clientOver(async () => respondWithData({ job_id: "j", status: "queued" }), {
      callIds: true,
    });
    expect(await client.jobs.submit(paidJob, { headers })).toMatchObject({ job_id: "j" });
  }
});

it.each<[string, number, Call]>([
  ["a submission", 429, submitJob],
  ["a deletion", 503, deleteBrand],
])("the generated call id stays the same when %s is retried", async (_, status, write) => {
  const answers = [failure(status, "wait", { "retry-after": "0" }), failure(402)];

  const { received } = await failing(answers, write, { apiKey: null, callIds: true });

  const [first, second] = received.map(({ headers }) => headers["idempotency-key"]);
  expect(first).toMatch(form);
  expect(second).toBe(first);
});

it.each<[ListQuery | undefined, string]>([
  [undefined, ""],
  [{}, ""],
  [{ limit: 5 }, "?limit=5"],
  [{ limit: 0, after: "", archived: false }, "?limit=0&after=&archived=false"],
  [{ limit: undefined, cursor: "a b&c=d/ü" }, "?cursor=a+b%26c%3Dd%2F%C3%BC"],
  [{ "a[b]": "x", "#": "?" }, "?a%5Bb%5D=x&%23=%3F"],
  [{ constructor: "x", valueOf: "y" } as unknown as ListQuery, "?constructor=x&valueOf=y"],
])("the query %j is sent as %j", async (query, text) => {
  const server = await listen(success([]));
  const { jobs, brands } = clientOf(server);
  await jobs.list(query);
  await brands.list(query);
  await brands.listAds("b", query);

  const paths = ["/v1/jobs", "/v1/brands", "/v1/brands/b/ads"];
  expect(server.received.map(({ url }) => url)).toEqual(paths.map((path) => path + text));
});

it("a query isn't part of the path in errors and hooks", async () => {
  const onRequest = vi.fn();
  const list: Call = ({ jobs }) => jobs.list({ cursor: "S3cr3t" });
  const { error } = await failing(success("none"), list, { hooks: { onRequest } });

  expect(error.path).toBe("/v1/jobs");
  expect(onRequest.mock.calls).toEqual([
    [{ operation: "jobs.list", method: "GET", path: "/v1/jobs", attempt: 1 }],
  ]);
  expect(JSON.stringify(error)).not.toContain("S3cr3t");
});

const kinds: [value: unknown, shown: string][] = [
  [Number.NaN, "NaN"],
  [null, "null"],
  [{}, "an object"],
  [[], "an array"],
  [() => 1, "a function"],
  [1n, "a bigint"],
  [Symbol("s"), "a symbol"],
];
const noLimit = "query.limit must be a whole number of 0 or more, got";
const noValue =
  "query.status must be text, a finite number or a boolean, as in list({ limit }), got";
const isOption = "is an option of the call, not of the query: pass it in the options";
const names = "signal, timeoutMs, totalTimeoutMs, maxRetries, headers, onResponse";

it.each<[query: unknown, message: string]>([
  ["abc", 'query must be an object, got "abc"'],
  [null, "query must be an object, got null"],
  [{ timeoutMs: 5 }, `query.timeoutMs ${isOption}`],
  [{ cursor: "\ud800" }, "query.cursor has half of a surrogate pair"],
  [{ limit: -1 }, `${noLimit} -1`],
  [{ query: { limit: 5 } }, `${noValue.replace("status", "query")} an object`],
  ...kinds.flatMap(([value, shown]): [object, string][] => [
    [{ limit: value }, `${noLimit} ${shown}`],
    [{ status: value }, `${noValue} ${shown}`],
  ]),
])("the query %o is refused with what is wrong and what to do: %s", async (query, message) => {
  const given = query as ListQuery;
  const ofJobs = await refusing(({ jobs }) => jobs.list(given));
  const ofBrands = await refusing(({ brands }) => brands.list(given));
  const misplaced = await refusing(({ brands }) => brands.list({}, { cursor: "a" } as CallOptions));

  const name = "InvalidRequestError";
  expect(ofJobs).toMatchObject({ name, code: "invalid_request", message });
  expect(ofBrands).toMatchObject({ name, code: "invalid_request", message });
  expect(misplaced.message).toBe(`brands.list has no option "cursor"; it has ${names}`);
});
