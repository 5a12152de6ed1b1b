import { Agent, get } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { MockFault } from "../../mocks/faults/fault.ts";
import { createMockService } from "../../mocks/index.ts";
import { askRaw, authorized, closeAtOnce, connectRaw, startServer } from "./server-sockets.ts";

afterEach(() => {
  vi.useRealTimers();
});

const { setImmediate: setRealImmediate } = globalThis;
/** Lets the sockets do something, whatever is faked. */
const turn = () => new Promise<void>((resolve) => setRealImmediate(resolve));

/** One request by `node:http`; the port that it came from. */
const portUsed = (url: string, agent: Agent) =>
  new Promise<number | undefined>((resolve, reject) => {
    const asking = get(url, { agent, headers: authorized }, (response) => {
      const { localPort } = response.socket;
      response.resume().on("end", () => resolve(localPort));
    });
    asking.on("error", reject);
    asking.on("close", () => reject(new Error("The connection closed within the answer")));
  });

const key = "Authorization: Bearer test-key";
const list = `GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n${key}\r\n\r\n`;
const submission = '{"action":"generate-ad","prompt":"Summer sale"}';
const length = `Content-Length: ${submission.length}`;
const submit = `POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n${key}\r\n${length}\r\n\r\n${submission}`;

describe("connections", () => {
  it("let the global fetch ask again and again while timers are faked", async () => {
    const server = await startServer();
    // A real request before: its connection must not be used again.
    await server.ask("GET", "/v1/jobs");
    vi.useFakeTimers();
    for (let round = 0; round < 5; round += 1) {
      expect((await server.ask("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(202);
      expect((await server.ask("GET", "/v1/jobs")).data.jobs).toHaveLength(round + 1);
      expect((await fetch(`${server.url}/__mock/help`)).status).toBe(200);
      expect((await fetch(`${server.url}/v1/jobs`, { method: "HEAD" })).status).toBe(401);
    }
    const answers = Array.from({ length: 5 }, () => server.ask("GET", "/v1/jobs"));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    // No connection was kept to be used again: undici's look after those is faked.
    vi.useRealTimers();
    await closeAtOnce(server);
  });

  it("are driven by fake timers where an answer is late", async () => {
    const server = await startServer();
    server.service.faults.play({ kind: "latency", ms: 60_000 });
    vi.useFakeTimers();
    const answer = fetch(`${server.url}/v1/jobs`);
    while (server.service.journal.entries.length === 0) await turn();
    await turn();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await answer).status).toBe(401);
  });

  it("are used again by other clients", async () => {
    const server = await startServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (let round = 0; round < 5; round += 1) {
      ports.add(await portUsed(`${server.url}/v1/jobs`, agent));
      await turn();
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it("end when the client says so, and are promised for two seconds otherwise", async () => {
    const server = await startServer();
    const kept = await connectRaw(server.port, list);
    const answer = await kept.until("\r\n\r\n");
    expect(answer).toMatch(/connection: keep-alive\r\n[\s\S]*keep-alive: timeout=2\r\n/i);
    kept.socket.write(list.replace(key, "Connection: close"));
    await kept.ended;
    expect(statusesIn(kept.text())).toEqual(["200", "401"]);
    expect(kept.text().match(/connection: close/gi)).toHaveLength(1);
  });
});

const statusesIn = (answers: string): readonly string[] =>
  Array.from(answers.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = ""]) => status);

describe("requests on one connection, sent at once", () => {
  it("are answered before a cut body, and not after it", async () => {
    const { port, service } = await startServer();
    service.faults.play({ kind: "cut-body" }, { operation: "jobs.submit" });
    expect(statusesIn(await askRaw(port, list + submit + list))).toEqual(["200", "202"]);
  });

  it.each<MockFault>([
    { kind: "drip-body", bytes: 50, everyMs: 1 },
    { kind: "latency", ms: 20 },
    { kind: "wrong-json" },
    { kind: "status", status: 204, accepted: true },
  ])("are answered in order around $kind", async (fault) => {
    const { port, service } = await startServer();
    service.faults.play(fault, { operation: "jobs.submit" });
    const client = await connectRaw(port, submit + list);
    const answers = await client.until('"jobs":[');
    client.socket.destroy();
    expect(statusesIn(answers)).toEqual([fault.kind === "status" ? "204" : "202", "200"]);
    service.account("test-key").assertCharges([{ credit: "image", amount: 1 }]);
  });
});

it("carries a request out in the new world when its body ends after a reset", async () => {
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
