import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { createAdministered, origin } from "./admin-ask.ts";
import { type Answered, failure } from "./ask.ts";

const json = { "content-type": "application/json" };

const credits = "POST /accounts/test-key/credits";
const poor = { key: "test-a", credits: { image: { monthly: -1 } } };
const ofCredits = "body.credits.image.monthly must be a whole number, zero or more; it is -1";
const ofKey = 'An account has the key "test-key" already; reset or remove that one';
const ofOutcome = "fail, result, takesMs, times, action, account";
const ofLimit = 'query.limit must be a whole number, zero or more; it is "many"';
const ofPicture = 'path.file must be a number and .svg, .png or .mp4; it is "one.svg"';
const strange = { fault: { kind: "html", status: 99 } };

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
      ...["GET /accounts/test-other", "POST /accounts/test-other/reset", "DELETE /faults/fault_1"],
      ...["POST /jobs/job_1/fail", "GET /journal/7", "GET /journal/assert"],
      ...["GET /artwork/job_1/1.svg", "GET /artwork/job_1/1.png"],
    ]) {
      const { status, text, error } = await send(createAdministered(), asked);
      expect([asked, status, text]).toEqual([asked, 404, failure(error ?? "")]);
    }
  });

  test("refuses a POST of a type that any web page can send: 415", async () => {
    const types = ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"];
    const { admin, service } = createAdministered();
    service.account("test-key").grant("image", { purchased: 5 });
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
    const done = '{"success":true,"data":{"reset":true},"error":null}';
    for (const body of [null, "{}"]) {
      expect(await ask("/reset", { method: "POST", headers, body })).toEqual([200, done, null]);
    }
    expect(await ask("/clock", { method: "HEAD" })).toEqual([200, "", null]);
    expect(await ask("", {})).toEqual([308, "", "/__mock/"]);
    const broken = await ask("/clock", { method: "POST", headers: json, body: "{" });
    expect(broken).toEqual([400, failure("body must be valid JSON"), null]);
  });

  test.each<[order: string, words: string, ...bodies: unknown[]]>([
    ["POST /accounts", "key", {}, { key: "a b" }],
    ["POST /accounts", "credits", { key: "test-a", credits: 7 }],
    ["POST /accounts", `400 ${ofCredits}`, poor],
    ["POST /accounts", `409 ${ofKey}`, { key: "test-key" }],
    ["DELETE /accounts/test-new", '404 No account has the key "test-new"'],
    [credits, "monthly", { credit: "image" }],
    [credits, '400 body.credit must be "image" or "video"; it is "gold"', { credit: "gold" }],
    ["PUT /accounts/test-key/credits", "monthly", { credit: "video", monthly: -1 }],
    ["POST /clock", "advanceMs", {}, { advanceMs: "1" }, { advanceMs: 1e300 }],
    ["POST /clock", "time", { advanceMs: 1, time: 1 }, { time: "tomorrow" }, { time: 1 }],
    ["POST /accounts/test-key/clock", "time", { time: "1999-01-01" }],
    ["POST /jobs/next", "fail", { fail: "x", result: 1 }],
    ["POST /jobs/next", "takesMs", { takesMs: -1 }],
    ["POST /jobs/next", "times", { fail: "x", times: "7" }],
    ["POST /jobs/next", "account", { fail: "x", account: "test-other" }],
    ["POST /jobs/next", `400 body has no field "fial"; it has ${ofOutcome}`, { fial: "x" }],
    ["POST /faults", "fault", {}, { fault: "reset" }],
    ["POST /faults", "times", { fault: { kind: "reset" }, times: 0 }],
    [
      "POST /faults",
      "400 body.fault.status must be a whole number from 200 to 599; it is 99",
      strange,
    ],
    ["POST /journal/find", "account", { account: "test-none" }, { filter: { account: "none" } }],
    ["POST /journal/find", "colour", { filter: { colour: 1 } }],
    ["POST /journal/assert", "count", { filter: {} }],
    ["POST /journal/assert", "filter", { count: 1, filter: [] }],
    ["PUT /snapshot", "snapshot", { version: 7 }],
    ["PUT /snapshot", "body", [1]],
    ["GET /jobs?limit=many", `400 ${ofLimit}`],
    ["GET /jobs/job_nobody", '404 No job has the id "job_nobody"'],
    ["GET /artwork/job_1/one.svg", `404 ${ofPicture}`],
    ...[
      ...["GET /jobs?limit=-1", "GET /jobs?lmit=1", "GET /jobs?status=done", "GET /jobs?status="],
      ...["GET /jobs?action=paint", "GET /jobs?before=job_nobody", "GET /jobs?results=no"],
      ...["GET /jobs?account=test-other", "DELETE /faults?account=test-other"],
      ...["GET /journal?operation=dance", "GET /journal?pathPattern=(", "GET /journal?stauts=200"],
      ...["GET /journal?fault=explode", "GET /snapshot?journal=no", "GET /snapshot?jurnal=false"],
    ].map((asked): [string, string] => [asked, /\?(\w+)/.exec(asked)?.[1] ?? ""]),
  ])("refuses %s with what is wrong, %j, and changes nothing", async (asked, words, ...bodies) => {
    for (const body of bodies.length === 0 ? [undefined] : bodies) {
      const administered = createAdministered();
      const before = administered.service.snapshot();
      const { status, error } = await send(administered, asked, body);
      const field = expect.stringMatching(new RegExp(`^400 .*${words}`));
      expect(`${status} ${error}`).toEqual(words.includes(" ") ? words : field);
      expect({ ...administered.service.snapshot(), at: 0 }).toEqual({ ...before, at: 0 });
    }
  });

  test("moves the clock to a time of ISO 8601, and says the new one so", async () => {
    const { order } = createAdministered({ clock: createManualClock(Date.UTC(2026, 0, 1)) });
    const { data } = await order("POST", "/clock", { time: "2026-01-31T12:00:00Z" });
    expect(data).toEqual({ now: Date.UTC(2026, 0, 31, 12), time: "2026-01-31T12:00:00.000Z" });
  });

  test("ends unfinished jobs alone; one that expires, and is gone at once, in an envelope", async () => {
    const { order, ask } = createAdministered({ clock: createManualClock(), expiry: "not-found" });
    const end = async (...ways: string[]) => {
      const { job_id: id } = (await ask("POST", "/v1/jobs", { action: "generate-ad" })).data;
      const answers: Answered[] = [];
      for (const way of ways) answers.push(await order("POST", `/jobs/${id}/${way}`, {}));
      return { id, texts: answers.map(({ status, text }) => `${status} ${text}`) };
    };
    const { id, texts } = await end("expire");
    expect(texts).toEqual(['200 {"success":true,"data":null,"error":null}']);
    expect((await ask("GET", `/v1/jobs/${id}`)).status).toBe(404);
    const failed = failure("The job has failed already");
    expect((await end("fail", "fail")).texts.at(-1)).toBe(`409 ${failed}`);
    const completed = failure("The job has completed already");
    expect((await end("complete", "fail")).texts.at(-1)).toBe(`409 ${completed}`);
  });

  test("filters the journal by a query, and gives one entry", async () => {
    const { order, ask } = createAdministered();
    const ad = { action: "generate-ad", prompt: "Summer sale", variations: 2 };
    const { job_id } = (await ask("POST", "/v1/jobs", ad)).data;
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
    await ask("GET", `/v1/jobs/${job_id}`);
    expect((await order("GET", `/jobs/${job_id}`)).data.requests).toEqual([1, 5]);
    await order("DELETE", "/journal");
    expect(await numbers("")).toEqual([]);
  });
});
