import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { createAdministered, origin } from "./admin-ask.ts";
import { failure } from "./ask.ts";

describe("the admin", () => {
  test.each([
    ["POST", "/nothing"],
    ["GET", "/accounts/test-key/nothing"],
    ["GET", "/accounts/test-other"],
    ["POST", "/accounts/test-other/reset"],
    ["DELETE", "/faults/fault_1"],
    ["POST", "/jobs/job_1/fail"],
    ["GET", "/journal/7"],
    ["GET", "/journal/assert"],
    ["GET", "/artwork/job_1/1.svg"],
    ["GET", "/artwork/job_1/1.png"],
    ["GET", "/accounts/%E0%A4%A"],
  ])("has nothing at %s %s: 404", async (method, path) => {
    const { order } = createAdministered();
    const { status, text, error } = await order(method, path);
    expect(status).toBe(404);
    expect(text).toBe(failure(error ?? ""));
  });

  test.each([
    ["DELETE", "/state", "GET, HEAD"],
    ["PATCH", "/accounts/test-key/credits", "POST, PUT"],
    ["PUT", "/jobs/next", "GET, HEAD, POST, DELETE"],
    ["PUT", "/faults", "GET, HEAD, POST, DELETE"],
    ["OPTIONS", "/reset", "POST"],
    ["POST", "/", "GET, HEAD"],
  ])("refuses %s %s with 405, and names the methods of the path", async (method, path, allowed) => {
    const { order } = createAdministered();
    const { status, headers } = await order(method, path);
    expect([status, headers.get("allow")]).toEqual([405, allowed]);
  });

  test.each([undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
    "refuses a POST of the type %s, which any web page can send: 415",
    async (type) => {
      const { admin, service } = createAdministered();
      service.account("test-key").grant("image", { purchased: 5 });
      const request = new Request(`${origin}/__mock/reset`, {
        method: "POST",
        headers: type === undefined ? {} : { "content-type": type },
        body: new TextEncoder().encode("{}"),
      });
      expect((await admin.fetch(request)).status).toBe(415);
      expect(service.account("test-key").credits.image.purchased).toBe(5);
    },
  );

  test("accepts the type of JSON with a charset, and an absent body", async () => {
    const { admin } = createAdministered();
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    const request = new Request(`${origin}/__mock/reset`, { method: "POST", headers });
    expect((await admin.fetch(request)).status).toBe(200);
  });

  test.each<[method: string, path: string, field: string, body: unknown]>([
    ["POST", "/accounts", "key", {}],
    ["POST", "/accounts", "key", { key: "a b" }],
    ["POST", "/accounts", "credits", { key: "test-a", credits: 7 }],
    ["POST", "/accounts", "image", { key: "test-a", credits: { image: { monthly: -1 } } }],
    ["POST", "/accounts/test-key/credits", "credit", { monthly: 1 }],
    ["POST", "/accounts/test-key/credits", "monthly", { credit: "image" }],
    ["POST", "/accounts/test-key/credits", "purchased", { credit: "image", purchased: 1.5 }],
    ["PUT", "/accounts/test-key/credits", "monthly", { credit: "video", monthly: -1 }],
    ["POST", "/clock", "advanceMs", {}],
    ["POST", "/clock", "advanceMs", { advanceMs: -1 }],
    ["POST", "/clock", "advanceMs", { advanceMs: "1" }],
    ["POST", "/clock", "advanceMs", { advanceMs: 1e300 }],
    ["POST", "/clock", "time", { advanceMs: 1, time: 1 }],
    ["POST", "/clock", "time", { time: "tomorrow" }],
    ["POST", "/clock", "time", { time: 1 }],
    ["POST", "/accounts/test-key/clock", "time", { time: "1999-01-01" }],
    ["POST", "/jobs/next", "fail", { fail: 7 }],
    ["POST", "/jobs/next", "fail", { fail: "x", result: 1 }],
    ["POST", "/jobs/next", "takesMs", { takesMs: -1 }],
    ["POST", "/jobs/next", "times", { fail: "x", times: "7" }],
    ["POST", "/jobs/next", "action", { fail: "x", action: "dance" }],
    ["POST", "/jobs/next", "account", { fail: "x", account: "test-other" }],
    ["POST", "/jobs/next", "fial", { fial: "x" }],
    ["POST", "/faults", "fault", {}],
    ["POST", "/faults", "fault", { fault: "reset" }],
    ["POST", "/faults", "kind", { fault: { kind: "explode" } }],
    ["POST", "/faults", "status", { fault: { kind: "status", status: 99 } }],
    ["POST", "/faults", "operation", { fault: { kind: "reset" }, operation: "jobs.dance" }],
    ["POST", "/faults", "probability", { fault: { kind: "reset" }, probability: 2 }],
    ["POST", "/faults", "probability", { fault: { kind: "reset" }, probability: "1" }],
    ["POST", "/faults", "times", { fault: { kind: "reset" }, times: 0 }],
    ["GET", "/jobs?limit=-1", "limit", undefined],
    ["GET", "/jobs?limit=1001", "limit", undefined],
    ["GET", "/jobs?status=done", "status", undefined],
    ["GET", "/jobs?account=test-other", "account", undefined],
    ["DELETE", "/faults?account=test-other", "account", undefined],
    ["GET", "/journal?action=dance", "action", undefined],
    ["GET", "/journal?operation=dance", "operation", undefined],
    ["GET", "/journal?pathPattern=(", "pathPattern", undefined],
    ["GET", "/journal?stauts=200", "stauts", undefined],
    ["GET", "/journal?fault=explode", "fault", undefined],
    ["POST", "/journal/find", "account", { account: "test-none" }],
    ["POST", "/journal/find", "account", { filter: { account: "test-none" } }],
    ["POST", "/journal/find", "colour", { filter: { colour: 1 } }],
    ["POST", "/journal/assert", "count", { filter: {} }],
    ["POST", "/journal/assert", "filter", { count: 1, filter: [] }],
    ["POST", "/journal/assert", "body", { count: 1, filter: { body: 1 } }],
    ["POST", "/journal/assert", "operation", { count: 1, filter: { operation: [] } }],
    ["PUT", "/snapshot", "snapshot", { version: 7 }],
    ["PUT", "/snapshot", "body", [1]],
  ])("refuses %s %s with nonsense in %s: 400", async (method, path, field, body) => {
    const { order, service } = createAdministered();
    const before = service.snapshot();
    const { status, error } = await order(method, path, body);
    expect(status).toBe(400);
    expect(error).toContain(field);
    expect({ ...service.snapshot(), at: 0 }).toEqual({ ...before, at: 0 });
  });

  test("refuses a body that is not JSON", async () => {
    const { admin } = createAdministered();
    const headers = { "content-type": "application/json" };
    const request = new Request(`${origin}/__mock/clock`, { method: "POST", headers, body: "{" });
    const response = await admin.fetch(request);
    expect([response.status, await response.text()]).toEqual([
      400,
      failure("body must be valid JSON"),
    ]);
  });

  test("names the field, the value and what is expected of it", async () => {
    const { order } = createAdministered();
    const errorOf = async (method: string, path: string, body?: unknown) =>
      (await order(method, path, body)).error;
    expect(
      await errorOf("POST", "/accounts", { key: "test-a", credits: { image: { monthly: -1 } } }),
    ).toBe("body.credits.image.monthly must be a whole number, zero or more; it is -1");
    expect(await errorOf("POST", "/faults", { fault: { kind: "html", status: 99 } })).toBe(
      "body.fault.status must be a whole number from 200 to 599; it is 99",
    );
    expect(await errorOf("GET", "/jobs?limit=many")).toBe(
      'query.limit must be a whole number from 0 to 1000; it is "many"',
    );
    expect(await errorOf("POST", "/accounts/test-key/credits", { credit: "gold" })).toBe(
      'body.credit must be "image" or "video"; it is "gold"',
    );
    expect(await errorOf("GET", "/artwork/job_1/one.svg")).toBe(
      'path.file must be a number and .svg, .png or .mp4; it is "one.svg"',
    );
    expect(await errorOf("POST", "/jobs/next", { fial: "x" })).toBe(
      'body has no field "fial"; it has fail, result, takesMs, times, action, account',
    );
  });

  test("lists its routes, with the shapes of queries and bodies", async () => {
    const { order } = createAdministered();
    const { data } = await order("GET", "/help");
    expect(data.routes.length).toBeGreaterThan(20);
    for (const route of data.routes) {
      expect(route).toEqual({
        method: expect.stringMatching(/^(GET|POST|PUT|DELETE)$/),
        path: expect.stringMatching(/^\/__mock\/[\w/:.-]*$/),
        summary: expect.any(String),
        ...(route.query && { query: expect.objectContaining({ type: "object" }) }),
        ...(route.body && { body: expect.objectContaining({ type: "object" }) }),
      });
    }
    const find = (method: string, path: string) =>
      data.routes.find((route: { method: string; path: string }) => {
        return route.method === method && route.path === `/__mock${path}`;
      });
    expect(find("POST", "/accounts/:key/credits").body).toMatchObject({
      type: "object",
      properties: { credit: { enum: ["image", "video"] }, monthly: { type: "integer" } },
      required: ["credit"],
      additionalProperties: false,
    });
    expect(find("GET", "/jobs").query.properties.limit).toMatchObject({
      type: "integer",
      maximum: 1000,
    });
  });

  test("answers HEAD as GET, without a body", async () => {
    const { admin } = createAdministered();
    const request = new Request(`${origin}/__mock/clock`, { method: "HEAD" });
    const response = await admin.fetch(request);
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("redirects the path without its slash to the page", async () => {
    const { admin } = createAdministered();
    const response = await admin.fetch(new Request(`${origin}/__mock`));
    expect([response.status, response.headers.get("location")]).toEqual([308, "/__mock/"]);
  });
});

describe("the clock", () => {
  test("moves by milliseconds, and to a time", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const { order, service } = createAdministered({ clock });
    const moved = await order("POST", "/clock", { advanceMs: 1_500 });
    expect(moved.data).toEqual({
      now: Date.UTC(2026, 0, 1) + 1_500,
      time: "2026-01-01T00:00:01.500Z",
    });
    await order("POST", "/clock", { time: "2026-01-31T12:00:00Z" });
    expect(service.clock.now()).toBe(Date.UTC(2026, 0, 31, 12));
    await order("POST", "/clock", { time: Date.UTC(2026, 1, 1) });
    expect((await order("GET", "/clock")).data.time).toBe("2026-02-01T00:00:00.000Z");
  });

  test("of one account moves alone", async () => {
    const { order, service } = createAdministered({
      clock: createManualClock(),
      accounts: { "test-a": {}, "test-b": {} },
    });
    await order("POST", "/accounts/test-a/clock", { advanceMs: 60_000 });
    expect(service.account("test-a").clock.now() - service.clock.now()).toBe(60_000);
    expect(service.account("test-b").clock.now()).toBe(service.clock.now());
  });
});
