import { beforeAll, expect, test } from "vitest";
import { answerWithText, failure, success } from "../helpers/answers.ts";
import type { Answer } from "../helpers/http-server.ts";
import { expectNoKey } from "../helpers/key-spellings.ts";
import { secretKey } from "./fake-service.ts";
import { type Asked, failureOf, openProxy, type ProxyUnderTest } from "./proxy-under-test.ts";

/** Texts of a service, or of a server before it, that no page may see. */
const inside = "http://10.0.0.7:8080/v1/jobs db-3.internal ";

const echo =
  (status: number): Answer =>
  (response, request) => {
    const { authorization, host } = request.headers;
    failure(status, `Bad header: ${authorization} of ${host}`)(response, request);
  };
const json = { "content-type": "application/json" };
const answerWith = (status: number, value: object): Answer =>
  answerWithText(status, JSON.stringify(value), json);
const failed = { success: false, data: null, error: "no" };
const escaped = `{"success":false,"data":null,"error":"\\u0074${secretKey.slice(1)}"}`;
const made = { job_id: "job-1", status: "queued" };
const good = { success: true, data: made, error: null };
type Row = [what: string, answer: Answer, status?: number];
const rows: Row[] = [
  ["the key in an escaped form", answerWithText(400, escaped, json)],
  ["an inner address in a 500", failure(500, inside)],
  ["an inner address in a 503", failure(503, inside, { location: inside, server: inside })],
  ["a page of a proxy", answerWithText(502, `<html>${inside}`, { "content-type": "text/html" })],
  ["a page with the status of success", answerWithText(202, `<html>${inside}`)],
  ["a redirect", answerWithText(302, inside, { location: "http://10.0.0.7:8080/login" })],
  ["words of a 401", failure(401, `Key of account ${inside} is not valid`)],
  ["words of a 403", failure(403, `${inside} is forbidden`)],
  ["more fields of a failure", answerWith(400, { ...failed, debug: inside })],
  ["more fields of a success", answerWith(202, { ...good, debug: inside })],
  // An odd header must not lose a paid answer.
  ["a long request id", success(made, 202, { "x-request-id": "x".repeat(9_000) }), 202],
];
let stage: ProxyUnderTest;
beforeAll(async () => {
  stage = await openProxy();
});
test.each(rows)("the proxy leaks nothing of the service by %s", async (what, answer, status) => {
  const { submit, service } = stage;
  const callId = what.replaceAll(" ", "-");
  service.play({ answer });
  for (const answered of [await submit("ann", {}, callId), await submit("ann", {}, callId)]) {
    if (status !== undefined) expect(answered.status).toBe(status);
    expect(JSON.stringify(answered.headers).length).toBeLessThan(2_000);
    const said = JSON.stringify(answered);
    expect(said).not.toContain(secretKey);
    expect(said).not.toMatch(/10\.0\.0\.7|internal|<html/);
    expect(said).not.toContain(new URL(service.url).host);
  }
});

test("the proxy redacts the key in a job and in a list, also after another key was sent", async () => {
  let count = 0;
  const keyOf = (number: number) => `${secretKey}-${number}`;
  const { submit, ask, service } = await openProxy({ apiKey: async () => keyOf(++count) });
  service.play({ answer: success(made, 202) });
  await submit("ann");
  const echoed = { ...made, status: "done", note: `of ${keyOf(1)}`, [keyOf(2)]: [keyOf(1)] };
  for (const path of ["/v1/jobs/job-1", "/v1/jobs"]) {
    service.play({ answer: success(echoed) });
    const { status, body } = await ask("ann", { path });
    expect(status).toBe(200);
    expect(body).toContain("of ***");
    expect(body).not.toContain(secretKey);
  }
});

test("the proxy redacts a key at the place where a long message is cut", async () => {
  for (let before = 1_965; before <= 2_000; before++) {
    const words = `${"x".repeat(before)}${secretKey} is not valid`;
    stage.service.play({ answer: failure(400, words) });
    const { error } = failureOf(await stage.submit("ann"));
    expect(error?.length).toBeLessThanOrEqual(2_000);
    expect(error?.replace(/^x+/, "") ?? "").toMatch(/^\*{0,3}[ a-z]*$/);
  }
});

/** Creates a service that quotes what it is sent. */
const quote = (wordsOf: (headers: Headers) => string) => async (request: Request) => {
  const failed = { success: false, data: null, error: wordsOf(request.headers) };
  return Response.json(failed, { status: 400 });
};

test("the proxy redacts a key of thousands of characters", async () => {
  const apiKey = Array.from({ length: 3_000 }, (_, index) => `k${index}`).join("-");
  const fetch = quote((headers) => {
    return `odd: ${encodeURIComponent(String(headers.get("authorization")))}!`;
  });
  const { submit } = await openProxy({ apiKey: async () => apiKey, fetch });
  expect(failureOf(await submit("ann")).error).toBe("odd: Bearer%20***!");
});

test("the proxy redacts the name of the service's host, but no word that contains it", async () => {
  const words = "Invalid action. Supported: copy-ad, generate-ad";
  const fetch = quote(() => `${words} (ad:4010, http://ad/v1)`);
  const { submit } = await openProxy({ baseUrl: "http://ad:4010", fetch });
  expect(failureOf(await submit("ann")).error).toBe(`${words} (***, http://***/v1)`);
});

test("the proxy redacts a key that is new for each request, and passes the other words on", async () => {
  let count = 0;
  const { submit, service } = await openProxy({ apiKey: async () => `${secretKey}-${++count}` });
  for (const status of [400, 402, 404, 429]) {
    service.play({ answer: echo(status) });
    const error = "Bad header: Bearer *** of ***";
    expect(failureOf(await submit("ann"))).toMatchObject({ status, error });
  }
  expect(service.received[3]?.headers.authorization).toBe(`Bearer ${secretKey}-4`);
});

const keys = {
  letters: "test-proxy-secret-4711",
  "characters that a URL escapes": "test/proxy+secret=4711",
  "characters that JSON escapes": 'test-"proxy"\\secret-4711',
};

/** Returns data with the key in values, names and lists, at each depth. */
const echoIn = (key: string) => {
  const url = `https://files.test/${encodeURIComponent(key)}?key=${encodeURIComponent(key)}`;
  const deep = { [key]: { [`x-${key}`]: [key, `Bearer ${key}`, [url]] } };
  const note = `of ${key}, and ${JSON.stringify({ a: 1, key })}`;
  return { note, url, list: [key, deep], ...deep };
};

/** Each call, with the id that it names, or the field of the list that it returns. */
const calls: [what: string, asked: Asked, about: { id: string } | { list: string }][] = [
  ["a submission", { method: "POST", body: { action: "generate-ad" } }, { id: "job-1" }],
  ["a read of a job", { path: "/v1/jobs/job-1" }, { id: "job-1" }],
  ["a list of jobs", { path: "/v1/jobs" }, { id: "job-1" }],
  ["a new brand", { method: "POST", path: "/v1/brands", body: {} }, { id: "brand-1" }],
  ["a list of brands", { path: "/v1/brands" }, { list: "brands" }],
  ["a change", { method: "PATCH", path: "/v1/brands/brand-1", body: {} }, { id: "brand-1" }],
  [
    "a saved ad",
    { method: "POST", path: "/v1/saved-ads", body: { brand_id: "brand-1" } },
    { id: "ad-1" },
  ],
  ["a list of ads", { path: "/v1/brands/brand-1/ads" }, { list: "ads" }],
  ["a deletion", { method: "DELETE", path: "/v1/saved-ads/ad-1" }, { id: "ad-1" }],
];

const echoingRows = Object.entries(keys).flatMap(([of, key]) =>
  calls.map(([what, asked, about]) => ({ of, key, what, asked, about })),
);

test.concurrent.each(echoingRows)(
  "no answer to $what shows a key of $of that the service echoes",
  async ({ key, asked, about }) => {
    const { proxy, ask, service } = await openProxy({ apiKey: key });
    for (const kind of ["job", "brand", "ad"] as const) await proxy.claim(kind, `${kind}-1`, "ann");
    const echo = echoIn(key);
    const own = { job_id: "job-1", status: "queued", ...echo };
    const things = ["brand-1", "ad-1"].map((id) => ({ ...own, id }));
    const data = "list" in about ? { [about.list]: things, ...echo } : { ...own, id: about.id };
    let seen = 0;
    for (const status of [200, 202, 302, 400, 401, 402, 403, 404, 409, 429, 500, 503]) {
      const answer: Answer = (response, request) => {
        expect(request.headers.authorization).toBe(`Bearer ${key}`);
        const body =
          status < 300
            ? { success: true, data, error: null }
            : { success: false, data: echo, error: `${echo.note} ${echo.url}`, ...echo };
        response.writeHead(status, {
          "content-type": "application/json",
          ...{ "x-request-id": `r-${encodeURIComponent(key)}`, "x-echo": key },
          ...{ "retry-after": `1; ${key}`, location: echo.url, "set-cookie": `key=${key}` },
        });
        response.end(JSON.stringify(body));
      };
      service.play({ answer });
      const headers = { "idempotency-key": `call-${status}` };
      // Check a repeat as well, because it gets the answer that the store has kept.
      for (const _ of asked.method === "POST" ? ["first", "repeat"] : ["only"]) {
        const answered = await ask("ann", { ...asked, headers });
        if (answered.status < 300) seen += 1;
        // Search the names and the values as the page reads them, and the raw answer.
        const texts = [answered.body, JSON.stringify(answered.headers)];
        JSON.parse(answered.body, (name, value) => {
          texts.push(name, String(value));
          return value;
        });
        for (const text of texts) expectNoKey(text, key);
      }
    }
    expect(seen).toBeGreaterThan(0);
  },
);
