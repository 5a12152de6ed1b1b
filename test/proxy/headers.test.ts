import { describe, expect, test } from "vitest";
import { failure } from "../helpers/answers.ts";
import { secretKey } from "./fake-service.ts";
import { failureOf, openProxy } from "./proxy-under-test.ts";

/** Headers that a page, its browser or an attacker may add. */
const fromThePage = {
  authorization: "Bearer stolen",
  cookie: "session=1",
  "x-forwarded-for": "1.2.3.4",
  "x-forwarded-proto": "https",
  forwarded: "for=1.2.3.4",
  "x-real-ip": "1.2.3.4",
  "x-api-key": "stolen",
  "x-http-method-override": "DELETE",
  referer: "http://page.test/secret",
  te: "trailers",
  "proxy-authorization": "Basic abc",
  "accept-language": "de",
  traceparent: "00-1",
  "if-none-match": "*",
  range: "bytes=0-1",
  expect2: "x",
};

/** Headers that a service, or something before it, may add. */
const fromTheService = {
  server: "nginx/1.2",
  "x-powered-by": "Express",
  "set-cookie": ["session=1", "other=2"],
  location: "http://10.0.0.7/v1/jobs",
  via: "1.1 internal",
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": "true",
  "cache-control": "public, max-age=3600",
  etag: '"1"',
  "www-authenticate": "Bearer",
  "content-security-policy": "x",
  "content-disposition": "attachment",
  "clear-site-data": '"*"',
  "x-account": "acme",
  link: "<http://10.0.0.7>",
  "adgen-outcome": "not-sent",
};

describe("headers", () => {
  test("that are known go to the service, and no others", async () => {
    const { submit, ask, service } = await openProxy();
    await submit("ann", {}, "call-1", fromThePage);
    await ask("ann", { path: "/v1/jobs/job-1", headers: fromThePage });
    const [post, get] = service.received;
    const transport = [
      ...["accept-encoding", "cache-control", "pragma", "accept-language"],
      ...["connection", "host", "sec-fetch-mode", "user-agent"],
    ];
    const names = ["accept", "authorization", ...transport];
    for (const name of Object.keys(get?.headers ?? {})) expect(names).toContain(name);
    expect(
      Object.keys(post?.headers ?? {})
        .filter((name) => !names.includes(name))
        .sort(),
    ).toEqual(["content-length", "content-type"]);
    for (const request of [post, get]) {
      expect(request?.headers.authorization).toBe(`Bearer ${secretKey}`);
      expect(request?.headers["accept-language"] ?? "*").toBe("*");
      expect(JSON.stringify(request?.headers)).not.toMatch(
        /stolen|session|1\.2\.3\.4|page|ann|call-1/,
      );
    }
  });

  test("that are known come back, and no others", async () => {
    const { submit, ask, service } = await openProxy();
    const headers = { ...fromTheService, "x-request-id": "r-1", "retry-after": "3" };
    service.play({ headers }, { headers }, { answer: failure(402, "No credits", headers) });
    const own = {
      "cache-control": "no-store",
      "content-type": expect.stringMatching(/^application\/json/),
      "x-content-type-options": "nosniff",
      "retry-after": "3",
      "x-request-id": "r-1",
    };
    const framing = [
      ...["connection", "content-length", "date", "keep-alive", "transfer-encoding", "vary"],
    ];
    const shown = (all: object) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !framing.includes(name)));
    expect(shown((await submit("ann")).headers)).toEqual(own);
    expect(shown((await ask("ann", { path: "/v1/jobs/job-1" })).headers)).toEqual(own);
    expect(shown((await submit("ann")).headers)).toEqual({ ...own, "adgen-outcome": "refused" });
  });

  const values: [what: string, headers: Record<string, string>][] = [
    ["a long request id", { "x-request-id": "x".repeat(9_000) }],
    ["a request id with the key", { "x-request-id": `r-${secretKey}` }],
    ["a wait that is no wait", { "retry-after": `soon, ${secretKey}` }],
  ];
  test.each(values)("come back without harm: %s", async (_, headers) => {
    const { submit, service } = await openProxy();
    service.play({ headers });
    const answered = await submit("ann");
    expect(answered.status).toBe(202);
    expect(JSON.stringify(answered)).not.toContain(secretKey);
    expect(JSON.stringify(answered.headers).length).toBeLessThan(2_000);
  });
});

describe("a method", () => {
  const rows: [method: string, path: string, allow: string][] = [
    ["PUT", "/v1/jobs", "GET, HEAD, POST, OPTIONS"],
    ["DELETE", "/v1/jobs", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/v1/jobs/job-1", "GET, HEAD, OPTIONS"],
    ["DELETE", "/v1/jobs/job-1", "GET, HEAD, OPTIONS"],
    ["GET", "/v1/brands/brand-1", "PATCH, DELETE, OPTIONS"],
    ["PATCH", "/v1/saved-ads/ad-1", "DELETE, OPTIONS"],
    ["GET", "/v1/saved-ads", "POST, OPTIONS"],
    ["PROPFIND", "/v1/jobs", "GET, HEAD, POST, OPTIONS"],
  ];
  test.each(rows)("%s of %s is 405, with those that are allowed", async (method, path, allow) => {
    const { ask, service } = await openProxy();
    const answered = await ask("ann", { method, path });
    expect(answered.status).toBe(405);
    const named = (list = "") =>
      list
        .split(/, */)
        .filter((name) => name !== "OPTIONS")
        .sort();
    expect(named(answered.headers.allow)).toEqual(named(allow));
    expect(service.arrivals()).toBe(0);
  });

  test("in a header is not believed", async () => {
    const { ask, make, service } = await openProxy();
    const brand = await make("ann", "/v1/brands", { name: "Mine" });
    const headers = { "x-http-method-override": "DELETE", "x-http-method": "DELETE" };
    await ask("ann", { path: `/v1/brands/${brand}/ads?_method=DELETE`, headers });
    await ask("ann", { path: `/v1/brands/${brand}/ads`, headers });
    expect(service.received.slice(1).every(({ method }) => method === "GET")).toBe(true);
  });

  test("HEAD has the head of GET alone", async () => {
    const { ask, submit, service } = await openProxy();
    await submit("ann");
    const get = await ask("ann", { path: "/v1/jobs/job-1" });
    const head = await ask("ann", { method: "HEAD", path: "/v1/jobs/job-1" });
    expect(head).toMatchObject({ status: 200, body: "" });
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    expect(service.posts()).toHaveLength(1);
    const missing = await ask("ann", { method: "HEAD", path: "/v1/jobs/none" });
    expect(missing).toMatchObject({ status: 404, body: "" });
    expect((await ask("", { method: "HEAD" })).status).toBe(401);
  });

  test("OPTIONS is answered without an owner and without the service", async () => {
    const { ask, service } = await openProxy();
    const answered = await ask("", { method: "OPTIONS" });
    expect(answered).toMatchObject({ status: 204, body: "" });
    expect(answered.headers["access-control-allow-origin"]).toBeUndefined();
    expect((await ask("", { method: "OPTIONS", path: "/v1/nothing" })).status).not.toBe(200);
    expect(service.arrivals()).toBe(0);
  });

  test("of a narrowed proxy is 404 where the call is not let through", async () => {
    const { ask, submit, service } = await openProxy({ endpoints: ["jobs.submit", "jobs.get"] });
    expect((await submit("ann")).status).toBe(202);
    expect((await ask("ann")).status).toBeOneOf([404, 405]);
    expect(failureOf(await ask("ann", { path: "/v1/brands" })).status).toBe(404);
    expect(service.arrivals()).toBe(1);
  });
});
