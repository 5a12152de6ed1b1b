import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createRedact } from "../../src/errors/text.ts";
import { failure, raw, success } from "../helpers/answers.ts";
import type { Answer } from "../helpers/http-server.ts";
import { processorMsOf } from "../helpers/processor-time.ts";
import { secretKey } from "./fake-service.ts";
import { dataOf, failureOf, openProxy, type ProxyUnderTest } from "./proxy-under-test.ts";

/** Words that a service, or what stands before it, says, and that are nobody's business. */
const inside = "http://10.0.0.7:8080/v1/jobs db-3.internal ";

describe("nothing of the service leaks", () => {
  const echo =
    (status: number): Answer =>
    (response, request) => {
      const { authorization, host } = request.headers;
      failure(status, `Bad header: ${authorization} of ${host}`)(response, request);
    };
  const json = (status: number, value: object): Answer =>
    raw(status, JSON.stringify(value), { "content-type": "application/json" });
  const failed = { success: false, data: null, error: "no" };
  const escaped = `{"success":false,"data":null,"error":"\\u0074${secretKey.slice(1)}"}`;
  const made = { job_id: "job-1", status: "queued" };
  const good = { success: true, data: made, error: null };
  type Row = [what: string, answer: Answer, status?: number];
  const rows: Row[] = [
    ...[400, 401, 402, 404, 429, 500].map((code): Row => [`the key in a ${code}`, echo(code)]),
    ["the key in the data", success({ ...made, note: `Bearer ${secretKey}` }, 202)],
    ["the key in the data of a failure", json(400, { ...failed, data: { key: secretKey } })],
    ["the key in an escaped form", raw(400, escaped, { "content-type": "application/json" })],
    ["the key as a field's name", success({ ...made, [secretKey]: 1 }, 202)],
    ["an inner address in a 500", failure(500, inside)],
    ["an inner address in a 503", failure(503, inside, { location: inside, server: inside })],
    ["a page of a proxy", raw(502, `<html>${inside}`, { "content-type": "text/html" })],
    ["a page with the status of success", raw(202, `<html>${inside}`)],
    ["a redirect", raw(302, inside, { location: "http://10.0.0.7:8080/login" })],
    ["words of a 401", failure(401, `Key of account ${inside} is not valid`)],
    ["words of a 403", failure(403, `${inside} is forbidden`)],
    ["more fields of a failure", json(400, { ...failed, debug: inside })],
    ["more fields of a success", json(202, { ...good, debug: inside })],
    // An odd header must not lose a paid answer.
    ["a long request id", success(made, 202, { "x-request-id": "x".repeat(9_000) }), 202],
    ["the key in a request id", success(made, 202, { "x-request-id": `r-${secretKey}` }), 202],
    ["the key in a wait", success(made, 202, { "retry-after": `soon, ${secretKey}` }), 202],
  ];
  let stage: ProxyUnderTest;
  beforeAll(async () => {
    stage = await openProxy();
  });
  test.each(rows)("by %s", async (what, answer, status) => {
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

  test("by the key where the longest words end", async () => {
    for (let before = 1_965; before <= 2_000; before++) {
      const words = `${"x".repeat(before)}${secretKey} is not valid`;
      stage.service.play({ answer: failure(400, words) });
      const { error } = failureOf(await stage.submit("ann"));
      expect(error?.length).toBeLessThanOrEqual(2_000);
      expect(error?.replace(/^x+/, "") ?? "").toMatch(/^\*{0,3}[ a-z]*$/);
    }
  });

  /** A service that is a function, and quotes what it is sent. */
  const quote = (wordsOf: (headers: Headers) => string) => async (request: Request) => {
    const failed = { success: false, data: null, error: wordsOf(request.headers) };
    return Response.json(failed, { status: 400 });
  };

  test("by a key of thousands of letters, such as a token", async () => {
    const apiKey = Array.from({ length: 3_000 }, (_, index) => `k${index}`).join("-");
    const fetch = quote((headers) => {
      return `odd: ${encodeURIComponent(String(headers.get("authorization")))}!`;
    });
    const { submit } = await openProxy({ apiKey: async () => apiKey, fetch });
    expect(failureOf(await submit("ann")).error).toBe("odd: Bearer%20***!");
  });

  test("by words, and no word is broken that holds the name of the service's host", async () => {
    const words = "Invalid action. Supported: copy-ad, generate-ad";
    const fetch = quote(() => `${words} (ad:4010, http://ad/v1)`);
    const { submit } = await openProxy({ baseUrl: "http://ad:4010", fetch });
    expect(failureOf(await submit("ann")).error).toBe(`${words} (***, http://***/v1)`);
  });

  // A job's own id stays, because a key of a few letters may stand in it. Other ids are cut.
  const shortKeys = ["1234", "true", "null", "queued", "job_id", "s"];
  test.each(shortKeys)("by the key %s, and a paid job keeps its owner", async (apiKey) => {
    const { submit, ask, service } = await openProxy({ apiKey });
    const data = { job_id: `job-${apiKey}`, status: "done", count: 1234, isNew: true, left: null };
    const wordsOf = (key: string) => ({
      ...{
        id: key,
        brand_id: key,
        saved_ad_id: key,
        upload_ids: 5,
        note: `Bearer ${key}`,
        api_key_id: key,
        ad_id: { deep: `x ${key}` },
      },
      deep: [{ id: key, [key]: [`Bearer ${key}`] }],
    });
    service.play({ answer: success({ ...data, ...wordsOf(apiKey) }, 202) });
    const cut = { ...data, ...wordsOf("***") };
    expect(dataOf(await submit("ann"))).toEqual({ success: true, data: cut, error: null });
    service.play({ answer: success(data) });
    const found = await ask("ann", { path: `/v1/jobs/job-${apiKey}` });
    expect(dataOf(found).data).toMatchObject(data);
  });

  test("by a key that is made anew for each request; the words that are for the page pass", async () => {
    let count = 0;
    const { submit, service } = await openProxy({ apiKey: async () => `${secretKey}-${++count}` });
    for (const status of [400, 402, 404, 429]) {
      service.play({ answer: echo(status) });
      const error = "Bad header: Bearer *** of ***";
      expect(failureOf(await submit("ann"))).toMatchObject({ status, error });
    }
    expect(service.received[3]?.headers.authorization).toBe(`Bearer ${secretKey}-4`);
  });
});

const redactorOf = (...keys: string[]) => createRedact(new Set(keys));

describe("a text", () => {
  const odder = 'sk"li\\ve';
  const escaped = "100% &amp; &#65; %41 \\u0041 \\\\ C:\\new % & \\ %zz &none; ü 😀";
  const keys = ["key-1234", "key-12345678", "1234key-", odder, "s3c"];
  const rows: [text: string, cut: string][] = [
    ["a key-12345678 b", "a *** b"],
    ["a key-1234key-12345678 b", "a ****** b"],
    ["key-1234,key-1234", "***,***"],
    ["key-123", "key-123"],
    [escaped, escaped],
    [`${escaped}key%2D1234${escaped}`, `${escaped}***${escaped}`],
    [odder, "***"],
    ['{"key":"sk\\"li\\\\ve"}', '{"key":"***"}'],
    ["sk&quot;li\\ve", "***"],
    ["%6bey-1234 before key-1234", "*** before ***"],
    // A key of three letters stands in other words.
    ["Bearer s3c, bus3car, s3c-1, s3cs3c, (%733c)", "Bearer ***, bus3car, s3c-1, s3cs3c, (***)"],
    ["Bearer: s3c", "Bearer: ***"],
  ];
  test.each(rows)("%s loses the keys in it, and nothing else", (text, cut) => {
    expect(redactorOf(...keys)(text)).toBe(cut);
  });

  /** Text in base64 that looks random, and is the same for a seed. */
  const odd = (length: number, seed: number): string => {
    const digest = createHash("shake256", { outputLength: length }).update(String(seed));
    return digest.digest("base64url").slice(0, length);
  };
  const large: [what: string, text: string][] = [
    ["base64", odd(8_192, 5).repeat(512)],
    ["the beginnings of keys", "sk-live-".repeat(2 ** 19)],
    ["percent-encoded letters", "%41".repeat(1.4e6)],
    ["backslashes", "\\".repeat(2 ** 22)],
  ];
  test.each(large)("of 4 MiB of %s is searched for ten keys in no time", async (_, text) => {
    const keys = Array.from({ length: 10 }, (_, at) => `sk-live-${odd(32, at)}`);
    const costOf = (text: string, ...keys: string[]): Promise<number> => {
      const redact = redactorOf(...keys);
      return processorMsOf(() => expect(redact(`${text}${keys[0]}`)).toBe(`${text}***`));
    };
    // Measured in the same run, these are as busy as the machine is.
    const ofOneKey = await costOf(text, `sk-live-${odd(32, 7)}`);
    const ofAnEighth = await costOf(text.slice(0, Math.floor(text.length / 24) * 3), ...keys);
    // Each key is a search of its own. A square of the length would cost 64 times as much as an eighth.
    const limit = Math.min(15 * (ofOneKey + 10), 30 * (ofAnEighth + 10));
    let cost = await costOf(text, ...keys);
    // Other work of the process may fall into a measurement, but hardly into three.
    for (let times = 1; times < 3 && cost >= limit; times += 1) {
      cost = Math.min(cost, await costOf(text, ...keys));
    }
    expect(cost).toBeLessThan(limit);
  });
});
