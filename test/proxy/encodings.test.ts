import { brotliCompressSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { failureOf, openProxy, type ProxyUnderTest } from "./proxy-under-test.ts";

const json = '{"action":"generate-ad","prompt":"Sale"}';

let stage: ProxyUnderTest;
beforeAll(async () => {
  stage = await openProxy();
});

describe("a body", () => {
  const kinds: [what: string, headers: Record<string, string>, body: string | Buffer][] = [
    ["of a plain form", { "content-type": "text/plain" }, json],
    ["of a form", { "content-type": "application/x-www-form-urlencoded" }, "action=generate-ad"],
    ["of a form with files", { "content-type": "multipart/form-data; boundary=a" }, "--a--"],
    ["without a type", { "content-type": "" }, json],
    ["of a type that only begins so", { "content-type": "application/jsonp" }, json],
    ["of a type that holds ours", { "content-type": "text/plain; application/json" }, json],
    ["of two types", { "content-type": "text/plain, application/json" }, json],
    [
      "in another charset",
      { "content-type": "application/json; charset=utf-16" },
      Buffer.from(json, "utf16le"),
    ],
    ["in UTF-7", { "content-type": "application/json; charset=utf-7" }, json],
    ["zipped by gzip", { "content-encoding": "gzip" }, gzipSync(json)],
    ["zipped by brotli", { "content-encoding": "br" }, brotliCompressSync(json)],
    ["said to be zipped", { "content-encoding": "gzip" }, json],
    ["of the coding identity, twice", { "content-encoding": "identity, gzip" }, gzipSync(json)],
  ];
  test.each(kinds)("%s is refused with 415", async (_, headers, body) => {
    const { ask, service } = stage;
    for (const [method, path] of [
      ["POST", "/v1/jobs"],
      ["PATCH", "/v1/brands/brand-1"],
    ] as const) {
      const answered = await ask("ann", { method, path, headers, body });
      expect(failureOf(answered)).toMatchObject({ status: 415, outcome: "refused", data: null });
    }
    expect(service.arrivals()).toBe(0);
  });

  const broken: [what: string, body: string | Buffer][] = [
    ["nothing", ""],
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
    [
      "too deep a nest",
      `{"action":"generate-ad","a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    ],
  ];
  test.each(broken)("of %s is refused with 400", async (_, body) => {
    const { ask, service } = stage;
    const answered = await ask("ann", { method: "POST", body });
    expect(failureOf(answered)).toMatchObject({ status: 400, outcome: "refused", data: null });
    expect(answered.body.length).toBeLessThan(1_000);
    expect(service.arrivals()).toBe(0);
  });

  test("that something before the proxy has read is said to be so", async () => {
    const { error } = failureOf(await stage.ask("ann", { method: "POST", body: "" }));
    expect(error).toBe(
      "the body is empty: where the page has sent one, a body parser before the proxy has read it",
    );
  });

  test.each([500, 2_000, 4_000, 6_000, 8_000, 20_000])(
    "nested %i deep is sent or refused, and breaks nothing",
    async (depth) => {
      const { ask, service, errors } = await openProxy();
      const body = `{"action":"generate-ad","a":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
      const headers = { "idempotency-key": "call-1" };
      const answered = await ask("ann", { method: "POST", body, headers });
      expect([202, 400]).toContain(answered.status);
      expect(service.posts()).toHaveLength(answered.status === 202 ? 1 : 0);
      expect(errors).toEqual([]);
    },
  );

  const wide: [what: string, members: string][] = [
    ["of numbers", `"a":[${"0,".repeat(100_000)}0]`],
    ["of fields", Array.from({ length: 100_001 }, (_, index) => `"k${index}":0`).join(",")],
    ["of brands", `"brand_id":[${'"a",'.repeat(100_000)}"a"]`],
  ];
  test.each(wide)(
    "with hundreds of thousands %s does not keep others waiting",
    async (_, members) => {
      const { ask, service } = stage;
      const body = `{"action":"generate-ad",${members}}`;
      const answered = await ask("ann", { method: "POST", body });
      const error = "the body holds more than 100000 values";
      expect(failureOf(answered)).toMatchObject({ status: 400, outcome: "refused", error });
      expect(service.arrivals()).toBe(0);
    },
  );

  const costly: [what: string, members: string][] = [
    ["brackets", `"a":${"[".repeat(500_000)}${"]".repeat(500_000)}`],
    ["brackets without an end", `"a":${"[".repeat(500_000)}`],
    ["empty objects", `"a":[{}${",{}".repeat(200_000)}]`],
    ["fields", Array.from({ length: 200_000 }, (_, index) => `"k${index}\\"":0`).join(",")],
  ];
  test.each(costly)("with hundreds of thousands of %s is not even parsed", async (_, members) => {
    const { ask } = stage;
    const parse = vi.spyOn(JSON, "parse");
    const body = `{"action":"generate-ad",${members}}`;
    const answered = await ask("ann", { method: "POST", body });
    const parsed = parse.mock.calls.filter(([text]) => text.length > 100_000);
    parse.mockRestore();
    const error = "the body holds more than 100000 values";
    expect(failureOf(answered)).toMatchObject({ status: 400, outcome: "refused", error });
    expect(parsed).toEqual([]);
  });

  test("may hold a text of any signs", async () => {
    const { submit, service } = await openProxy();
    const prompt = '",[{}]\\'.repeat(150_000);
    expect((await submit("ann", { prompt, end: "\\" })).status).toBe(202);
    expect(JSON.parse(service.posts()[0]?.body ?? "")).toMatchObject({ prompt, end: "\\" });
  });

  test("with names of prototypes, at any depth, is sent without them", async () => {
    const { ask, service } = await openProxy();
    const inner = '{"__proto__":{"action":"a"},"b":[{"\\u005f_proto__":1,"c":2}]}';
    const body = `{"action":"generate-ad","__proto__":{"variations":9},"a":${inner}}`;
    expect((await ask("ann", { method: "POST", body })).status).toBe(202);
    expect(service.posts()[0]?.body).toBe('{"action":"generate-ad","a":{"b":[{"c":2}]}}');
  });

  test("in pieces of one byte is read as a whole", async () => {
    const { proxy, service } = await openProxy();
    const text = '{"action":"generate-ad","prompt":"Zo\u00EB \u{1F600}"}';
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const request = new Request("http://page.test/adgen/v1/jobs", {
      ...{ method: "POST", duplex: "half" },
      headers: { "x-owner": "ann", "content-type": "application/json" },
      body,
    });
    expect((await proxy(request)).status).toBe(202);
    expect(service.posts()[0]?.body).toBe(text);
  });

  test("with a mark of UTF-8 before it is read, or refused, and never sent as it is", async () => {
    const { ask, service } = await openProxy();
    const { status } = await ask("ann", { method: "POST", body: `\uFEFF${json}` });
    expect([202, 400]).toContain(status);
    for (const { body } of service.posts()) expect(body).toBe(json);
  });

  test("of a read is not sent on", async () => {
    const { ask, submit, service } = await openProxy();
    await submit("ann");
    const { status } = await ask("ann", { path: "/v1/jobs/job-1", body: '{"a":1}' });
    expect([200, 400]).toContain(status);
    for (const { body } of service.received.slice(1)) expect(body).toBe("");
  });

  test("arrives as it was meant", async () => {
    const { submit, service } = await openProxy();
    const prompt = 'Zo\u00EB \u{1F600} \u2028 "\\ \0 <script> \u202E';
    const nested = { images: ["https://a.test/b"], deep: [{ a: [null, 1.5, true, -0.001, 1e21] }] };
    expect((await submit("ann", { prompt, nested })).status).toBe(202);
    expect(JSON.parse(service.received[0]?.body ?? "")).toEqual({
      action: "generate-ad",
      prompt,
      nested,
    });
  });
});
