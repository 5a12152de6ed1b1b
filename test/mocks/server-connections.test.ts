import { afterEach, describe, expect, it, vi } from "vitest";
import type { MockFault } from "../../mocks/faults/fault.ts";
import { authorized, envelopeIn, rawKey, rawRequest, startServer } from "./set-up.ts";

afterEach(() => {
  vi.useRealTimers();
});

const { setImmediate: setRealImmediate } = globalThis;
/** Lets the sockets work while timers are faked. */
const turn = () => new Promise<void>((resolve) => setRealImmediate(resolve));

const key = { headers: authorized };

/** Starts a server that plays faults to the next requests. */
const startFaulty = async (...faults: readonly MockFault[]) => {
  const server = await startServer();
  for (const fault of faults) server.service.faults.play(fault);
  return server;
};

describe("connections", () => {
  it("the global fetch can ask again and again while timers are faked", async () => {
    const server = await startServer();
    // The connection of this request must not be used again.
    await server.ask("GET", "/v1/jobs");
    vi.useFakeTimers();
    for (let round = 0; round < 5; round += 1) {
      expect((await server.ask("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(202);
      expect((await server.ask("GET", "/v1/jobs")).data.jobs).toHaveLength(round + 1);
      expect((await fetch(`${server.url}/__mock/health`)).status).toBe(200);
      expect((await fetch(`${server.url}/v1/jobs`, { method: "HEAD" })).status).toBe(401);
    }
    const answers = Array.from({ length: 5 }, () => server.ask("GET", "/v1/jobs"));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    // End the faking before the close: undici checks kept connections by a timer.
    vi.useRealTimers();
    await server.close();
  });

  it("fake timers drive a late answer of the server", async () => {
    const server = await startServer();
    server.service.faults.play({ kind: "latency", ms: 60_000 });
    vi.useFakeTimers();
    const start = Date.now();
    const seen = ({ status }: Response) => [status, Date.now() - start];
    const answer = fetch(`${server.url}/v1/jobs`, key).then(seen);
    while (server.service.journal.entries.length === 0) await turn();
    for (let count = 0; count < 50; count += 1) await turn();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await answer).toEqual([200, 60_000]);
  });
});

describe("a fault on a socket", () => {
  it("a reset breaks the connection", async () => {
    const { ask } = await startFaulty({ kind: "reset", accepted: true });
    const asked = ask("POST", "/v1/jobs", { action: "generate-ad" });
    await expect(asked).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  });

  it("a stall lasts as long as the client waits, before the answer or in its body", async () => {
    const late = { kind: "stall-body", afterBytes: 4 } as const;
    const { service, connectRaw } = await startFaulty({ kind: "stall" }, late);
    const stalled = await connectRaw(rawRequest("GET /v1/jobs", [rawKey]));
    await expect.poll(() => service.journal.entries).toHaveLength(1);
    const begun = await connectRaw(rawRequest("GET /v1/jobs", [rawKey]));
    await begun.until("\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([stalled.text(), begun.text().split("\r\n\r\n")[1]]).toEqual(["", '{"su']);
    for (const { socket, ended } of [stalled, begun]) {
      socket.destroy();
      await ended;
    }
  });

  it("a cut body ends after the given bytes, and every client notices", async () => {
    const cut = { kind: "cut-body", afterBytes: 5 } as const;
    const { url, connectRaw } = await startFaulty(cut, cut);
    const raw = await connectRaw(rawRequest("GET /v1/jobs", [rawKey]));
    await raw.ended;
    const [head, body] = raw.text().split("\r\n\r\n");
    expect(Number(/content-length: (\d+)/.exec(head ?? "")?.[1])).toBeGreaterThan(5);
    expect(body).toBe('{"suc');
    const answer = await fetch(`${url}/v1/jobs`, key);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("a dripping body comes in pieces, and completely", async () => {
    const { url } = await startFaulty({ kind: "drip-body", bytes: 16, everyMs: 50 });
    const answer = await fetch(`${url}/v1/jobs`, key);
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.body ?? []) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ success: true });
  });

  it("the server sends any status with its own framing headers", async () => {
    const headers = { "X-Proxy": "a" };
    const fault = { kind: "status", status: 599, headers, body: "☕" } as const;
    const { url, service } = await startFaulty(fault);
    const answer = await fetch(`${url}/v1/jobs`, key);
    expect([answer.status, answer.headers.get("x-proxy")]).toEqual([599, "a"]);
    expect(await answer.text()).toBe("☕");
    service.faults.play({ kind: "status", status: 204 });
    const empty = await fetch(`${url}/v1/jobs`, key);
    expect([empty.status, empty.headers.get("content-length")]).toEqual([204, null]);
  });
});

describe("a hostile request", () => {
  it.each<[title: string, bytes: string]>([
    ["a zero byte in the path", rawRequest("GET /v1/jobs/%00")],
    ["a path that cannot be decoded", rawRequest("GET /v1/jobs/%ff%zz")],
    ["TRACE", rawRequest("TRACE /v1/jobs")],
    ["an unknown method", rawRequest("PURGE /v1/jobs")],
    ["a long path", rawRequest(`GET /v1/jobs/${"a".repeat(12_000)}`)],
    ["an upgrade", rawRequest("GET /v1/jobs", ["Upgrade: websocket"])],
  ])("the service answers %s in its envelope, and the server goes on", async (_, bytes) => {
    const { ask, service, askRaw } = await startServer();
    const answer = await askRaw(bytes);
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(envelopeIn(answer)).toEqual({ success: false, data: null, error: expect.any(String) });
    expect(service.journal.count).toBe(1);
    expect((await ask("GET", "/v1/jobs")).status).toBe(200);
  });
});

describe("a client that leaves", () => {
  it("a client that leaves before its request is complete leaves nothing behind", async () => {
    const { ask, service, connectRaw } = await startServer();
    const body = JSON.stringify({ action: "generate-ad", prompt: "Summer sale" });
    const lines = [rawKey, `Content-Length: ${body.length + 1}`];
    const bytes = rawRequest("POST /v1/jobs", lines, body);
    for (const how of ["destroy", "resetAndDestroy", "end"] as const) {
      const client = await connectRaw(bytes);
      client.socket[how]();
      await client.ended;
    }
    expect((await ask("GET", "/v1/jobs")).data).toEqual({ jobs: [] });
    expect(service.account("test-key").charges).toEqual([]);
    expect(service.journal.entries).toHaveLength(1);
  });

  it("a client may leave during an answer, whatever fault it meets", async () => {
    const server = await startServer();
    const { service, connectRaw } = server;
    const kinds = ["stall", "stall-body", "drip-body", "latency"] as const;
    for (const [index, kind] of kinds.entries()) {
      service.faults.play(kind === "latency" ? { kind, ms: 60_000 } : { kind });
      const client = await connectRaw(rawRequest("GET /v1/jobs", [rawKey]));
      await expect.poll(() => service.journal.entries).toHaveLength(index + 1);
      client.socket.resetAndDestroy();
      await client.ended;
    }
    expect((await server.ask("GET", "/v1/jobs")).status).toBe(200);
    await server.close();
  });
});
