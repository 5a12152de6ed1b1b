import { describe, expect, it } from "vitest";
import type { MockFault } from "../../mocks/faults/fault.ts";
import { createMockService } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server.ts";
import { authorized, connectRaw, rawRequest, startServer } from "./server-sockets.ts";

/** Starts a server that plays faults to the next requests. */
const startFaulty = async (...faults: readonly MockFault[]) => {
  const server = await startServer();
  for (const fault of faults) server.service.faults.play(fault);
  return server;
};

describe("a fault on a socket", () => {
  it.each([
    [false, 0],
    [true, 1],
  ])("resets the connection, accepted: %s", async (accepted, jobs) => {
    const { ask, service } = await startFaulty({ kind: "reset", accepted });
    const asked = ask("POST", "/v1/jobs", { action: "generate-ad" });
    await expect(asked).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    expect(service.jobs.all).toHaveLength(jobs);
  });

  it("stalls for as long as the client waits, before the answer or in its body", async () => {
    const { port, service } = await startFaulty(
      { kind: "stall" },
      { kind: "stall-body", afterBytes: 4 },
    );
    const stalled = await connectRaw(port, rawRequest("GET /v1/jobs"));
    await expect.poll(() => service.journal.entries).toHaveLength(1);
    const begun = await connectRaw(port, rawRequest("GET /v1/jobs"));
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
    const { port, url } = await startFaulty(cut, cut);
    const raw = await connectRaw(port, rawRequest("GET /v1/jobs"));
    await raw.ended;
    const [head, body] = raw.text().split("\r\n\r\n");
    expect(Number(/content-length: (\d+)/.exec(head ?? "")?.[1])).toBeGreaterThan(5);
    expect(body).toBe('{"suc');
    const answer = await fetch(`${url}/v1/jobs`);
    expect(answer.status).toBe(401);
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("drips the body, piece by piece and whole", async () => {
    const { url } = await startFaulty({ kind: "drip-body", bytes: 16, everyMs: 5 });
    const answer = await fetch(`${url}/v1/jobs`, { headers: authorized });
    const pieces: string[] = [];
    for await (const piece of answer.body ?? []) pieces.push(Buffer.from(piece).toString());
    expect(pieces.length).toBeGreaterThan(2);
    expect(JSON.parse(pieces.join(""))).toMatchObject({ success: true });
  });

  it("answers late", async () => {
    const { ask } = await startFaulty({ kind: "latency", ms: 40 });
    const startedAt = performance.now();
    await ask("GET", "/v1/jobs");
    expect(performance.now() - startedAt).toBeGreaterThan(38);
  });

  it("sends statuses and headers of any kind, framed by itself", async () => {
    const headers = { "X-Proxy": "a" };
    const { url, service } = await startFaulty({
      kind: "status",
      status: 599,
      headers,
      body: "☕",
    });
    const answer = await fetch(`${url}/v1/jobs`);
    expect([answer.status, answer.headers.get("x-proxy")]).toEqual([599, "a"]);
    expect(await answer.text()).toBe("☕");
    service.faults.play({ kind: "status", status: 204 });
    const empty = await fetch(`${url}/v1/jobs`);
    expect([empty.status, empty.headers.get("content-length")]).toEqual([204, null]);
  });

  it("is refused when a server cannot play it, for as long as the server runs", async () => {
    const service = createMockService();
    const server = await startMockServer({ service });
    expect(() => service.faults.play({ kind: "refuse" })).toThrow(/HTTP server.*"refuse"/);
    await server.close();
    service.faults.play({ kind: "refuse" });
    await expect(startMockServer({ service })).rejects.toThrow(TypeError);
  });
});
