import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { askRaw, authorized, rawRequest, startServer } from "./server-sockets.ts";

const site = { origin: "http://localhost:5173" };
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("a browser app of another origin", () => {
  it("may read every answer, failures too", async () => {
    const { url } = await startServer();
    for (const headers of [{ ...authorized, ...site }, site]) {
      const answer = await fetch(`${url}/v1/jobs`, { headers });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-expose-headers")).toBe("x-request-id, retry-after");
    }
  });

  it("is answered at its preflight, which does not reach the service", async () => {
    const { url, service } = await startServer();
    service.faults.play({ kind: "reset" });
    const ask = (more: Record<string, string>) =>
      fetch(`${url}/v1/brands/x`, {
        method: "OPTIONS",
        headers: { ...site, "access-control-request-method": "PATCH", ...more },
      });
    const answer = await ask({
      "access-control-request-headers": "authorization,X-Trace, bad name",
      "access-control-request-private-network": "true",
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "authorization, content-type, x-trace",
      "access-control-max-age": "600",
      "access-control-allow-private-network": "true",
    });
    expect((await ask({})).headers.get("access-control-allow-private-network")).toBeNull();
    expect(service.journal.entries).toEqual([]);
    expect(service.faults.planned).toHaveLength(1);
  });

  it("has its own headers from a fault left as they are", async () => {
    const { url, service } = await startServer();
    const headers = { "Access-Control-Allow-Origin": "https://only.test" };
    service.faults.play({ kind: "status", status: 503, headers });
    const answer = await fetch(`${url}/v1/jobs`);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://only.test");
  });
});

describe("the admin", () => {
  /** Asks by node:http; the global fetch does not let anybody set `Host`. Gives the status. */
  const statusWith = (url: string, headers: Record<string, string>, method = "GET") =>
    new Promise<number | undefined>((resolve, reject) => {
      const asking = httpRequest(url, { headers, method }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asking.on("error", reject).end();
    });

  it("answers to the names of loopback, and of the host that it was given", async () => {
    const { url } = await startServer();
    const everywhere = await startServer({ host: "0.0.0.0" });
    expect(everywhere.url).toBe(`http://127.0.0.1:${everywhere.port}`);
    const expectAll = async (url: string, status: number, hosts: readonly string[]) => {
      for (const host of hosts) {
        expect(await statusWith(`${url}/__mock/help`, { host }), host).toBe(status);
      }
    };
    await expectAll(url, 200, ["localhost", "LOCALHOST:4010", "127.0.0.1", "[::1]:80"]);
    await expectAll(url, 403, ["evil.test", "127.0.0.1.evil.test", "localhost.evil.test:80"]);
    await expectAll(url, 403, ["10.1.2.3", "[::2]"]);
    await expectAll(url, 400, ["a b"]);
    await expectAll(everywhere.url, 200, ["10.1.2.3:80"]);
    await expectAll(everywhere.url, 403, ["evil.test"]);
  });

  it("refuses the pages of other origins, and tells them nothing", async () => {
    const { url, service, ask } = await startServer();
    await ask("GET", "/v1/jobs");
    const reset = (headers: Record<string, string>) =>
      statusWith(`${url}/__mock/reset`, { "content-type": "text/plain", ...headers }, "POST");
    for (const origin of ["https://evil.test", "null", "http://127.0.0.1:1"]) {
      expect(await reset({ origin })).toBe(403);
    }
    // The form of another page sends no Origin; a link there may lead to the mock's page.
    const from = (name: string) => ({ "sec-fetch-site": name, "sec-fetch-mode": "navigate" });
    expect(await reset(from("cross-site"))).toBe(403);
    expect(await reset(from("same-site"))).toBe(403);
    expect(await statusWith(`${url}/__mock/`, from("cross-site"))).toBe(200);
    const headers = { origin: "https://evil.test", "access-control-request-method": "POST" };
    const preflight = await fetch(`${url}/__mock/reset`, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(403);
    for (const answer of [preflight, await fetch(`${url}/__mock/help`)]) {
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(service.journal.entries).toHaveLength(1);
    expect(await reset(from("same-origin"))).toBe(200);
    expect(service.journal.entries).toEqual([]);
  });
});

describe("a browser that a person uses", () => {
  it("is led from / to the page, and gets no icon; the journal keeps neither", async () => {
    const { url, port, service } = await startServer();
    const answer = await fetch(url, { headers: html, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/__mock/"]);
    expect(await (await fetch(url, { headers: html })).text()).toContain("<!doctype html>");
    const icon = await fetch(`${url}/favicon.ico`);
    expect([icon.status, icon.headers.get("cache-control")]).toEqual([204, "max-age=86400"]);
    expect(await askRaw(port, rawRequest("HEAD /favicon.ico"))).toMatch(/^HTTP\/1\.1 204 /);
    expect(service.journal.entries).toEqual([]);
  });

  it.each([
    ["a client that takes any type", "GET", "/", { accept: "*/*" }],
    ["a client with a key", "GET", "/", { ...html, ...authorized }],
    ["a form", "POST", "/", html],
    ["another path", "GET", "/v1", html],
    ["an icon that is posted", "POST", "/favicon.ico", html],
  ])("is not what the service takes for one: %s", async (_, method, path, headers) => {
    const { url, service } = await startServer();
    const answer = await fetch(url + path, { method, headers, redirect: "manual" });
    expect([401, 404]).toContain(answer.status);
    expect(service.journal.entries).toHaveLength(1);
  });
});
