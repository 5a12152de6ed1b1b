import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { authorized, startServer } from "./server-sockets.ts";

/** The global fetch does not let anybody set `Host`. */
const statusWith = (url: string, headers: Record<string, string>, method = "GET") =>
  new Promise<number | undefined>((resolve, reject) => {
    const asking = httpRequest(url, { headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on("error", reject).end();
  });

describe("a browser app of another origin", () => {
  const origin = { origin: "http://localhost:5173" };

  it("may read every answer, failures too", async () => {
    const server = await startServer();
    for (const headers of [{ ...authorized, ...origin }, origin]) {
      const answer = await fetch(`${server.url}/v1/jobs`, { headers });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-expose-headers")).toBe("x-request-id, retry-after");
    }
  });

  it("is answered at its preflight, which does not reach the service", async () => {
    const server = await startServer();
    server.service.faults.play({ kind: "reset" });
    const answer = await fetch(`${server.url}/v1/brands/x`, {
      method: "OPTIONS",
      headers: {
        ...origin,
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization,X-Trace, bad name",
        "access-control-request-private-network": "true",
      },
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    const { headers } = answer;
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(headers.get("access-control-allow-headers")).toBe(
      "authorization, content-type, x-trace",
    );
    expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
    expect(headers.get("access-control-allow-private-network")).toBe("true");
    expect(server.service.journal.entries).toEqual([]);
    expect(server.service.faults.planned).toHaveLength(1);
  });

  it("hears of a private network only when it asks", async () => {
    const server = await startServer();
    const headers = { ...origin, "access-control-request-method": "GET" };
    const answer = await fetch(`${server.url}/v1/jobs`, { method: "OPTIONS", headers });
    expect(answer.headers.get("access-control-allow-private-network")).toBeNull();
  });

  it("has its own headers from a fault left as they are", async () => {
    const server = await startServer();
    const headers = { "Access-Control-Allow-Origin": "https://only.test" };
    server.service.faults.play({ kind: "status", status: 503, headers });
    const answer = await fetch(`${server.url}/v1/jobs`);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://only.test");
  });
});

describe("the admin", () => {
  it.each([
    "evil.test",
    "127.0.0.1.evil.test",
    "localhost.evil.test:80",
    "10.1.2.3",
    "a b",
    "[::2]",
  ])("refuses a Host of %s", async (host) => {
    const server = await startServer();
    const status = await statusWith(`${server.url}/__mock/help`, { host });
    expect([403, 400]).toContain(status);
  });

  it.each(["localhost", "LOCALHOST:4010", "127.0.0.1", "[::1]:80"])(
    "answers a Host of %s",
    async (host) => {
      const server = await startServer();
      expect(await statusWith(`${server.url}/__mock/help`, { host })).toBe(200);
    },
  );

  it("knows the host that the server was given, and addresses when it listens everywhere", async () => {
    const everywhere = await startServer({ host: "0.0.0.0" });
    expect(everywhere.url).toBe(`http://127.0.0.1:${everywhere.port}`);
    const ask = (host: string) => statusWith(`${everywhere.url}/__mock/help`, { host });
    expect([await ask("10.1.2.3:80"), await ask("evil.test")]).toEqual([200, 403]);
  });

  it("refuses the pages of other origins, and tells them nothing", async () => {
    const server = await startServer();
    const change = (origin: string) =>
      statusWith(`${server.url}/__mock/reset`, { origin, "content-type": "text/plain" }, "POST");
    await fetch(`${server.url}/v1/jobs`, { headers: authorized });
    expect(await change("https://evil.test")).toBe(403);
    expect(await change("null")).toBe(403);
    expect(await change("http://127.0.0.1:1")).toBe(403);
    expect(server.service.journal.entries).toHaveLength(1);
    const answer = await fetch(`${server.url}/__mock/help`);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("follows a link from another page, but not the form of one, which sends no Origin", async () => {
    const server = await startServer();
    const ask = (method: string, site: string) => {
      const headers = { "sec-fetch-site": site, "sec-fetch-mode": "navigate" };
      return statusWith(`${server.url}/__mock/${method === "GET" ? "" : "reset"}`, headers, method);
    };
    expect(await ask("GET", "cross-site")).toBe(200);
    await fetch(`${server.url}/v1/jobs`, { headers: authorized });
    expect(await ask("POST", "cross-site")).toBe(403);
    expect(await ask("POST", "same-site")).toBe(403);
    expect(server.service.journal.entries).toHaveLength(1);
    expect(await ask("POST", "same-origin")).toBe(200);
  });

  it("answers no preflight that would let another origin in", async () => {
    const server = await startServer();
    const headers = { origin: "https://evil.test", "access-control-request-method": "POST" };
    const answer = await fetch(`${server.url}/__mock/reset`, { method: "OPTIONS", headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});
