import { brotliCompressSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { failureOf, openProxy, type ProxyUnderTest, submissionOf } from "./proxy-under-test.ts";

const json = '{"action":"generate-ad","prompt":"Sale"}';

let stage: ProxyUnderTest;
beforeAll(async () => {
  stage = await openProxy();
});

describe("a body", () => {
  const type = (name: string) => ({ "content-type": name });
  const coding = (name: string) => ({ "content-encoding": name });
  const utf16 = Buffer.from(json, "utf16le");
  const kinds: [what: string, headers: Record<string, string>, body: string | Buffer][] = [
    ["of a plain form", type("text/plain"), json],
    ["of a form", type("application/x-www-form-urlencoded"), "action=generate-ad"],
    ["of a form with files", type("multipart/form-data; boundary=a"), "--a--"],
    ["without a type", type(""), json],
    ["of a type that only begins so", type("application/jsonp"), json],
    ["of a type that holds ours", type("text/plain; application/json"), json],
    ["of two types", type("text/plain, application/json"), json],
    ["in another charset", type("application/json; charset=utf-16"), utf16],
    ["in UTF-7", type("application/json; charset=utf-7"), json],
    ["zipped by gzip", coding("gzip"), gzipSync(json)],
    ["zipped by brotli", coding("br"), brotliCompressSync(json)],
    ["said to be zipped", coding("gzip"), json],
    ["of the coding identity, twice", coding("identity, gzip"), gzipSync(json)],
  ];
  test.each(kinds)("%s is refused with 415", async (_, headers, body) => {
    const { ask, service } = stage;
    for (const asked of [{ method: "POST" }, { method: "PATCH", path: "/v1/brands/brand-1" }]) {
      const answered = await ask("ann", { ...asked, headers, body });
      expect(failureOf(answered)).toMatchObject({ status: 415, outcome: "refused", data: null });
    }
    expect(service.arrivals()).toBe(0);
  });

  const nest = "[".repeat(200_000) + "]".repeat(200_000);
  const broken: [what: string, body: string | Buffer][] = [
    ["half of it", json.slice(0, -1)],
    ["two of them", `${json}${json}`],
    ["a list", `[${json}]`],
    ["a text", '"generate-ad"'],
    ["null", "null"],
    ["NaN", '{"action":"generate-ad","variations":NaN}'],
    ["a comment", `/* */${json}`],
    ["bytes that are no UTF-8", Buffer.from('{"\xff\xfe":1}', "latin1")],
    ["an overlong slash", Buffer.from('{"action":"\xc0\xaf"}', "latin1")],
    ["half a surrogate pair in bytes", Buffer.from('{"action":"\xed\xa0\x80"}', "latin1")],
    ["UTF-16", Buffer.from(`\uFEFF${json}`, "utf16le")],
    ["too deep a nest", `{"action":"generate-ad","a":${nest}}`],
  ];
  test.each(broken)("of %s is refused with 400", async (_, body) => {
    const answered = await stage.ask("ann", { method: "POST", body });
    expect(failureOf(answered)).toMatchObject({ status: 400, outcome: "refused", data: null });
    expect(answered.body.length).toBeLessThan(1_000);
    expect(stage.service.arrivals()).toBe(0);
  });

  test("that something before the proxy has read is said to be so", async () => {
    const { status, error } = failureOf(await stage.ask("ann", { method: "POST", body: "" }));
    expect([status, error]).toEqual([
      400,
      "the body is empty: where the page has sent one, a body parser before the proxy has read it",
    ]);
  });

  test.each([500, 2_000, 8_000, 20_000])(
    "nested %i deep is refused, and breaks nothing",
    async (depth) => {
      const body = `{"action":"generate-ad","a":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
      const answered = failureOf(await stage.ask("ann", { method: "POST", body }));
      const error = "the body is nested more than 500 levels deep";
      expect(answered).toMatchObject({ status: 400, outcome: "refused", error });
      expect([stage.service.arrivals(), stage.errors]).toEqual([0, []]);
    },
  );

  const many = Array.from({ length: 200_000 }, (_, index) => `"k${index}\\"":0`).join(",");
  const costly: [what: string, members: string][] = [
    ["numbers", `"a":[${"0,".repeat(100_000)}0]`],
    ["brands", `"brand_id":[${'"a",'.repeat(100_000)}"a"]`],
    ["brackets", `"a":${"[".repeat(500_000)}${"]".repeat(500_000)}`],
    ["brackets without an end", `"a":${"[".repeat(500_000)}`],
    ["empty objects", `"a":[{}${",{}".repeat(200_000)}]`],
    ["fields", many],
  ];
  test.each(costly)("with hundreds of thousands of %s is not even parsed", async (_, members) => {
    const parse = vi.spyOn(JSON, "parse");
    const body = `{"action":"generate-ad",${members}}`;
    const answered = await stage.ask("ann", { method: "POST", body });
    const parsed = parse.mock.calls.filter(([text]) => text.length > 100_000);
    parse.mockRestore();
    const error = "the body holds more than 100000 values";
    expect(failureOf(answered)).toMatchObject({ status: 400, outcome: "refused", error });
    expect([parsed, stage.service.arrivals()]).toEqual([[], 0]);
  });

  test("of names of prototypes, at any depth, is sent without them", async () => {
    const { ask, service } = await openProxy();
    const inner = '{"__proto__":{"action":"a"},"b":[{"\\u005f_proto__":1,"c":2}]}';
    const body = `{"action":"generate-ad","__proto__":{"variations":9},"a":${inner}}`;
    expect((await ask("ann", { method: "POST", body })).status).toBe(202);
    expect(service.sent("POST")[0]?.body).toBe('{"action":"generate-ad","a":{"b":[{"c":2}]}}');
  });

  test("in pieces of one byte, or with a mark of UTF-8 before it, is read as a whole", async () => {
    const { proxy, ask, service } = await openProxy();
    const text = '{"action":"generate-ad","prompt":"Zo\u00EB \u{1F600}"}';
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect((await proxy(submissionOf(undefined, { body, duplex: "half" }))).status).toBe(202);
    expect((await ask("ann", { method: "POST", body: `\uFEFF${json}` })).status).toBe(202);
    expect(service.sent("POST").map(({ body }) => body)).toEqual([text, json]);
  });

  test("of a read is not sent on", async () => {
    const { ask, submit, service } = await openProxy();
    await submit("ann");
    const { status } = await ask("ann", { path: "/v1/jobs/job-1", body: '{"a":1}' });
    // A server may refuse it before the proxy.
    expect(status).toBeOneOf([200, 400]);
    for (const { body } of service.sent("GET")) expect(body).toBe("");
  });

  test("of any signs arrives as it was meant", async () => {
    const { submit, service } = await openProxy();
    const prompt = 'Zo\u00EB \u{1F600} \u2028 "\\ \0 <script> \u202E';
    const deep = [{ a: [null, 1.5, true, -0.001, 1e21] }];
    const odd = {
      images: ["https://a.test/b"],
      deep,
      signs: '",[{}]\\'.repeat(150_000),
      end: "\\",
    };
    expect((await submit("ann", { prompt, ...odd })).status).toBe(202);
    const sent = JSON.parse(service.received[0]?.body ?? "");
    expect(sent).toEqual({ action: "generate-ad", prompt, ...odd });
  });
});

const head = (more: string): string =>
  `POST /adgen/v1/jobs HTTP/1.1\r\nHost: a\r\nX-Owner: ann\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;

describe("a body that is too large", () => {
  test("is refused by its length, before a byte of it is read", async () => {
    const { dial, service } = await openProxy({ maxRequestBytes: 1_000 });
    const socket = dial();
    socket.write(head("Content-Length: 100000000000"));
    const said = await new Promise((first) => socket.once("data", first));
    expect(String(said)).toMatch(/^HTTP\/1\.1 413 /);
    expect(service.arrivals()).toBe(0);
  });

  test("is refused as it comes, however long it goes on", async () => {
    const { dial, service } = await openProxy({ maxRequestBytes: 100_000 });
    const socket = dial();
    socket.write(head("Transfer-Encoding: chunked"));
    let said = "";
    socket.on("data", (bytes) => {
      said += bytes;
    });
    const piece = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    let sent = 0;
    while (said === "" && sent < 200 && !socket.destroyed) {
      sent++;
      await new Promise((written) => socket.write(piece, written));
      await new Promise((soon) => setImmediate(soon));
    }
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(200);
    expect(service.arrivals()).toBe(0);
  });

  test("may be as large as is said, and no larger", async () => {
    const { submit, service } = await openProxy({ maxRequestBytes: 2_000 });
    const around = JSON.stringify({ action: "generate-ad", prompt: "" }).length;
    const prompt = "x".repeat(2_000 - around);
    expect((await submit("ann", { prompt })).status).toBe(202);
    const refused = failureOf(await submit("ann", { prompt: `${prompt}x` }));
    expect(refused).toMatchObject({ status: 413, outcome: "refused", data: null });
    // A letter of two bytes counts as two.
    expect((await submit("ann", { prompt: `${prompt.slice(1)}\u00EB` })).status).toBe(413);
    expect(service.charges).toHaveLength(1);
  });
});

describe("a body that is slow", () => {
  const rows: [how: string, first: string, then: string][] = [
    ["never comes", head("Content-Length: 100"), ""],
    ["stops midway", `${head("Content-Length: 100")}{"action":`, ""],
    ["drips", head("Content-Length: 100"), " "],
  ];
  test.each(rows)("ends with 408 when it %s", async (_, first, then) => {
    const { dial, service, statusOf } = await openProxy({ bodyTimeoutMs: 80 });
    const socket = dial();
    socket.write(first);
    const timer = setInterval(() => then && socket.write(then), 10);
    const said = String(await new Promise((some) => socket.once("data", some)));
    clearInterval(timer);
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
    expect(said).toMatch(/adgen-outcome: not-sent/i);
    expect(service.arrivals()).toBe(0);
    expect(await statusOf("ann", "/v1/jobs")).toBe(200);
  });

  test("does not hold its call id", async () => {
    const { dial, submit, service } = await openProxy({ bodyTimeoutMs: 300 });
    const socket = dial();
    socket.write(`${head("Idempotency-Key: call-1\r\nContent-Length: 100")}{"action":`);
    const first = await submit("ann", {}, "call-1");
    expect(first.status).toBe(202);
    await new Promise((some) => socket.once("data", some));
    expect((await submit("ann", {}, "call-1")).body).toBe(first.body);
    expect(service.charges).toHaveLength(1);
  });

  test("and cut off by the page makes no job", async () => {
    const { dial, service, events, statusOf } = await openProxy();
    const socket = dial();
    socket.end(`${head("Content-Length: 100")}{"action":"generate-ad","prompt":"Sale"}`);
    socket.resume();
    await new Promise((closed) => socket.once("close", closed));
    expect(await statusOf("ann", "/v1/jobs")).toBe(200);
    expect(service.sent("POST")).toEqual([]);
    expect(events.every(({ status, method }) => method === "GET" || status >= 400)).toBe(true);
  });
});

test("an answer that never ends is cut at the largest size", async () => {
  const { submit, ask, service } = await openProxy({ maxResponseBytes: 10_000 });
  await submit("ann", {}, "call-1");
  const piece = "x".repeat(1_000);
  let pieces = 0;
  service.play({
    answer: (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && pieces < 100_000 && response.write(piece)) pieces++;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
  });
  const answered = await ask("ann", { path: "/v1/jobs/job-1" });
  expect(failureOf(answered)).toMatchObject({ status: 502, data: null });
  expect(answered.body.length).toBeLessThan(1_000);
  await expect.poll(() => service.cuts()).toBe(1);
});
