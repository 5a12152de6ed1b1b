import { beforeAll, describe, expect, test } from "vitest";
import { failureOf, openProxy, type ProxyUnderTest } from "./proxy-under-test.ts";

const app = "https://app.test";
const evil = "https://evil.test";

const sameOrigin = { "sec-fetch-site": "same-origin" };
const sameSite = { "sec-fetch-site": "same-site" };
const crossSite = { "sec-fetch-site": "cross-site" };

type Row = [what: string, headers: Record<string, string>];

/** Requests that are let through. */
const own: Row[] = [
  ["no browser", {}],
  ["a page of one's own", { origin: "http://page.test", ...sameOrigin }],
  ["a read of a page of one's own", { ...sameOrigin }],
  ["an old browser's page of one's own", { origin: "http://page.test" }],
  ["a page of one's own behind TLS", { origin: "https://page.test" }],
  [
    "a page whose port the server in front writes out",
    { origin: "https://page.test", host: "page.test:443", ...sameOrigin },
  ],
  [
    "a page whose forwarded port is written out",
    { origin: "https://shop.test", "x-forwarded-host": "Shop.test:443, inner.test:8080" },
  ],
  ["a name of six numbers", { origin: "http://[::1]:3000", host: "[::1]:3000" }],
  ["an origin that is listed", { origin: app, ...crossSite }],
  ["a listed origin of an old browser", { origin: app }],
];

/** Requests that may read alone. */
const reading: Row[] = [["an address that was typed", { "sec-fetch-site": "none" }]];

/** Requests that are refused. */
const foreign: Row[] = [
  ["a page without TLS of a host with TLS", { origin: "http://page.test", host: "page.test:443" }],
  ["the name of what is missing", { origin: "http://undefined" }],
  ["another site", { origin: evil, ...crossSite }],
  ["another site without an origin", { "sec-fetch-site": "cross-site" }],
  ["an old browser's other site", { origin: evil }],
  ["a sister", { origin: "http://other.page.test", ...sameSite }],
  ["a sister without an origin", { "sec-fetch-site": "same-site" }],
  ["another port", { origin: "http://page.test:8080", ...sameSite }],
  ["a frame without an origin", { origin: "null", ...crossSite }],
  ["a frame of an old browser", { origin: "null" }],
  ["a browser that contradicts itself", { origin: evil, ...sameOrigin }],
  ["a word that nobody knows", { "sec-fetch-site": "same-galaxy" }],
  ["two words", { "sec-fetch-site": "same-origin, cross-site" }],
  ["a longer name", { origin: "http://page.test.evil.test" }],
  ["a name before ours", { origin: "http://evilpage.test" }],
  ["a name in user information", { origin: "http://page.test@evil.test" }],
  ["an origin with a path", { origin: "http://evil.test/page.test" }],
  ["an origin that is none", { origin: "page.test" }],
  ["a file", { origin: "file://" }],
  ["a listed name without TLS", { origin: "http://app.test", ...crossSite }],
  ["a listed name in capitals", { origin: "https://APP.test", ...crossSite }],
  ["two origins", { origin: `${app} ${evil}`, ...crossSite }],
  [
    "a host that the page forwards",
    { origin: evil, "x-forwarded-host": "evil.test", ...crossSite },
  ],
];

/** Requests, and whether they may read and write. */
const rows = [
  ...own.map((row) => [...row, true, true] as const),
  ...reading.map((row) => [...row, true, false] as const),
  ...foreign.map((row) => [...row, false, false] as const),
];

describe("a request of", () => {
  let stage: ProxyUnderTest;
  beforeAll(async () => {
    stage = await openProxy({ origins: [app] });
  });
  test.each(rows)("%s", async (what, headers, read, write) => {
    const { ask, submit, service, events } = stage;
    const before = service.posts().length;
    const all = { host: "page.test", ...headers };
    const cors = headers["origin"] === app ? app : undefined;
    const got = await ask("ann", { headers: all });
    expect(got.status).toBe(read ? 200 : 403);
    const head = await ask("ann", { method: "HEAD", headers: all });
    expect(head.status).toBe(got.status);
    const callId = what.replaceAll(" ", "-");
    const posted = await submit("ann", {}, callId, all);
    expect(posted.status).toBe(write ? 202 : 403);
    if (!write) expect(failureOf(posted)).toMatchObject({ outcome: "unknown", data: null });
    for (const method of ["PATCH", "DELETE"]) {
      const answered = await ask("ann", {
        method,
        path: "/v1/brands/brand-1",
        headers: all,
        ...(method === "PATCH" && { body: {} }),
      });
      expect(answered.status === 403).toBe(!write);
    }
    for (const { headers } of [got, posted]) {
      expect(headers["access-control-allow-origin"]).toBe(cors);
    }
    expect(service.posts()).toHaveLength(before + Number(write));
    expect(events.filter(({ status, owner }) => status === 403 && owner !== undefined)).toEqual([]);
  });
});

test("a page whose host a server in front has changed is told so", async () => {
  const { submit } = await openProxy({});
  const headers = { origin: "http://localhost:5173", host: "localhost:3000" };
  const own = await submit("ann", {}, "call-1", { ...headers, "sec-fetch-site": "same-origin" });
  expect(failureOf(own).error).toMatch(/changed the Host to "localhost:3000"/);
  const old = await submit("ann", {}, "call-1", headers);
  expect(failureOf(old).error).toMatch(/name it in the proxy's origins/);
});

describe("a page of another origin", () => {
  const preflight = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,idempotency-key",
    "sec-fetch-site": "cross-site",
  };

  test("may ask beforehand, when it is listed", async () => {
    const { ask, submit } = await openProxy({ origins: [app, "https://second.test"] });
    for (const origin of [app, "https://second.test"]) {
      const answered = await ask("", { method: "OPTIONS", headers: { ...preflight, origin } });
      expect(answered.status).toBe(204);
      const list = (name: string) => String(answered.headers[name]).toLowerCase().split(/, */);
      expect(answered.headers["access-control-allow-origin"]).toBe(origin);
      expect(list("access-control-allow-methods")).toContain("post");
      const allowed = list("access-control-allow-headers");
      expect(allowed).toEqual(expect.arrayContaining(["content-type", "idempotency-key"]));
      expect(String(answered.headers.vary).toLowerCase()).toContain("origin");
    }
    // Changes and deletions carry call ids, too.
    const path = "/v1/brands/brand-1";
    const change = { ...preflight, "access-control-request-method": "DELETE", origin: app };
    const asked = (await ask("", { method: "OPTIONS", path, headers: change })).headers;
    expect(asked["access-control-allow-methods"]).toMatch(/PATCH, DELETE/);
    expect(asked["access-control-allow-headers"]).toContain("idempotency-key");
    const { headers } = await submit("ann", {}, "call-1", { origin: app });
    const exposed = String(headers["access-control-expose-headers"]).toLowerCase().split(/, */);
    expect(exposed).toEqual(
      expect.arrayContaining(["adgen-outcome", "retry-after", "x-request-id"]),
    );
    expect(String(headers.vary).toLowerCase()).toContain("origin");
    // It can read why it is refused, too.
    const refused = await submit("", {}, "call-2", { origin: app });
    expect(refused).toMatchObject({ status: 401, headers: { "access-control-allow-origin": app } });
  });

  test.each([[evil], ["null"], ["https://app.test.evil.test"], ["https://app.test:8443"]])(
    "is told nothing beforehand: %s",
    async (origin) => {
      const { ask } = await openProxy({ origins: [app] });
      const answered = await ask("", { method: "OPTIONS", headers: { ...preflight, origin } });
      const names = Object.keys(answered.headers).filter((name) =>
        name.startsWith("access-control"),
      );
      expect(names).toEqual([]);
    },
  );

  test("is named in the options as an origin, or the proxy does not start", async () => {
    const odd = ["*", "null", "app.test", "https://app.test/path", "https://*.app.test", ""];
    for (const origin of odd) {
      await expect(openProxy({ origins: [origin] }), origin).rejects.toMatchObject({
        code: "config",
      });
    }
  });
});
