import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import {
  askRaw,
  authorized,
  closeAtOnce,
  connectRaw,
  envelopeIn,
  rawRequest,
  startServer,
} from "./server-sockets.ts";

const failure = { success: false, data: null, error: expect.any(String) };
const authorization = "Authorization: Bearer test-key";
const megabyte = 1024 * 1024;

/** Sends bytes until somebody stops it; the answer, if one came. */
const send = (port: number, bytes: number, announced: boolean): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = { ...authorized, ...(announced && { "content-length": String(bytes) }) };
    const path = "/v1/jobs";
    const sending = httpRequest({ host: "127.0.0.1", port, method: "POST", path, headers });
    sending.on("response", (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(`${response.statusCode} ${text}`));
    });
    sending.on("error", (error) => resolve(error.message));
    const chunk = Buffer.alloc(megabyte, 32);
    for (let sent = 0; sent < bytes; sent += megabyte) sending.write(chunk);
    sending.end();
  });

describe("a hostile request", () => {
  it.each([
    ["a path with two slashes", "GET //evil.test/v1/jobs", 401],
    ["a zero byte in the path", "GET /v1/jobs/%00", 401],
    ["a path that cannot be decoded", "GET /v1/jobs/%ff%zz", 401],
    ["another host in the target", "GET http://evil.test/v1/jobs", 401],
    ["a target that is no URL", "GET http://[/v1/jobs", 400],
    ["a backslash in the path", "GET /v1\\jobs", 400],
    ["a star for a target", "OPTIONS *", 400],
    ["TRACE", "TRACE /v1/jobs", 401],
    ["an unknown method", "PURGE /v1/jobs", 401],
    ["a long path", `GET /v1/jobs/${"a".repeat(12_000)}`, 401],
    ["a path that is too long", `GET /v1/jobs/${"a".repeat(20_000)}`, 431],
    ["a method that does not exist", "HACK /v1/jobs", 400],
  ])("is answered in the envelope: %s", async (_, line, status) => {
    const server = await startServer();
    const answer = await askRaw(server.port, rawRequest(line));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(envelopeIn(answer)).toEqual(failure);
  });

  it.each([
    ["no HTTP at all", "\u0000\u0001\u0002 hello\r\n\r\n"],
    ["no Host", "GET /v1/jobs HTTP/1.1\r\n\r\n"],
    ["two lengths", rawRequest("POST /v1/jobs", ["Content-Length: 1", "Content-Length: 2"], "a")],
    [
      "a length and chunks",
      rawRequest("POST /v1/jobs", ["Content-Length: 1", "Transfer-Encoding: chunked"], "a"),
    ],
    ["chunks that are none", rawRequest("POST /v1/jobs", ["Transfer-Encoding: chunked"], "zz\r\n")],
    ["a bad Host", "GET /v1/jobs HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"],
  ])("does not stop the server: %s", async (_, bytes) => {
    const server = await startServer();
    expect(await askRaw(server.port, bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect((await fetch(`${server.url}/v1/jobs`, { headers: authorized })).status).toBe(200);
  });

  it.each([
    ["GET /v1/jobs HTTP/1.1\r\n\r\n", "The request has no Host header"],
    [
      rawRequest("GET /v1/jobs", ["hOST: evil.test", authorization]),
      "The request has more than one Host header",
    ],
    ["CONNECT evil.test:80 HTTP/1.1\r\nHost: a\r\n\r\n", /no proxy/],
  ])("is told what is wrong, in the envelope: %j", async (bytes, message) => {
    const server = await startServer();
    const answer = await askRaw(server.port, bytes);
    expect(envelopeIn(answer)).toEqual({ ...failure, error: expect.stringMatching(message) });
    expect(server.service.journal.entries).toEqual([]);
  });

  it.each([
    ["CONNECT", "CONNECT evil.test:80 HTTP/1.1\r\nHost: evil.test:80\r\n\r\n", /^HTTP\/1\.1 405 /],
    ["an upgrade", rawRequest("GET /v1/jobs", ["Upgrade: websocket"]), /^HTTP\/1\.1 401 /],
    ["an expectation", rawRequest("GET /v1/jobs", ["Expect: miracles"]), /^HTTP\/1\.1 417 /],
  ])("does not hang: %s", async (_, bytes, answer) => {
    const server = await startServer();
    expect(await askRaw(server.port, bytes)).toMatch(answer);
  });

  it("gets no body to a HEAD, and an answer by HTTP/1.0", async () => {
    const server = await startServer();
    const head = await askRaw(server.port, rawRequest("HEAD /v1/jobs", [authorization]));
    expect(head).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/);
    const old = await askRaw(server.port, `GET /v1/jobs HTTP/1.0\r\n${authorization}\r\n\r\n`);
    expect(envelopeIn(old)).toMatchObject({ success: true });
  });

  it.each([
    ["announced", true],
    ["in chunks", false],
  ])("is refused with 413 when its body is over 16 MiB, %s", async (_, announced) => {
    const server = await startServer();
    expect(await send(server.port, 20 * megabyte, announced)).toMatch(/^413 .*too large/);
    expect(server.service.journal.entries).toEqual([]);
  });

  it("is read when its body is just below that", async () => {
    const server = await startServer();
    expect(await send(server.port, 16 * megabyte, true)).toMatch(/^400 .*valid JSON/);
  });

  it("may not go on sending for ever after a 413", async () => {
    const server = await startServer();
    const lines = [
      "POST /v1/jobs HTTP/1.1",
      "Host: localhost",
      "Content-Length: 99999999999",
      "",
      "",
    ];
    const client = await connectRaw(server.port, lines.join("\r\n"));
    await client.until("too large");
    const startedAt = performance.now();
    await client.ended;
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it("is answered when it comes byte by byte, and when two come at once", async () => {
    const server = await startServer();
    const body = JSON.stringify({ action: "copy-ad", prompt: "x" });
    const line = `Content-Length: ${body.length}`;
    const bytes = rawRequest("POST /v1/jobs", [authorization, line], body);
    const slow = await connectRaw(server.port);
    slow.socket.setNoDelay(true);
    for (const byte of bytes) {
      slow.socket.write(byte);
      await new Promise(setImmediate);
    }
    expect(await slow.until('"success":true')).toMatch(/^HTTP\/1\.1 202 /);
    const first = `GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`;
    const both = await askRaw(server.port, first + rawRequest("GET /v1/brands", [authorization]));
    expect(both).toMatch(/"jobs":\[\{[\s\S]*"brands":\[\]/);
  });
});

describe("a client that leaves", () => {
  it("leaves nothing behind when its request was not complete", async () => {
    const server = await startServer();
    const body = JSON.stringify({ action: "generate-ad", prompt: "Summer sale" });
    const headers = [authorization, `Content-Length: ${body.length + 1}`];
    for (const how of ["destroy", "resetAndDestroy", "end"] as const) {
      const client = await connectRaw(server.port, rawRequest("POST /v1/jobs", headers, body));
      client.socket[how]();
      await client.ended;
    }
    const answer = await fetch(`${server.url}/v1/jobs`, { headers: authorized });
    expect(await answer.json()).toMatchObject({ data: { jobs: [] } });
    expect(server.service.account("test-key").charges).toEqual([]);
    expect(server.service.journal.entries).toHaveLength(1);
  });

  it("does no harm while it is answered, in any way", async () => {
    const server = await startServer();
    const kinds = ["stall", "stall-body", "drip-body", "latency"] as const;
    for (const [index, kind] of kinds.entries()) {
      server.service.faults.play(kind === "latency" ? { kind, ms: 60_000 } : { kind });
      const client = await connectRaw(server.port, rawRequest("GET /v1/jobs", [authorization]));
      await expect.poll(() => server.service.journal.entries).toHaveLength(index + 1);
      client.socket.resetAndDestroy();
      await client.ended;
    }
    expect((await fetch(`${server.url}/v1/jobs`, { headers: authorized })).status).toBe(200);
    await closeAtOnce(server);
  });
});
