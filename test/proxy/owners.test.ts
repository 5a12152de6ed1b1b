import { createClient } from "adgen-sdk";
import { createSubmissions, recoverJobs } from "adgen-sdk/submissions";
import { beforeAll, expect, test } from "vitest";
import { createProxy, type ProxyOptions } from "../../src/proxy/index.ts";
import { failure, resetConnection, success } from "../helpers/answers.ts";
import { secretKey } from "./fake-service.ts";
import {
  dataOf,
  failureOf,
  gone,
  openProxy,
  openWithThings,
  type ProxyUnderTest,
  perDay,
  submissionOf,
} from "./proxy-under-test.ts";

const refusal = { status: 401, success: false, data: null, error: "Unauthorized: sign in first" };

test("createProxy requires authorize or allowAnyone", () => {
  const options = { baseUrl: "http://127.0.0.1:9", apiKey: secretKey };
  const message = expect.stringMatching(/authorize[\s\S]*allowAnyone/);
  const error = expect.objectContaining({ code: "config", message });
  expect(() => createProxy(options)).toThrow(error);
  expect(() => createProxy({ ...options, allowAnyone: false })).toThrow(error);
  // @ts-expect-error: only a function can say who it is
  expect(() => createProxy({ ...options, authorize: "ann" })).toThrow(/authorize/);
});

test("all visitors are one owner with allowAnyone", async () => {
  const { statusOf, submit } = await openProxy({ authorize: undefined, allowAnyone: true });
  expect((await submit("")).status).toBe(202);
  expect(await statusOf("bob", "/v1/jobs/job-1")).toBe(200);
});

test.each([undefined, null, false, ""] as const)(
  "a request whose authorize returns %j gets a 401",
  async (answer) => {
    const { ask, submit, service, events } = await openProxy({ authorize: async () => answer });
    expect(failureOf(await ask("ann"))).toEqual({ ...refusal, outcome: undefined });
    expect(failureOf(await submit("ann"))).toEqual({ ...refusal, outcome: "refused" });
    expect(service.received).toHaveLength(0);
    expect(events).toMatchObject([{ outcome: undefined }, { outcome: "refused" }]);
    expect(events.every(({ owner, status }) => owner === undefined && status === 401)).toBe(true);
  },
);

test("authorize may read a copy of the request", async () => {
  const authorize = async (request: Request) => (await request.clone().json()).owner;
  const { submit } = await openProxy({ authorize });
  expect((await submit("", { owner: "ann" }, "call-1")).status).toBe(202);
});

const down = new Error("db at 10.0.0.7 is down");
const throws = () => {
  throw down;
};
const rows: [part: string, how: string, fails: (request: Request) => unknown][] = [
  ["authorize", "throws", throws],
  ["authorize", "rejects", () => Promise.reject(down)],
  ["authorize", "rejects with nothing", () => Promise.reject()],
  ["authorize", "returns a number", () => 7],
  ["authorize", "returns true", () => true],
  ["authorize", "returns an object", () => ({ owner: "ann", secret: "10.0.0.7" })],
  ["authorize", "returns a String object", () => new String("ann")],
  ["authorize", "returns half of a surrogate pair", () => "ann\uD800"],
  ["authorize", "returns an owner that is too long", () => "\u00FC".repeat(134)],
  ["limits", "throws", throws],
  ["limits", "rejects", () => Promise.reject(down)],
  ["limits", "returns nothing", () => undefined],
  ["limits", "returns a list", () => [{ jobs: 7 }]],
  ["limits", "returns a limit of NaN", () => ({ day: { jobs: Number.NaN } })],
];
test.each(rows)(
  "the function %s that %s lets nothing through, and the page doesn't learn why",
  async (part, _, fails) => {
    const options = { [part]: fails } as ProxyOptions;
    const { submit, service, errors, memory } = await openProxy(options);
    const error = "the proxy failed, and this request was not sent";
    const failed = { status: 500, success: false, data: null };
    expect(failureOf(await submit("ann"))).toEqual({ ...failed, outcome: "not-sent", error });
    const named = failureOf(await submit("ann", {}, "call-1"));
    // The limits are read only for a new id. Nobody can look an id up without its owner.
    const outcome = part === "limits" ? "not-sent" : "unknown";
    expect(named).toMatchObject({ ...failed, outcome });
    expect(named.error).not.toMatch(/10\.0\.0\.7|db|ann/);
    expect([service.received, memory.values.size]).toEqual([[], 0]);
    expect(errors.map(({ part }) => part)).toEqual([part, part]);
  },
);

test("owners with similar names never share a job or a call id", async () => {
  const long = "x".repeat(799);
  const names = [
    ...["ann", "Ann", "ann ", "ann\nbob", "ann\0", "../ann", "jobs:ann", "a", "a:b", "a%3Ab"],
    ...["Zoe\u0308", "Zo\u00EB", `${long}1`, `${long}2`, "__proto__", "constructor"],
    ...["\u{1F600}", "\u{1F601}"],
  ];
  const { proxy, service } = await openProxy(perDay({ jobs: 1 }));
  const ask = async (owner: string, request: Request) => {
    const response = await proxy.fetchAs(owner)(request);
    return { status: response.status, data: (await response.json()).data };
  };
  const get = (path: string) => new Request(`http://page.test/v1/jobs${path}`);
  for (const name of names) {
    // Neither an owner nor a call id may run into the other.
    const id = /^a(:|%3A)b$/.test(name) ? "c" : "b:c";
    expect((await ask(name, submissionOf(id))).status).toBe(202);
    expect((await ask(name, submissionOf("call-2"))).status).toBe(402);
  }
  for (const [index, name] of names.entries()) {
    const { jobs } = (await ask(name, get(""))).data;
    expect(jobs).toMatchObject([{ job_id: `job-${index + 1}` }]);
    expect((await ask(name, get(`/job-${index + 1}`))).status).toBe(200);
    expect((await ask(name, get(`/job-${index === 0 ? 2 : index}`))).status).toBe(404);
  }
  expect(service.charges).toHaveLength(names.length);
});

test("fetchAs acts for its owner, whatever its requests say", async () => {
  const { proxy, statusOf, service } = await openProxy();
  const page = { baseUrl: "http://elsewhere.test", apiKey: null };
  const clientOf = (owner: string, headers = {}) =>
    createClient({ ...page, headers, fetch: proxy.fetchAs(owner) });
  const evil = { origin: "https://evil.test", "sec-fetch-site": "cross-site", "x-owner": "eve" };
  const ann = clientOf("ann", evil);
  const { job_id: jobId } = await ann.jobs.submit({ action: "generate-ad", prompt: "Sale" });
  expect(await statusOf("ann", `/v1/jobs/${jobId}`)).toBe(200);
  expect(await statusOf("eve", `/v1/jobs/${jobId}`)).toBe(404);
  expect((await ann.jobs.list()).items).toHaveLength(1);
  await expect(clientOf("eve").jobs.get(jobId)).rejects.toMatchObject({ status: 404 });
  expect(JSON.stringify(service.received)).not.toContain("evil");
});

test.each(["", undefined, null, 7, "a\uD800", "x".repeat(801)])(
  "fetchAs, usage and claim refuse the owner %j",
  async (owner) => {
    const { proxy } = await openProxy();
    expect(() => proxy.fetchAs(owner as string)).toThrow(/owner/);
    await expect(proxy.usage(owner as string)).rejects.toThrow(/owner/);
    await expect(proxy.claim("job", "job-1", owner as string)).rejects.toThrow(/owner/);
  },
);

test("claim gives a thing to one owner, and never takes it from another", async () => {
  const { proxy, submit, statusOf, meet } = await openProxy();
  await submit("ann");
  expect(await proxy.claim("job", "job-1", "eve")).toBe(false);
  expect(await statusOf("eve", "/v1/jobs/job-1")).toBe(404);
  expect(await proxy.claim("job", "job-1", "ann")).toBe(true);
  const all = ["ann", "eve", "bob"].map((who) => proxy.claim("ad", "ad-9", who));
  expect(await Promise.all(all)).toEqual([true, false, false]);
  // @ts-expect-error: only things have owners
  await expect(proxy.claim("call", "ann:call-1", "eve")).rejects.toThrow(/kind/);
  for (const id of ["", "..", "a\nb", "x".repeat(300)]) {
    await expect(proxy.claim("job", id, "eve")).rejects.toThrow(/id/);
  }
  meet(gone);
  await expect(proxy.claim("job", "job-1", "eve")).rejects.toThrow(/store/);
  expect(await statusOf("eve", "/v1/jobs/job-1")).toBe(503);
});

test.each([
  undefined,
  { method: "POST", url: "http://page.test/adgen/v1/jobs" },
  { method: "GET", url: "/v1/jobs", headers: {} },
])("a proxy that is called with %j answers with 500, and never rejects", async (request) => {
  const { proxy, errors, service } = await openProxy();
  for (const answer of [proxy, proxy.fetchAs("ann")]) {
    const response = await answer(request as Request);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ success: false, error: "the proxy failed" });
  }
  expect(errors.length).toBeGreaterThanOrEqual(2);
  expect(errors.every(({ part }) => part === "proxy")).toBe(true);
  expect(service.received).toHaveLength(0);
});

/** Ann has brand-1, ad-2 in it, job-3 and job-4; Bob has brand-5, ad-6, job-7 and job-8. */
const withThings = () => openWithThings("ann", "bob");

let stage: ProxyUnderTest;
beforeAll(async () => {
  stage = await withThings();
});

test("a list shows only the owner's things, the newest first", async () => {
  const rows: [owner: string, path: string, field: string, ids: string[]][] = [
    ["ann", "/v1/jobs", "jobs", ["job-4", "job-3"]],
    ["ann", "/v1/brands", "brands", ["brand-1"]],
    ["ann", "/v1/brands/brand-1/ads", "ads", ["ad-2"]],
    ["bob", "/v1/jobs", "jobs", ["job-8", "job-7"]],
    ["bob", "/v1/brands", "brands", ["brand-5"]],
    ["bob", "/v1/brands/brand-5/ads", "ads", ["ad-6"]],
    ["eve", "/v1/jobs", "jobs", []],
    ["eve", "/v1/brands", "brands", []],
  ];
  for (const [owner, path, field, ids] of rows) {
    expect(await stage.list(owner, path)).toEqual(ids);
    expect(Object.keys(dataOf(await stage.ask(owner, { path })).data)).toEqual([field]);
  }
});

test("a list of brands leaves out deleted brands, and brands that belong to somebody else now", async () => {
  const { list, ask, memory, proxy, service } = await withThings();
  const keys = ["owner:ad:ad-2", "owner:brand:brand-1"];
  for (const key of keys) expect(memory.values.has(key)).toBe(true);
  const brand = service.state.things.brands.get("brand-1") ?? {};
  for (const path of ["/v1/saved-ads/ad-2", "/v1/brands/brand-1"]) {
    expect((await ask("ann", { method: "DELETE", path })).status).toBe(200);
  }
  for (const key of keys) expect(memory.values.has(key)).toBe(false);
  // The service restores the brand.
  service.state.things.brands.set("brand-1", brand);
  expect(await proxy.claim("brand", "brand-1", "bob")).toBe(true);
  expect(await list("ann", "/v1/brands")).toEqual([]);
  expect(await list("bob", "/v1/brands")).toEqual(["brand-1", "brand-5"]);
});

test("a list has as many of the owner's things as the page asks for", async () => {
  expect(await stage.list("ann", "/v1/jobs?limit=1")).toEqual(["job-4"]);
  expect(await stage.list("ann", "/v1/jobs?limit=2")).toEqual(["job-4", "job-3"]);
  for (const [status, shown] of [
    [404, 200],
    [503, 503],
  ] as const) {
    stage.service.play({ answer: failure(status) });
    expect(await stage.statusOf("ann", "/v1/jobs?limit=1")).toBe(shown);
  }
  const ads = [
    { id: "ad-2", brand_id: "brand-1" },
    { id: "ad-6", brand_id: "brand-5" },
  ];
  stage.service.play({ answer: success({ ads }) });
  expect(await stage.list("ann", "/v1/brands/brand-1/ads")).toEqual(["ad-2"]);
});

const secret = { name: "secret" };
const odd: [what: string, data: unknown][] = [
  ["a bare array", [{ id: "brand-5", name: "secret" }, { id: "brand-1" }]],
  ["items without ids", { brands: [secret] }],
  ["ids of numbers", { brands: [{ id: 7, name: "secret" }] }],
  ["ids of the prototype", { brands: [{ id: "__proto__", ...secret }] }],
  ["nothing", null],
];
test.each(odd)(
  "a list that the service answers with %s shows nothing of other owners",
  async (_, data) => {
    stage.service.play({ answer: success(data) });
    const { body, status } = await stage.ask("ann", { path: "/v1/brands" });
    expect(status).toBeOneOf([200, 502]);
    expect(body).not.toMatch(/secret|brand-5|bob/);
  },
);

test("a client that shares a proxy's store doesn't see the submissions of its users", async () => {
  const { memory, service, submit } = await openProxy();
  const submissions = createSubmissions(memory.store);
  const client = createClient({ baseUrl: service.url, apiKey: secretKey, submissions });
  await submit("ann", {}, "call-1");
  await submit("ann");
  const held = service.hold();
  const ann = submit("ann", {}, "call-2");
  await held.begun;
  const { underWay, unknown } = await recoverJobs(client);
  expect({ underWay, unknown }).toEqual({ underWay: [], unknown: [] });
  held.open();
  expect((await ann).status).toBe(202);
  service.play({ answer: resetConnection, charges: true });
  const request = { action: "generate-ad", prompt: "The server's" } as const;
  await expect(client.jobs.submit(request, { once: "order-17" })).rejects.toThrow();
  const [doubt, ...others] = (await recoverJobs(client)).unknown;
  expect(doubt?.candidates?.map(({ job_id: id }) => id)).toEqual(["job-4"]);
  expect(others).toEqual([]);
});
