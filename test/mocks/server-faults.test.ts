import { describe, expect, it } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server.ts";
import { authorized, connectRaw, rawRequest, startServer } from "./server-sockets.ts";

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause
    ? error.cause.code
    : error;

const submission = { method: "POST", headers: authorized, body: '{"action":"generate-ad"}' };

describe("a fault on a socket", () => {
  it.each([
    [false, 0],
    [true, 1],
  ])("resets the connection, accepted: %s", async (accepted, jobs) => {
    const server = await startServer();
    server.service.faults.play({ kind: "reset", accepted });
    const error = await fetch(`${server.url}/v1/jobs`, submission).catch(causeOf);
    expect(error).toBe("ECONNRESET");
    expect(server.service.jobs.all).toHaveLength(jobs);
  });

  it("stalls for as long as the client waits", async () => {
    const server = await startServer();
    server.service.faults.play({ kind: "stall" });
    const client = await connectRaw(server.port, rawRequest("GET /v1/jobs"));
    await expect.poll(() => server.service.journal.entries).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.text()).toBe("");
    client.socket.destroy();
    await client.ended;
  });

  it("cuts the body where it was told, and every client notices", async () => {
    const server = await startServer();
    server.service.faults.play({ kind: "cut-body", afterBytes: 5 }, { times: 2 });
    const raw = await connectRaw(server.port, rawRequest("GET /v1/jobs"));
    await raw.ended;
    const [head, body] = raw.text().split("\r\n\r\n");
    expect(Number(/content-length: (\d+)/.exec(head ?? "")?.[1])).toBeGreaterThan(5);
    expect(body).toBe('{"suc');
    const answer = await fetch(`${server.url}/v1/jobs`);
    expect(answer.status).toBe(401);
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("stalls in the body", async () => {
    const server = await startServer();
    server.service.faults.play({ kind: "stall-body", afterBytes: 4 });
    const client = await connectRaw(server.port, rawRequest("GET /v1/jobs"));
    await client.until("\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.text().split("\r\n\r\n")[1]).toBe('{"su');
    client.socket.destroy();
    await client.ended;
  });

  it("drips the body, piece by piece and whole", async () => {
    const server = await startServer();
    server.service.faults.play({ kind: "drip-body", bytes: 16, everyMs: 5 });
    const answer = await fetch(`${server.url}/v1/jobs`, { headers: authorized });
    const pieces: string[] = [];
    for await (const piece of answer.body ?? []) pieces.push(Buffer.from(piece).toString());
    expect(pieces.length).toBeGreaterThan(2);
    expect(JSON.parse(pieces.join(""))).toMatchObject({ success: true });
  });

  it("answers late", async () => {
    const server = await startServer();
    server.service.faults.play({ kind: "latency", ms: 40 });
    const startedAt = performance.now();
    await fetch(`${server.url}/v1/jobs`);
    expect(performance.now() - startedAt).toBeGreaterThan(38);
  });

  it("sends statuses and headers of any kind, framed by itself", async () => {
    const server = await startServer();
    const headers = { "X-Proxy": "a" };
    server.service.faults.play({ kind: "status", status: 599, headers, body: "busy ☕" });
    const answer = await fetch(`${server.url}/v1/jobs`);
    expect([answer.status, answer.headers.get("x-proxy")]).toEqual([599, "a"]);
    expect(await answer.text()).toBe("busy ☕");
    server.service.faults.play({ kind: "status", status: 204 });
    const empty = await fetch(`${server.url}/v1/jobs`);
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
