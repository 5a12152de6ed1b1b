import { beforeAll, describe, expect, test } from "vitest";
import { failure, raw, success } from "../helpers/answers.ts";
import type { Answer } from "../helpers/http-server.ts";
import { secretKey } from "./fake-service.ts";
import { dataOf, failureOf, openProxy, type ProxyUnderTest } from "./proxy-under-test.ts";

/** Words that a service, or what stands before it, says, and that are nobody's business. */
const inside = "http://10.0.0.7:8080/v1/jobs db-3.internal ";

/** Reads base64 of any kind, wherever in a text its letters begin. */
const atobOf = (letters: string): string =>
  [0, 1, 2, 3].map((at) => Buffer.from(letters.slice(at), "base64").toString("latin1")).join(" ");

describe("nothing of the service leaks", () => {
  const echo = (response: Parameters<Answer>[0], request: Parameters<Answer>[1], status: number) =>
    failure(status, `Bad header: ${request.headers.authorization} of ${request.headers.host}`)(
      response,
      request,
    );
  const json = (status: number, text: string): Answer =>
    raw(status, text, { "content-type": "application/json" });
  const made = { job_id: "job-1", status: "queued" };
  const rows: [what: string, answer: Answer][] = [
    ...[400, 401, 402, 404, 429, 500].map((status): [string, Answer] => [
      `the key in a ${status}`,
      (response, request) => echo(response, request, status),
    ]),
    ["the key in the data", success({ ...made, note: `Bearer ${secretKey}` }, 202)],
    [
      "the key in the data of a failure",
      json(400, JSON.stringify({ success: false, data: { key: secretKey }, error: "no" })),
    ],
    [
      "the key in an escaped form",
      json(400, `{"success":false,"data":null,"error":"\\u0074${secretKey.slice(1)}"}`),
    ],
    ["the key as a field's name", success({ ...made, [secretKey]: 1 }, 202)],
    ["an inner address in a 500", failure(500, inside)],
    ["an inner address in a 503", failure(503, inside, { location: inside, server: inside })],
    ["a page of a proxy", raw(502, `<html>${inside}`, { "content-type": "text/html" })],
    ["a page with the status of success", raw(202, `<html>${inside}`)],
    ["a redirect", raw(302, inside, { location: "http://10.0.0.7:8080/login" })],
    ["words of a 401", failure(401, `Key of account ${inside} is not valid`)],
    ["words of a 403", failure(403, `${inside} is forbidden`)],
    [
      "more fields of a failure",
      json(400, JSON.stringify({ success: false, data: null, error: "no", debug: inside })),
    ],
    [
      "more fields of a success",
      json(202, JSON.stringify({ success: true, data: made, error: null, debug: inside })),
    ],
  ];
  let stage: ProxyUnderTest;
  beforeAll(async () => {
    stage = await openProxy();
  });
  test.each(rows)("by %s", async (what, answer) => {
    const { submit, service } = stage;
    const callId = what.replaceAll(" ", "-");
    service.play({ answer });
    const answered = await submit("ann", {}, callId);
    const again = await submit("ann", {}, callId);
    for (const said of [JSON.stringify(answered), JSON.stringify(again)]) {
      expect(said).not.toContain(secretKey);
      expect(said).not.toMatch(/10\.0\.0\.7|internal|<html/);
      expect(said).not.toContain(`127.0.0.1:${service.port}`);
    }
  });

  test("by the key where the longest words end", async () => {
    const { submit, service } = await openProxy();
    for (let before = 1_965; before <= 2_000; before++) {
      service.play({ answer: failure(400, `${"x".repeat(before)}${secretKey} is not valid`) });
      const { error } = failureOf(await submit("ann"));
      expect(error?.length).toBeLessThanOrEqual(2_000);
      expect(error?.replace(/^x+/, "") ?? "").toMatch(/^\*{0,3}[ a-z]*$/);
    }
  });

  /** A key that other forms change, as base64 would. */
  const oddKey = "sk/live+4711~abc=/Zz9?";
  const encode = (text: string) => Buffer.from(text).toString("base64");
  const codesIn =
    (before: string, base: number, digits: number, after = "") =>
    (letter: string) =>
      before + letter.charCodeAt(0).toString(base).padStart(digits, "0") + after;
  const forms: [how: string, text: string][] = [
    ["percent-encoded", `https://cdn.test/a?key=${encodeURIComponent(oddKey)}&b=1`],
    [
      "percent-encoded in small letters",
      encodeURIComponent(oddKey).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ["percent-encoded in parts", oddKey.replace("+", "%2B")],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(oddKey))],
    ["in base64", encode(oddKey)],
    ["in base64 with its scheme", `Authorization: ${encode(`Bearer ${oddKey}`)}`],
    ["in base64 among other letters", encode(`user:${oddKey}; more`)],
    ["in base64 among others yet", encode(`name:${oddKey} more`)],
    ["in base64 for URLs", encode(`a ${oddKey}`).replaceAll("+", "-").replaceAll("/", "_")],
    ["percent-encoded letter by letter", Buffer.from(oddKey).toString("hex").replace(/../g, "%$&")],
    ["in base64, percent-encoded", encodeURIComponent(encode(oddKey))],
    ["in JSON inside the text", JSON.stringify({ key: oddKey }).replaceAll("/", "\\/")],
    ["in JSON inside JSON inside the text", JSON.stringify(`"${oddKey.replaceAll("/", "\\/")}"`)],
    ["in JSON whose letters are escaped", oddKey.replace(/[+/=s]/g, codesIn("\\u", 16, 4))],
    ["in HTML", oddKey.replace(/[^\w]/g, codesIn("&#", 10, 2, ";"))],
    ["in HTML inside HTML", oddKey.replace(/[+/=]/g, codesIn("&amp;#x", 16, 2, ";"))],
  ];
  test.each(forms)("by the key %s", async (_, text) => {
    const { submit, service } = await openProxy({ apiKey: oddKey });
    const headers = { "x-request-id": text.replaceAll(/[^!-~]/g, "-") };
    service.play({ answer: failure(400, `Bad: ${text}`, headers) });
    const data = { job_id: "job-1", status: "queued", result: { [text]: [text] } };
    service.play({ answer: success(data, 202, headers) });
    const answers = [await submit("ann"), await submit("ann")];
    expect(answers.map(({ status }) => status)).toEqual([400, 202]);
    for (const { headers, body } of answers) {
      for (const said of [String(headers["x-request-id"]), body]) {
        expect(said).toContain("***");
        // No part of the key's own letters is left, in whichever form.
        const letters = decodeURIComponent(decodeURIComponent(said));
        expect(
          `${letters} ${letters
            .match(/[\w+/-]{8,}/g)
            ?.map(atobOf)
            .join(" ")}`,
        ).not.toMatch(/sk.live|4711|abc=|Zz9/i);
      }
    }
  });

  test("by a key of thousands of letters, such as a token", async () => {
    const apiKey = Array.from({ length: 3_000 }, (_, index) => `k${index}`).join("-");
    const { submit } = await openProxy({
      apiKey: async () => apiKey,
      fetch: async ({ headers }) => {
        const error = `odd: ${encodeURIComponent(`${headers.get("authorization")}`)}!`;
        return Response.json({ success: false, data: null, error }, { status: 400 });
      },
    });
    expect(failureOf(await submit("ann")).error).toBe("odd: Bearer%20***!");
  });

  const shortKeys: [key: string][] = [["1234"], ["true"], ["null"], ["queued"], ["job_id"]];
  test.each(shortKeys)("by the key %s, and a paid job keeps its owner", async (apiKey) => {
    const { submit, ask, service } = await openProxy({ apiKey });
    const data = { job_id: `job-${apiKey}`, status: "done", count: 1234, isNew: true, left: null };
    service.play({ answer: success({ ...data, note: `Bearer ${apiKey}` }, 202) });
    const submitted = dataOf(await submit("ann"));
    expect(submitted).toMatchObject({ success: true, data: { ...data, note: "Bearer ***" } });
    service.play({ answer: success(data) });
    const found = await ask("ann", { path: `/v1/jobs/job-${apiKey}` });
    expect(dataOf(found).data).toMatchObject(data);
  });

  test("by words of the service that are meant for the page: these pass", async () => {
    const { submit, service } = await openProxy();
    for (const [status, words] of [
      [400, "Invalid parameter size: expected 1:1"],
      [402, "Insufficient credits: 4 needed, 3 left"],
      [404, "Voice not found"],
      [429, "Slow down"],
    ] as const) {
      service.play({ answer: failure(status, words) });
      expect(failureOf(await submit("ann"))).toMatchObject({ status, error: words });
    }
  });

  test("by words, and no word is broken that holds the name of the service's host", async () => {
    const words = "Invalid action. Supported: copy-ad, generate-ad";
    const { submit } = await openProxy({
      baseUrl: "http://ad:4010",
      fetch: async () => {
        const error = `${words} (ad:4010, http://ad/v1)`;
        return Response.json({ success: false, data: null, error }, { status: 400 });
      },
    });
    const { error } = failureOf(await submit("ann"));
    expect(error).toBe(`${words} (***, http://***/v1)`);
  });

  test("by data, and none is broken that holds the few letters of a test's key", async () => {
    const { submit } = await openProxy({ apiKey: "s" });
    const { data } = dataOf(await submit("ann"));
    expect(data).toMatchObject({ job_id: "job-1", status: "queued" });
  });

  test("by a key that is made anew for each request, or fails", async () => {
    let count = 0;
    const { submit, service } = await openProxy({
      apiKey: async () => {
        if (++count === 1) throw new Error(`The vault at ${inside} is closed`);
        return `${secretKey}-${count}`;
      },
    });
    const first = await submit("ann", {}, "call-1");
    expect(failureOf(first)).toMatchObject({ outcome: "not-sent" });
    expect(first.body).not.toMatch(/vault|10\.0\.0\.7/);
    service.play({ answer: (response, request) => echo(response, request, 400) });
    const second = await submit("ann", {}, "call-1");
    expect(second.status).toBe(400);
    expect(second.body).not.toContain(secretKey);
  });
});
