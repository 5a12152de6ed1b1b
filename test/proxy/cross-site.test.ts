import { beforeAll, expect, test } from "vitest";
import { failureOf, openProxy, type ProxyUnderTest } from "./proxy-under-test.ts";

const app = "https://app.test";
const second = "https://second.test";
const evil = "https://evil.test";
const page = "http://page.test";

const sameOrigin = { "sec-fetch-site": "same-origin" };
const sameSite = { "sec-fetch-site": "same-site" };
const crossSite = { "sec-fetch-site": "cross-site" };

type Row = [what: string, headers: Record<string, string>];

const forwarded = "Shop.test:443, inner.test:8080";
const withPort = { origin: "https://page.test", host: "page.test:443", ...sameOrigin };

/** Requests that are let through. */
const own: Row[] = [
  ["no browser", {}],
  ["a page of one's own", { origin: page, ...sameOrigin }],
  ["a read of a page of one's own", { ...sameOrigin }],
  ["an old browser's page of one's own", { origin: page }],
  ["a page of one's own behind TLS", { origin: "https://page.test" }],
  ["a page whose port the server in front writes out", withPort],
  ["a forwarded port", { origin: "https://shop.test", "x-forwarded-host": forwarded }],
  ["a name of six numbers", { origin: "http://[::1]:3000", host: "[::1]:3000" }],
  ["an origin that is listed", { origin: app, ...crossSite }],
  ["another origin that is listed", { origin: second, ...crossSite }],
  ["a listed origin of an old browser", { origin: app }],
];

const from = (origins: readonly string[], headers = {}) =>
  origins.map((origin) => ({ origin, ...headers }));

/** Requests that are refused: contradictions, words that nobody knows, and look-alikes of ours. */
const foreign = [
  ...[crossSite, sameSite, { origin: evil, ...sameOrigin }, { "sec-fetch-site": "same-galaxy" }],
  { "sec-fetch-site": "same-origin, cross-site" },
  { origin: page, host: "page.test:443" }, // without TLS, where the host has it
  { origin: evil, "x-forwarded-host": "evil.test", ...crossSite },
  ...from(["http://other.page.test", "http://page.test:8080"], sameSite),
  ...from([evil, "null", "http://app.test", "https://APP.test", `${app} ${evil}`], crossSite),
  ...from(["https://app.test.evil.test", "https://app.test:8443"], crossSite),
  // Of old browsers, which say no more. The first of these is the name of what is missing.
  ...from(["http://undefined", evil, "null", "http://page.test.evil.test", "http://evilpage.test"]),
  ...from(["http://page.test@evil.test", "http://evil.test/page.test", "page.test", "file://"]),
].map((headers): Row => [JSON.stringify(headers), headers]);

const typed: Row = ["an address that was typed", { "sec-fetch-site": "none" }];

/** Requests, and whether they may read and write. */
const rows = [
  ...own.map((row) => [...row, true, true] as const),
  [...typed, true, false] as const,
  ...foreign.map((row) => [...row, false, false] as const),
];

const preflight = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "content-type,idempotency-key",
};

let stage: ProxyUnderTest;
beforeAll(async () => {
  stage = await openProxy({ origins: [app, second] });
});

test.each(rows)("a request of %s", async (what, headers, read, write) => {
  const { ask, submit, service, events } = stage;
  const before = service.charges.length;
  const all = { host: "page.test", ...headers };
  const origin = headers["origin"] ?? "";
  const cors = [app, second].includes(origin) ? origin : undefined;
  const got = await ask("ann", { headers: all });
  expect(got.status).toBe(read ? 200 : 403);
  const head = await ask("ann", { method: "HEAD", headers: all });
  const type = got.headers["content-type"];
  expect(head).toMatchObject({ status: got.status, headers: { "content-type": type } });
  const posted = await submit("ann", {}, what.replaceAll(" ", ""), all);
  expect(posted.status).toBe(write ? 202 : 403);
  if (!write) expect(failureOf(posted)).toMatchObject({ outcome: "unknown", data: null });
  for (const asked of [{ method: "PATCH", body: {} }, { method: "DELETE" }]) {
    const answered = await ask("ann", { ...asked, path: "/v1/brands/brand-1", headers: all });
    expect(answered.status).toBe(write ? 404 : 403);
  }
  const asked = await ask("", { method: "OPTIONS", headers: { ...all, ...preflight } });
  expect(asked.status).toBe(write ? 204 : 403);
  for (const { headers } of [got, posted, asked]) {
    expect(headers["access-control-allow-origin"]).toBe(cors);
    if (cors !== undefined) expect(String(headers.vary).toLowerCase()).toContain("origin");
  }
  const told = Object.keys(asked.headers).filter((name) => name.startsWith("access-control"));
  expect(read || told.length === 0).toBe(true);
  expect(service.charges).toHaveLength(before + Number(write));
  expect(events.filter(({ status, owner }) => status === 403 && owner !== undefined)).toEqual([]);
});

test("a page without TLS is no page of one's own where the proxy has TLS", async () => {
  const ask = async (origin: string) => {
    const headers = { "x-owner": "ann", origin };
    const request = new Request("https://page.test/adgen/v1/jobs", { headers });
    return (await stage.proxy(request)).status;
  };
  expect([await ask(page), await ask("https://page.test")]).toEqual([403, 200]);
});

test("a page whose host a server in front has changed is told so", async () => {
  const headers = { origin: "http://localhost:5173", host: "localhost:3000" };
  const mine = await stage.submit("ann", {}, "call-1", { ...headers, ...sameOrigin });
  expect(failureOf(mine).error).toMatch(/changed the Host to "localhost:3000"/);
  const old = await stage.submit("ann", {}, "call-1", headers);
  expect(failureOf(old).error).toMatch(/name it in the proxy's origins/);
});

test("a page of a listed origin may ask beforehand, and read the headers and why it is refused", async () => {
  const cors = { "access-control-allow-origin": app };
  const paths = {
    "/v1/jobs": "POST, GET, HEAD, OPTIONS",
    "/v1/brands/b": "PATCH, DELETE, OPTIONS",
  };
  for (const [path, methods] of Object.entries(paths)) {
    const asked = { method: "OPTIONS", path, headers: { ...preflight, ...crossSite, origin: app } };
    const allowed = {
      ...{ ...cors, "access-control-allow-methods": methods },
      "access-control-allow-headers": "content-type, idempotency-key",
    };
    expect(await stage.ask("", asked)).toMatchObject({ status: 204, headers: allowed });
  }
  const { headers } = await stage.submit("ann", {}, "call-2", { origin: app });
  const exposed = "retry-after, x-request-id, adgen-outcome";
  expect(headers["access-control-expose-headers"]).toBe(exposed);
  const refused = await stage.submit("", {}, "call-3", { origin: app });
  expect(refused).toMatchObject({ status: 401, headers: cors });
});

const odd = ["*", "null", "app.test", "https://app.test/path", "https://*.app.test", ""];
test.each(odd)("an origin cannot be listed as %j, or the proxy does not start", async (origin) => {
  await expect(openProxy({ origins: [origin] })).rejects.toMatchObject({ code: "config" });
});
