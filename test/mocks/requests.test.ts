import { describe, expect, test } from "vitest";
import { createMockService, type MockService } from "../../mocks/index.ts";
import { createAsk, failure } from "./ask.ts";
import { setUp } from "./set-up.ts";

const origin = "https://ads.test";
const headers = { authorization: "Bearer test-key" };

/** Sends the header as it is, because `Request` would trim it. */
const replyTo = (service: MockService, authorization: string | null, path = "/v1/jobs") =>
  service.reply({
    method: "GET",
    url: origin + path,
    headers: new Headers(authorization === null ? {} : { authorization }),
    body: null,
    signal: new AbortController().signal,
    text: async () => "",
  });

/* test/conformance sends more requests of these kinds, through every adapter. */

describe("a picture of a job", () => {
  test.each([
    "./bottle.png",
    "C:\\bottle.png",
    "bottle.png",
    "file:///bottle.png",
    "A".repeat(120),
  ])("a submission with the local picture %s gets a 400", async (picture) => {
    const { ask, journal } = setUp();
    const body = { action: "generate-ad", images: ["https://ads.test/a.png", picture] };
    const { status, text } = await ask("POST", "/v1/jobs", body);
    const reason = "Invalid parameter images.1: expected a URL or a data URL";
    expect([status, text]).toEqual([400, failure(reason)]);
    expect(journal.find({ path: "/v1/jobs" })).toHaveLength(1);
  });
});

describe("the path of a request", () => {
  test.each([
    ["OPTIONS", "/v1/jobs", "POST, GET, HEAD"],
    ["QUERY", "/v1/jobs", "POST, GET, HEAD"],
    ["HEAD", "/v1/brands/x", "PATCH, DELETE"],
    ["POST", "/some/prefix/v1/brands/x/ads", "GET, HEAD"],
    ["POST", "/v1/ads/v1/brands/v1/ads", "GET, HEAD"],
  ])("%s %s gets a 405 with the allowed methods", async (method, path, allowed) => {
    const { service, journal } = setUp();
    const answered = await service.fetch(origin + path, { method, headers });
    expect([answered.status, answered.headers.get("allow")]).toEqual([405, allowed]);
    expect(await answered.text()).toBe(method === "HEAD" ? "" : failure("Method not allowed"));
    expect(journal.entries[0]).toMatchObject({ operation: undefined, accepted: true });
    expect((await service.fetch(origin + path, { method })).status).toBe(401);
  });

  test("a job is found by its encoded id", async () => {
    const { submit, poll } = setUp();
    expect((await poll((await submit()).replace("_", "%5F"))).status).toBe(200);
  });

  const limits = ["0", "-1", "1.5", "", "ten", "1e3", "Infinity", "99999999999"];
  test.each(limits)("a list refuses the limit %j", async (limit) => {
    const { status, text } = await setUp().ask("GET", `/v1/jobs?limit=${limit}`);
    expect(status).toBe(400);
    expect(text).toBe(failure("Invalid parameter limit: expected a positive integer"));
  });

  const bases = [
    ...["https://ads.test", "http://127.0.0.1:4010", "https://x.test/some/prefix", ""],
    // The API begins at the last /v1 of a path.
    ...["https://x.test/v1/ads", "https://x.test/v1/v1", "https://x.test/v1/brands"],
  ];
  test.each(bases)("a service without a base URL answers below %j", async (base) => {
    const ask = createAsk(createMockService(), "test-key", base);
    expect((await ask("GET", "/v1/jobs")).status).toBe(200);
  });

  test.each([
    ["https://X.test:443/api/", "https://x.test/api/v1/jobs", 200],
    ["https://x.test/api", "/api/v1/jobs", 200],
    ["https://x.test/api", "https://x.test/v1/jobs", 404],
    ["https://x.test/api", "https://x.test/api/api/v1/jobs", 404],
    ["https://x.test/api", "https://x.test/apiv1/jobs", 404],
    ["https://x.test/api", "https://x.test/api/../v1/jobs", 404],
    ["https://x.test/api", "http://x.test/api/v1/jobs", 404],
    ["https://x.test/api", "https://y.test/api/v1/jobs", 404],
    ["https://x.test/api", "https://x.test:8443/api/v1/jobs", 404],
    ["https://x.test/v1/ads", "https://x.test/v1/ads/v1/jobs", 200],
    ["https://x.test", "https://x.test/v1/ads/v1/jobs", 404],
    ["https://x.test/v1/ads", "", 404],
  ])("a service with the base URL %s answers %s with %i", async (baseUrl, url, status) => {
    const service = createMockService({ baseUrl });
    expect(service.baseUrl).toBe(baseUrl.toLowerCase().replace(":443/api/", "/api"));
    expect((await createAsk(service, "test-key", "")("GET", url)).status).toBe(status);
  });
});

describe("the API key", () => {
  test.each([
    ...["Bearer Bearer test-key", "Bearertest-key", "Bearer TEST-KEY", "Bearer test-key more"],
    "Bearer constructor",
  ])("the Authorization header %j gets a 401", async (authorization) => {
    const { service } = setUp();
    const response = await service.fetch(`${origin}/v1/jobs`, { headers: { authorization } });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await response.text()).toBe(failure("API key invalid or missing"));
  });

  test.each([
    ...["bearer test-key", "BEARER test-key", "Bearer   test-key", "Bearer\ttest-key"],
    "Bearer test-key ",
  ])("the Authorization header %j is accepted", async (authorization) => {
    const { service, account } = setUp();
    const reply = await replyTo(service, authorization);
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty("www-authenticate");
    account.journal.assertCount(1, { status: 200 });
  });

  test("any prefix of the API key is accepted, unless apiKeyPrefix names one", async () => {
    const statusOf = async (service: ReturnType<typeof createMockService>, key: string) =>
      (await createAsk(service, key)("GET", "/v1/jobs")).status;
    const service = createMockService({ apiKeyPrefix: "live-" });
    expect(await statusOf(service, "live-key")).toBe(200);
    expect(await statusOf(service, "test-key")).toBe(401);
    expect(await statusOf(createMockService({ accounts: { "sk-1": {} } }), "sk-1")).toBe(200);
  });

  test("with pageKey, a request may have no key, but not a wrong one", async () => {
    const service = createMockService({ pageKey: "test-key" });
    const statusOf = async (authorization: string | null) =>
      (await replyTo(service, authorization, "/adgen/v1/jobs")).status;
    expect(
      await Promise.all([null, "Bearer test-key", "Bearer other", "test-key", ""].map(statusOf)),
    ).toEqual([200, 200, 401, 401, 401]);
    service.journal.assertCount(2, { account: "test-key", status: 200 });
    const unknown = createMockService({ pageKey: "other" });
    expect((await unknown.fetch(`${origin}/v1/jobs`)).status).toBe(401);
  });

  test("with pageKey, a repeated Idempotency-Key gets the first answer, and only one job is made", async () => {
    const service = createMockService({ pageKey: "test-key" });
    const post = async (id: string | undefined, body: object, key?: string) => {
      const headers = {
        ...(id !== undefined && { "Idempotency-Key": id }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const answer = await service.fetch(`${origin}/v1/jobs`, init);
      return { status: answer.status, id: (await answer.json()).data?.job_id };
    };
    const ad = { action: "generate-ad" };
    service.account("test-key").setCredits({ image: {} });
    expect((await post("a", ad)).status).toBe(402);
    service.account("test-key").setCredits({ image: { monthly: 5 } });
    service.faults.play({ kind: "status", status: 503, accepted: true });
    expect((await post("a", ad)).status).toBe(503);
    const first = await post("a", ad);
    expect(await post("a", ad)).toEqual(first);
    expect((await post("a", { action: "copy-ad" })).status).toBe(409);
    expect(service.account("test-key").jobs.all.map(({ job_id }) => job_id)).toEqual([first.id]);
    // Without an id, or with an API key, each request counts: the service itself ignores the header.
    for (const given of [undefined, "a"]) await post(given, ad, given && "test-key");
    expect(service.account("test-key").jobs.count).toBe(3);
    for (const { reset } of [service.account("test-key"), service]) {
      const before = await post("a", ad);
      reset();
      const after = await post("a", ad);
      expect(after.status).toBe(202);
      expect(after.id).not.toBe(before.id);
    }
  });

  test("with pageKey, brands and ads are created once as well, and an id can't name two calls", async () => {
    const service = createMockService({ pageKey: "test-key" });
    const headers = { "idempotency-key": "a" };
    const post = (path: string, body: object) =>
      service.fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    const names = ["/v1/brands", "/v1/brands"].map((path) => post(path, { name: "Acme" }));
    const [first, again] = await Promise.all(names);
    expect(await again?.json()).toEqual(await first?.json());
    expect(service.account("test-key").brands).toHaveLength(1);
    const other = await post("/v1/saved-ads", { brand_id: "brand_1" });
    expect([other.status, (await other.json()).error]).toEqual([
      409,
      "this Idempotency-Key names another call: take a new one for each call",
    ]);
    expect(other.headers.get("adgen-outcome")).toBe("refused");
    // Only creations are remembered, so a change may be repeated.
    const [{ id } = {}] = service.account("test-key").brands;
    for (const tone of ["dry", "warm"]) {
      const init = { method: "PATCH", headers, body: JSON.stringify({ tone }) };
      await service.fetch(`${origin}/v1/brands/${id}`, init);
    }
    expect(service.account("test-key").brands).toMatchObject([{ tone: "warm" }]);
  });

  test("the hint of a 401 lists the mock's keys, but not the wrong key", async () => {
    const service = createMockService();
    const reply = (authorization: string | null) => replyTo(service, authorization);
    const wrong = await reply("Bearer sk-real-secret");
    expect(wrong.hint).toBe("no account has the key of the request; the mock has test-key");
    expect(wrong.body).toBe(failure("API key invalid or missing"));
    const withoutKey = 'the request has no header "Authorization: Bearer <key>"';
    expect((await reply(null)).hint).toBe(withoutKey);
    expect((await reply("Basic test-key")).hint).toBe(withoutKey);
    expect((await reply("Bearer test-key")).hint).toBeUndefined();
  });
});

test("the mock reads the body of a Request that doesn't show it, as in Firefox", async () => {
  const service = createMockService();
  const headers = { authorization: "Bearer test-key" };
  const init = { method: "POST", headers, body: '{"name":"Acme"}' };
  const request = new Request(`${origin}/v1/brands`, init);
  Object.defineProperty(request, "body", { value: undefined });
  expect((await service.reply(request)).status).toBe(201);
});

test.each([
  ["promt", "did you mean prompt?"],
  ["prommpt", "did you mean prompt?"],
  ["brandId", "did you mean brand_id?"],
  ["variaitons", "did you mean variations?"],
  ["durition", "did you mean duration?"],
  ["image", "did you mean images?"],
  ["style", "a job has action, prompt, images, variations, duration, brand_id"],
])("the journal lists the unknown parameter %s, which a strict service refuses", async (...row) => {
  const [name, message] = row;
  const body = { action: "generate-ad", [name]: "x" };
  const lenient = createMockService();
  expect((await createAsk(lenient)("POST", "/v1/jobs", body)).status).toBe(202);
  expect(lenient.journal.entries[0]?.unknownParameters).toEqual([name]);

  const strict = createMockService({ strict: true });
  const { status, text } = await createAsk(strict)("POST", "/v1/jobs", body);
  expect([status, text]).toEqual([
    400,
    expect.stringContaining(`Invalid parameter ${name}: ${message}`),
  ]);
  strict.account("test-key").assertCharges([]);
  const brand = { name: "Acme", website: "https://acme.test" };
  expect((await createAsk(strict)("POST", "/v1/brands", brand)).status).toBe(201);
});
