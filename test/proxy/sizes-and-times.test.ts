import { describe, expect, test } from "vitest";
import { failureOf, openProxy } from "./proxy-under-test.ts";

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
    expect(service.posts()).toHaveLength(1);
  });
});

describe("a body that is slow", () => {
  const rows: [how: string, first: string, then: string][] = [
    ["never comes", head("Content-Length: 100"), ""],
    ["stops midway", `${head("Content-Length: 100")}{"action":`, ""],
    ["drips", head("Content-Length: 100"), " "],
  ];
  test.each(rows)("ends with 408 when it %s", async (_, first, then) => {
    const { dial, service, ask } = await openProxy({ bodyTimeoutMs: 80 });
    const socket = dial();
    socket.write(first);
    const timer = setInterval(() => then && socket.write(then), 10);
    const said = String(await new Promise((some) => socket.once("data", some)));
    clearInterval(timer);
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
    expect(said).toMatch(/adgen-outcome: (refused|not-sent)/i);
    expect(service.arrivals()).toBe(0);
    expect((await ask("ann")).status).toBe(200);
  });

  test("does not hold its call id", async () => {
    const { dial, submit, service } = await openProxy({ bodyTimeoutMs: 1_000 });
    const socket = dial();
    socket.write(`${head("Idempotency-Key: call-1\r\nContent-Length: 100")}{"action":`);
    const first = submit("ann", {}, "call-1");
    expect((await first).status).toBe(202);
    await new Promise((some) => socket.once("data", some));
    expect((await submit("ann", {}, "call-1")).body).toBe((await first).body);
    expect(service.charges).toHaveLength(1);
  });

  test("cut off by the page makes no job", async () => {
    const { dial, service, events, ask } = await openProxy();
    const socket = dial();
    socket.end(`${head("Content-Length: 100")}{"action":"generate-ad","prompt":"Sale"}`);
    socket.resume();
    await new Promise((closed) => socket.once("close", closed));
    expect((await ask("ann")).status).toBe(200);
    expect(service.posts()).toEqual([]);
    expect(events.every(({ status, method }) => method === "GET" || status >= 400)).toBe(true);
  });
});

describe("an answer that never ends", () => {
  test("is cut at the largest size", async () => {
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
});
