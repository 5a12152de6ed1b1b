import { describe, expect, test } from "vitest";
import { failureOf, openProxy, submissionOf } from "./proxy-under-test.ts";

const json = '{"action":"generate-ad","prompt":"Sale"}';

describe("a body", () => {
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
    expect(service.received).toHaveLength(0);
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
    expect(service.received).toHaveLength(0);
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
    expect(service.received).toHaveLength(0);
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
