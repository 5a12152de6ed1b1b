import { describe, expect, it } from "vitest";
import { envelopeIn, rawRequest, startServer } from "./server-sockets.ts";

const authorization = "Authorization: Bearer test-key";

/** A POST whose body is framed by these lines. */
const framed = (lines: string[], body: string): string => rawRequest("POST /v1/jobs", lines, body);

describe("a hostile request", () => {
  it.each<[title: string, bytes: string, status: number, message?: string]>([
    ["a zero byte in the path", rawRequest("GET /v1/jobs/%00"), 401],
    ["a path that cannot be decoded", rawRequest("GET /v1/jobs/%ff%zz"), 401],
    ["TRACE", rawRequest("TRACE /v1/jobs"), 401],
    ["an unknown method", rawRequest("PURGE /v1/jobs"), 401],
    ["a long path", rawRequest(`GET /v1/jobs/${"a".repeat(12_000)}`), 401],
    ["an upgrade", rawRequest("GET /v1/jobs", ["Upgrade: websocket"]), 401],
  ])("is answered in the envelope, and the server goes on: %s", async (...row) => {
    const [, bytes, status, message] = row;
    const { ask, service, askRaw } = await startServer();
    const answer = await askRaw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const error = message ?? expect.any(String);
    expect(envelopeIn(answer)).toEqual({ success: false, data: null, error });
    // Only what is a request reaches the service.
    expect(service.journal.count).toBe(status === 401 ? 1 : 0);
    expect((await ask("GET", "/v1/jobs")).status).toBe(200);
  });

  it.each<[title: string, bytes: string, status: number]>([
    ["a path that is too long", rawRequest(`GET /v1/jobs/${"a".repeat(20_000)}`), 431],
    ["a method that does not exist", rawRequest("HACK /v1/jobs"), 400],
    ["no HTTP at all", "\u0000\u0001\u0002 hello\r\n\r\n", 400],
    ["two lengths", framed(["Content-Length: 1", "Content-Length: 2"], "a"), 400],
    ["a length and chunks", framed(["Content-Length: 1", "Transfer-Encoding: chunked"], "a"), 400],
    ["chunks that are none", framed(["Transfer-Encoding: chunked"], "zz\r\n"), 400],
  ])("that is no HTTP is refused by Node, and the server goes on: %s", async (...row) => {
    const [, bytes, status] = row;
    const { ask, service, askRaw } = await startServer();
    expect(await askRaw(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(service.journal.count).toBe(0);
    expect((await ask("GET", "/v1/jobs")).status).toBe(200);
  });

  it.each([[16, false, 400, "Request body must be valid JSON", 1]])(
    "may have 16 MiB: %d, announced: %s, are a %d",
    async (...row) => {
      const [size, announced, status, error, requests] = row;
      const { service, connectRaw } = await startServer();
      const bytes = size * 1024 * 1024;
      const header = announced ? `Content-Length: ${bytes}` : "Transfer-Encoding: chunked";
      const spaces = " ".repeat(bytes);
      const body = announced ? spaces : `${bytes.toString(16)}\r\n${spaces}\r\n0\r\n\r\n`;
      const client = await connectRaw(framed([authorization, header], body));
      const answer = await client.until(error);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(service.journal.count).toBe(requests);
      client.socket.destroy();
    },
  );

  it("is answered when it comes byte by byte, and when two come at once", async () => {
    const { askRaw, connectRaw } = await startServer();
    const body = JSON.stringify({ action: "copy-ad", prompt: "x" });
    const bytes = framed([authorization, `Content-Length: ${body.length}`], body);
    const slow = await connectRaw();
    slow.socket.setNoDelay(true);
    for (const byte of bytes) {
      slow.socket.write(byte);
      await new Promise(setImmediate);
    }
    expect(await slow.until('"success":true')).toMatch(/^HTTP\/1\.1 202 /);
    const first = `GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`;
    const both = await askRaw(first + rawRequest("GET /v1/brands", [authorization]));
    expect(both).toMatch(/"jobs":\[\{[\s\S]*"brands":\[\]/);
  });
});

describe("a client that leaves", () => {
  it("leaves nothing behind when its request was not complete", async () => {
    const { ask, service, connectRaw } = await startServer();
    const body = JSON.stringify({ action: "generate-ad", prompt: "Summer sale" });
    const bytes = framed([authorization, `Content-Length: ${body.length + 1}`], body);
    for (const how of ["destroy", "resetAndDestroy", "end"] as const) {
      const client = await connectRaw(bytes);
      client.socket[how]();
      await client.ended;
    }
    expect((await ask("GET", "/v1/jobs")).data).toEqual({ jobs: [] });
    expect(service.account("test-key").charges).toEqual([]);
    expect(service.journal.entries).toHaveLength(1);
  });

  it("does no harm while it is answered, in any way", async () => {
    const server = await startServer();
    const { service, connectRaw } = server;
    const kinds = ["stall", "stall-body", "drip-body", "latency"] as const;
    for (const [index, kind] of kinds.entries()) {
      service.faults.play(kind === "latency" ? { kind, ms: 60_000 } : { kind });
      const client = await connectRaw(rawRequest("GET /v1/jobs", [authorization]));
      await expect.poll(() => service.journal.entries).toHaveLength(index + 1);
      client.socket.resetAndDestroy();
      await client.ended;
    }
    expect((await server.ask("GET", "/v1/jobs")).status).toBe(200);
    await server.closeAtOnce();
  });
});
