import { Agent, get } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { authorized, closeAtOnce, connectRaw, startServer } from "./server-sockets.ts";

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
  });

describe("connections", () => {
  it("lets the global fetch ask again and again while timers are faked", async () => {
    const server = await startServer();
    vi.useFakeTimers();
    for (let round = 0; round < 5; round += 1) {
      const body = '{"action":"copy-ad","prompt":"x"}';
      const init = { method: "POST", headers: authorized, body };
      expect((await (await fetch(`${server.url}/v1/jobs`, init)).json()).success).toBe(true);
      const list = await fetch(`${server.url}/v1/jobs`, { headers: authorized });
      expect((await list.json()).data.jobs).toHaveLength(round + 1);
      expect((await fetch(`${server.url}/__mock/help`)).status).toBe(200);
      expect((await fetch(`${server.url}/v1/jobs`, { method: "HEAD" })).status).toBe(401);
    }
    // No connection was kept to be used again: undici's look after those is faked.
    vi.useRealTimers();
    await closeAtOnce(server);
  });

  it("lets it ask after real requests, too", async () => {
    const server = await startServer();
    await (await fetch(`${server.url}/v1/jobs`)).text();
    vi.useFakeTimers();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => fetch(`${server.url}/v1/jobs`, { headers: authorized })),
    );
    for (const answer of answers) expect((await answer.json()).success).toBe(true);
  });

  it("is driven by fake timers where an answer is late", async () => {
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
    const ask = "GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n";
    const kept = await connectRaw(server.port, `${ask}\r\n`);
    const answer = await kept.until("\r\n\r\n");
    expect(answer).toMatch(/connection: keep-alive\r\n[\s\S]*keep-alive: timeout=2\r\n/i);
    kept.socket.write(`${ask}Connection: close\r\n\r\n`);
    await kept.ended;
    expect(kept.text().match(/HTTP\/1.1 401/g)).toHaveLength(2);
    expect(kept.text().match(/connection: close/gi)).toHaveLength(1);
  });
});
