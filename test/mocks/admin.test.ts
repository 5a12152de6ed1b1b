import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { type Administered, createAdministered, origin } from "./admin-ask.ts";
import { type Answered, failure } from "./ask.ts";

const json = { "content-type": "application/json" };

/** Sends an order such as "POST /reset". */
const send = ({ order }: Administered, asked: string, body?: unknown): Promise<Answered> => {
  const [method = "", path = ""] = asked.split(" ");
  return order(method, path, body);
};

describe("the admin", () => {
  test.each([
    ...["POST /nothing", "GET /accounts/test-key/nothing", "GET /accounts/%E0%A4%A"],
    ...["GET /accounts/test-other", "POST /accounts/test-other/reset", "DELETE /faults/fault_1"],
    ...["POST /jobs/job_1/fail", "GET /journal/7", "GET /journal/assert"],
    ...["GET /artwork/job_1/1.svg", "GET /artwork/job_1/1.png"],
  ])("has nothing at %s: 404", async (asked) => {
    const { status, text, error } = await send(createAdministered(), asked);
    expect(status).toBe(404);
    expect(text).toBe(failure(error ?? ""));
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

  test("accepts JSON with a charset, an absent body, HEAD, and a path without its slash", async () => {
    const { admin } = createAdministered();
    const ask = async (path: string, init: RequestInit) => {
      const response = await admin.fetch(new Request(`${origin}/__mock${path}`, init));
      return [response.status, await response.text(), response.headers.get("location")] as const;
    };
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    const done = '{"success":true,"data":{"reset":true},"error":null}';
    for (const body of [null, "{}"]) {
      expect(await ask("/reset", { method: "POST", headers, body })).toEqual([200, done, null]);
    }
    expect(await ask("/clock", { method: "HEAD" })).toEqual([200, "", null]);
    expect(await ask("", {})).toEqual([308, "", "/__mock/"]);
    const broken = await ask("/clock", { method: "POST", headers: json, body: "{" });
    expect(broken).toEqual([400, failure("body must be valid JSON"), null]);
  });

  test.each<[order: string, field: string, body?: unknown]>([
    ["POST /accounts", "key", {}],
    ["POST /accounts", "key", { key: "a b" }],
    ["POST /accounts", "credits", { key: "test-a", credits: 7 }],
    ["POST /accounts/test-key/credits", "credit", { monthly: 1 }],
    ["POST /accounts/test-key/credits", "monthly", { credit: "image" }],
    ["PUT /accounts/test-key/credits", "monthly", { credit: "video", monthly: -1 }],
    ["POST /clock", "advanceMs", {}],
    ["POST /clock", "advanceMs", { advanceMs: "1" }],
    ["POST /clock", "advanceMs", { advanceMs: 1e300 }],
    ["POST /clock", "time", { advanceMs: 1, time: 1 }],
    ["POST /clock", "time", { time: "tomorrow" }],
    ["POST /clock", "time", { time: 1 }],
    ["POST /accounts/test-key/clock", "time", { time: "1999-01-01" }],
    ["POST /jobs/next", "fail", { fail: "x", result: 1 }],
    ["POST /jobs/next", "takesMs", { takesMs: -1 }],
    ["POST /jobs/next", "times", { fail: "x", times: "7" }],
    ["POST /jobs/next", "account", { fail: "x", account: "test-other" }],
    ["POST /faults", "fault", {}],
    ["POST /faults", "fault", { fault: "reset" }],
    ["POST /faults", "times", { fault: { kind: "reset" }, times: 0 }],
    ["GET /jobs?limit=-1", "limit"],
    ["GET /jobs?limit=1001", "limit"],
    ["GET /jobs?status=done", "status"],
    ["GET /jobs?account=test-other", "account"],
    ["DELETE /faults?account=test-other", "account"],
    ["GET /journal?operation=dance", "operation"],
    ["GET /journal?pathPattern=(", "pathPattern"],
    ["GET /journal?stauts=200", "stauts"],
    ["GET /journal?fault=explode", "fault"],
    ["POST /journal/find", "account", { account: "test-none" }],
    ["POST /journal/find", "account", { filter: { account: "test-none" } }],
    ["POST /journal/find", "colour", { filter: { colour: 1 } }],
    ["POST /journal/assert", "count", { filter: {} }],
    ["POST /journal/assert", "filter", { count: 1, filter: [] }],
    ["PUT /snapshot", "snapshot", { version: 7 }],
    ["PUT /snapshot", "body", [1]],
  ])("refuses %s with nonsense in %s, and changes nothing: 400", async (asked, field, body) => {
    const administered = createAdministered();
    const before = administered.service.snapshot();
    const { status, error } = await send(administered, asked, body);
    expect(status).toBe(400);
    expect(error).toContain(field);
    expect({ ...administered.service.snapshot(), at: 0 }).toEqual({ ...before, at: 0 });
  });

  test("says what is wrong with an order, and what is expected", async () => {
    const wrong = async (asked: string, body?: unknown): Promise<string> => {
      const { status, error } = await send(createAdministered(), asked, body);
      return `${status} ${error}`;
    };
    const debt = { key: "test-a", credits: { image: { monthly: -1 } } };
    expect(await wrong("POST /accounts", debt)).toBe(
      "400 body.credits.image.monthly must be a whole number, zero or more; it is -1",
    );
    expect(await wrong("POST /faults", { fault: { kind: "html", status: 99 } })).toBe(
      "400 body.fault.status must be a whole number from 200 to 599; it is 99",
    );
    expect(await wrong("GET /jobs?limit=many")).toBe(
      '400 query.limit must be a whole number from 0 to 1000; it is "many"',
    );
    expect(await wrong("POST /accounts/test-key/credits", { credit: "gold" })).toBe(
      '400 body.credit must be "image" or "video"; it is "gold"',
    );
    expect(await wrong("GET /artwork/job_1/one.svg")).toBe(
      '404 path.file must be a number and .svg, .png or .mp4; it is "one.svg"',
    );
    expect(await wrong("POST /jobs/next", { fial: "x" })).toBe(
      '400 body has no field "fial"; it has fail, result, takesMs, times, action, account',
    );
    expect(await wrong("POST /accounts", { key: "test-key" })).toBe(
      '409 An account has the key "test-key" already; reset or remove that one',
    );
    expect(await wrong("DELETE /accounts/test-new")).toBe('404 No account has the key "test-new"');
  });

  test("lists its routes, with the shapes of queries and bodies", async () => {
    const { data } = await createAdministered().order("GET", "/help");
    const find = (method: string, path: string) =>
      data.routes.find((route: { method: string; path: string }) => {
        return route.method === method && route.path === `/__mock${path}`;
      });
    expect(find("GET", "/faults").summary).toBe("Lists the faults that wait for their requests");
    expect(find("POST", "/accounts/:key/credits").body).toMatchObject({
      type: "object",
      properties: { credit: { enum: ["image", "video"] }, monthly: { type: "integer" } },
      required: ["credit"],
      additionalProperties: false,
    });
    const limit = { type: "integer", maximum: 1000 };
    expect(find("GET", "/jobs").query.properties.limit).toMatchObject(limit);
  });

  test("opens and removes accounts, and lists those that are left", async () => {
    const { order, service } = createAdministered();
    const keysAfter = async (method: string, path: string, body?: unknown) => {
      expect((await order(method, path, body)).status).toBe(200);
      return service.accounts.map(({ key }) => key);
    };
    for (let round = 0; round < 2; round += 1) {
      expect(await keysAfter("POST", "/accounts", { key: "new" })).toEqual(["test-key", "new"]);
      expect(await keysAfter("DELETE", "/accounts/new")).toEqual(["test-key"]);
    }
  });

  test("moves the clock by milliseconds, and to a time; of one account alone, too", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const accounts = { "test-a": {}, "test-b": {} };
    const { order, service } = createAdministered({ clock, accounts });
    const moved = await order("POST", "/clock", { advanceMs: 1_500 });
    const now = Date.UTC(2026, 0, 1) + 1_500;
    expect(moved.data).toEqual({ now, time: "2026-01-01T00:00:01.500Z" });
    await order("POST", "/clock", { time: "2026-01-31T12:00:00Z" });
    expect(service.clock.now()).toBe(Date.UTC(2026, 0, 31, 12));
    await order("POST", "/clock", { time: Date.UTC(2026, 1, 1) });
    expect((await order("GET", "/clock")).data.time).toBe("2026-02-01T00:00:00.000Z");
    await order("POST", "/accounts/test-a/clock", { advanceMs: 60_000 });
    expect(service.account("test-a").clock.now() - service.clock.now()).toBe(60_000);
    expect(service.account("test-b").clock.now()).toBe(service.clock.now());
  });

  test("ends unfinished jobs alone; one that expires, and is gone at once, in an envelope", async () => {
    const { order, ask } = createAdministered({ clock: createManualClock(), expiry: "not-found" });
    const submit = async () =>
      (await ask("POST", "/v1/jobs", { action: "generate-ad" })).data.job_id;
    const id = await submit();
    const expired = await order("POST", `/jobs/${id}/expire`, {});
    expect(expired.text).toBe('{"success":true,"data":null,"error":null}');
    expect((await ask("GET", `/v1/jobs/${id}`)).status).toBe(404);
    const failed = `/jobs/${await submit()}/fail`;
    const reason = { reason: "moderation" };
    expect((await order("POST", failed, reason)).data).toMatchObject({ error: "moderation" });
    const again = await order("POST", failed, reason);
    expect([again.status, again.error]).toEqual([409, "The job has failed already"]);
    const done = await submit();
    await order("POST", `/jobs/${done}/complete`, {});
    const late = await order("POST", `/jobs/${done}/fail`, reason);
    expect([late.status, late.error]).toEqual([409, "The job has completed already"]);
  });

  test("filters the journal by a query, and gives one entry", async () => {
    const { order, ask } = createAdministered();
    const ad = { action: "generate-ad", prompt: "Summer sale", variations: 2 };
    await ask("POST", "/v1/jobs", ad);
    await ask("POST", "/v1/jobs", { ...ad, action: "edit-ad" });
    await ask("GET", "/v1/brands");
    await ask("GET", "/v1/jobs/job_unknown");
    const numbers = async (query: string) => {
      const { data } = await order("GET", `/journal?${query}`);
      return data.entries.map(({ number }: { number: number }) => number);
    };
    expect(await numbers("")).toEqual([1, 2, 3, 4]);
    expect(await numbers("operation=jobs.submit")).toEqual([1, 2]);
    expect(await numbers("action=edit-ad&account=test-key")).toEqual([2]);
    expect(await numbers("status=404")).toEqual([4]);
    expect(await numbers("method=GET&limit=1")).toEqual([4]);
    expect(await numbers("path=/v1/brands")).toEqual([3]);
    expect(await numbers("pathPattern=jobs/job_")).toEqual([4]);
    expect(await numbers("fault=false&limit=0")).toEqual([]);
    expect((await order("GET", "/journal?limit=1")).data.total).toBe(4);
    const { data } = await order("GET", "/journal/1");
    expect(data).toMatchObject({ number: 1, body: ad, answer: { status: 202 } });
    await order("DELETE", "/journal");
    expect(await numbers("")).toEqual([]);
  });
});
