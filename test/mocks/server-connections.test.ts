import { afterEach, describe, expect, it, vi } from "vitest";
import type { MockFault } from "../../mocks/faults/fault.ts";
import { createMockService } from "../../mocks/index.ts";
import { authorized, rawKey, rawRequest, startServer } from "./server-sockets.ts";

afterEach(() => {
  vi.useRealTimers();
});

const { setImmediate: setRealImmediate } = globalThis;
/** Lets the sockets do something, whatever is faked. */
const turn = () => new Promise<void>((resolve) => setRealImmediate(resolve));

const submission = '{"action":"generate-ad","prompt":"Summer sale"}';
const key = { headers: authorized };

/** Starts a server that plays faults to the next requests. */
const startFaulty = async (...faults: readonly MockFault[]) => {
  const server = await startServer();
  for (const fault of faults) server.service.faults.play(fault);
  return server;
};

describe("connections", () => {
  it("let the global fetch ask again and again while timers are faked", async () => {
    const server = await startServer();
    // A real request before: its connection must not be used again.
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
    // No connection was kept to be used again: undici's look after those is faked.
    vi.useRealTimers();
    await server.closeAtOnce();
  });

  it("are driven by fake timers where an answer is late", async () => {
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
  it("resets the connection", async () => {
    const { ask } = await startFaulty({ kind: "reset", accepted: true });
    const asked = ask("POST", "/v1/jobs", { action: "generate-ad" });
    await expect(asked).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  });

  it("stalls for as long as the client waits, before the answer or in its body", async () => {
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

  it("cuts the body where it was told, and every client notices", async () => {
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

  it("drips the body, piece by piece and whole", async () => {
    const { url } = await startFaulty({ kind: "drip-body", bytes: 16, everyMs: 50 });
    const answer = await fetch(`${url}/v1/jobs`, key);
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.body ?? []) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ success: true });
  });

  it("sends statuses and headers of any kind, framed by itself", async () => {
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

it("carries a request out in the new state when its body ends after a reset", async () => {
  const service = createMockService();
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const answer = service.fetch("https://ads.test/v1/jobs", {
    method: "POST",
    headers: authorized,
    body: body.readable,
    duplex: "half",
  } as RequestInit);
  const writer = body.writable.getWriter();
  await writer.write(new TextEncoder().encode(submission));
  service.reset();
  await writer.close();
  expect((await answer).status).toBe(202);
  service.account("test-key").assertCharges([{ credit: "image", amount: 1 }]);
});
