import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { createAdministered, origin } from "./admin-ask.ts";
import { type Answered, failure } from "./ask.ts";

const json = { "content-type": "application/json" };

const grant = "POST /accounts/test-key/grant";
const poor = { key: "test-a", options: { credits: { image: { monthly: -1 } } } };
const noSuchAccount = '404 The mock has no account "test-c"; it has test-key';
const unknownField = '400 The mock\'s arguments of faults.clear have no field "id"; they have ';
const isMisspelt = '400 The mock\'s outcome has no field "fial"; it has fail, result, takesMs';
const strange = { fault: { kind: "html", status: 99 } };
const isStrange = "400 The mock's fault.status must be a whole number from 200 to 599; it is 99";

/** Sends an order such as "POST /reset". */
const send = (
  { order }: ReturnType<typeof createAdministered>,
  asked: string,
  body?: unknown,
): Promise<Answered> => {
  const [method = "", path = ""] = asked.split(" ");
  return order(method, path, body);
};

describe("the admin", () => {
  test("answers 404 in the envelope where there is nothing", async () => {
    for (const asked of [
      ...["POST /nothing", "GET /accounts/test-key/nothing", "GET /accounts/%E0%A4%A"],
      ...["POST /accounts/test-other/reset", "POST /accounts/test-key/restore", "POST /faults"],
      ...["GET /artwork/job_1/1.svg", "GET /artwork/job_1/1.png", "GET /artwork/job_1/one.svg"],
    ]) {
      const { status, text, error } = await send(createAdministered(), asked);
      expect([asked, status, text]).toEqual([asked, 404, failure(error ?? "")]);
    }
  });

  test("refuses a POST of a type that any web page can send: 415", async () => {
    const types = ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"];
    const { admin, service } = createAdministered();
    service.account("test-key").grant({ image: { purchased: 5 } });
    for (const type of types) {
      const headers: HeadersInit = type === "" ? {} : { "content-type": type };
      const body = new TextEncoder().encode("{}");
      const request = new Request(`${origin}/__mock/reset`, { method: "POST", headers, body });
      expect((await admin.fetch(request)).status, type).toBe(415);
    }
    expect(service.account("test-key").credits.image.purchased).toBe(5);
  });

  test("accepts JSON with a charset, an absent body, HEAD, and a path without its slash", async () => {
    const { admin } = createAdministered();
    const ask = async (path: string, init: RequestInit) => {
      const response = await admin.fetch(new Request(`${origin}/__mock${path}`, init));
      return [response.status, await response.text(), response.headers.get("location")] as const;
    };
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    const done = '{"success":true,"data":null,"error":null}';
    for (const body of [null, "{}"]) {
      expect(await ask("/reset", { method: "POST", headers, body })).toEqual([200, done, null]);
    }
    expect(await ask("/clock", { method: "HEAD" })).toEqual([200, "", null]);
    expect(await ask("", {})).toEqual([308, "", "/__mock/"]);
    const broken = await ask("/reset", { method: "POST", headers: json, body: "{" });
    expect(broken).toEqual([400, failure("body must be valid JSON"), null]);
  });

  test.each<[order: string, words: string, ...bodies: unknown[]]>([
    ["POST /addAccount", "named by", {}, { key: "a b" }],
    ["POST /addAccount", "must be an object of credits", { key: "test-a", options: 7 }],
    ["POST /addAccount", "credits.image.monthly must be a whole", poor],
    ["POST /addAccount", "must be a key that is not there yet", { key: "test-key" }],
    [grant, "credits must be an object", {}],
    [grant, 'credits have no field "gold"', { credits: { gold: {} } }],
    [grant, "image.monthly must be", { credits: { image: { monthly: -1 } } }],
    ["POST /accounts/test-key/assertCharges", "list of objects", {}, { expected: 1 }],
    ["POST /clock.advance", "cannot advance by", {}, { ms: "1" }, { ms: -1 }],
    ["POST /clock.setTime", "time must be|cannot be set", {}, { time: "tomorrow" }, { time: 1 }],
    ["POST /jobs.next", "outcome", {}, { outcome: { fail: "x", result: 1 } }],
    ["POST /jobs.next", "takesMs", { outcome: { takesMs: -1 } }],
    ["POST /jobs.next", "times", { outcome: { fail: "x" }, options: { times: "7" } }],
    ["POST /jobs.next", noSuchAccount, { outcome: { fail: "x" }, options: { account: "test-c" } }],
    ["POST /jobs.next", isMisspelt, { outcome: { fial: "x" } }],
    ["POST /jobs.fail", "404 The mock has no job job_1", { id: "job_1" }],
    ["POST /faults.play", "fault", {}, { fault: "reset" }],
    ["POST /faults.play", "times", { fault: { kind: "reset" }, options: { times: 0 } }],
    ["POST /faults.play", isStrange, strange],
    ["POST /faults.clear", unknownField, { id: "fault_1" }],
    ["POST /journal.find", "colour", { filter: { colour: 1 } }],
    ["POST /journal.find", "pathPattern must be a reg", { filter: { pathPattern: "(" } }],
    ["POST /journal.latest", "limit", {}, { limit: 0.5 }, { limit: -1 }],
    ["POST /journal.search", "limit|journal search", {}, { search: { limit: "7" } }],
    ["POST /journal.assertCount", "count must be a whole number", { filter: {} }],
    ["POST /journal.assertCount", "filter", { count: 1, filter: [] }],
    ["POST /restore", "snapshot", {}, { snapshot: { version: 7 } }],
    ["POST /restore", "object of the command's arguments", [1]],
    ["POST /jobs.search", "limit", { search: { limit: "many" } }],
    ["POST /jobs.search", noSuchAccount, { search: { account: "test-c" } }],
    ["POST /accounts/test-c/faults.clear", noSuchAccount],
    ["GET /snapshot?journal=no", 'journal must be true or false; it is "no"'],
    [
      "POST /faults.clear?account=test-key",
      'faults.clear takes no query, and has "account": put it into the JSON body',
    ],
    ["GET /snapshot?jurnal=false", 'no field "jurnal"; they have journal'],
  ])("refuses %s with what is wrong, %j, and changes nothing", async (asked, words, ...bodies) => {
    for (const body of bodies.length === 0 ? [undefined] : bodies) {
      const administered = createAdministered();
      const before = administered.service.snapshot();
      const { status, error } = await send(administered, asked, body);
      const field = expect.stringMatching(new RegExp(`^400 .*(${words})`));
      expect(`${status} ${error}`).toEqual(/^4\d\d /.test(words) ? words : field);
      expect({ ...administered.service.snapshot(), at: 0 }).toEqual({ ...before, at: 0 });
    }
  });

  test("tells that the server is ready, and is not ok while something goes wrong in it", async () => {
    const { order, troubles } = createAdministered();
    troubles.push("The state could not be saved: disk full");
    const { status, data } = await order("GET", "/health");
    expect([status, data]).toEqual([200, { status: "degraded", problems: troubles }]);
    troubles.pop();
    expect((await order("GET", "/health")).data).toEqual({ status: "ok", problems: [] });
  });

  test("answers what the method returns, and null for nothing", async () => {
    const { order, ask, service } = createAdministered({ clock: createManualClock() });
    const { job_id: id } = (await ask("POST", "/v1/jobs", { action: "generate-ad" })).data;
    const run = async (command: string, body?: object) =>
      (await order("POST", `/${command}`, body)).data;
    const now = Date.UTC(2026, 0, 1);
    const { credits } = service.account("test-key");
    const account = { key: "test-key", now, time: "2026-01-01T00:00:00.000Z", credits };
    expect((await order("GET", "/clock")).data).toEqual({ now, time: account.time });
    expect(await run("accounts")).toEqual([account]);
    expect(await run("addAccount", { key: "test-a" })).toMatchObject({ key: "test-a" });
    expect(await run("removeAccount", { key: "test-a" })).toBe(true);
    expect(await run("accounts/test-key/charges")).toMatchObject([{ jobId: id }]);
    expect(await run("accounts/test-key/jobs.latest", { limit: null })).toHaveLength(1);
    const outcome = { result: { times: null }, takesMs: null };
    const planned = await run("jobs.next", { outcome, options: { times: "Infinity" } });
    expect(planned).toMatchObject({ ...outcome, times: null, remaining: null });
    expect(service.jobs.planned[0]?.times).toBe(Number.POSITIVE_INFINITY);
    const filter = { pathPattern: "^/v1/jobs$" };
    expect(await run("journal.find", { filter })).toMatchObject([
      { number: 1, answer: { status: 202 }, tookMs: expect.any(Number) },
    ]);
    expect(await run("jobs.find", { id: "job_none" })).toBeNull();
    expect(await run("jobs.fail", { id, reason: "moderation" })).toBeNull();
    expect(await run("jobs.inspect", { id })).toMatchObject({ endedBy: "order" });
    const again = await order("POST", "/jobs.fail", { id });
    expect([again.status, again.error]).toEqual([409, expect.stringContaining("has finished")]);
  });

  test("leaves a mistake of the mock itself to its server", async () => {
    const { admin, service } = createAdministered();
    service.faults.clear = () => {
      throw new TypeError("a bug");
    };
    const request = new Request(`${origin}/__mock/faults.clear`, { method: "POST" });
    await expect(admin.fetch(request)).rejects.toThrow("a bug");
  });

  test("never takes what a caller sends for a mistake of the mock", async () => {
    const nonsense = [
      null,
      0.5,
      -1,
      "x",
      true,
      [1],
      {},
      { times: {} },
      { body: [] },
      { limit: "7" },
    ];
    const { order } = createAdministered();
    const { routes } = (await order("GET", "/help")).data;
    const allowed = [200, 400, 404, 409];
    for (const { method, path, body } of routes) {
      if (method === "GET") continue;
      const place = path.replace("/__mock", "").replace(":key", "test-key");
      const names = Object.keys(body.properties);
      for (const value of [undefined, ...nonsense]) {
        const sent = Object.fromEntries(names.map((name) => [name, value]));
        const { status } = await order("POST", place, sent);
        expect(allowed, `${place} ${JSON.stringify(sent)} ${status}`).toContain(status);
      }
    }
  });

  test("exports a snapshot as a file of its time, which another service restores", async () => {
    const clock = createManualClock(Date.UTC(2026, 4, 6, 7, 8, 9));
    const { admin, ask } = createAdministered({ clock });
    await ask("POST", "/v1/brands", { name: "Acme" });
    const take = (query = "") => admin.fetch(new Request(`${origin}/__mock/snapshot${query}`));
    const response = await take();
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="adgen-mock-2026-05-06T07-08-09.json"',
    );
    const { service, order } = createAdministered();
    const restored = await order("POST", "/restore", { snapshot: await response.json() });
    expect(restored.status).toBe(200);
    expect(service.account("test-key").brands).toMatchObject([{ name: "Acme" }]);
    expect(service.journal.count).toBe(1);
    const { version, journal } = await (await take("?journal=false")).json();
    expect([version, journal]).toEqual([2, []]);
  });
});
