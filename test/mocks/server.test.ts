import { describe, expect, it, vi } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { type MockServerOptions, startMockServer } from "../../mocks/server.ts";
import { runNode } from "../helpers/run-node.ts";
import { failure } from "./ask.ts";
import { authorized, rawRequest, startServer } from "./server-sockets.ts";

const globals = () => [globalThis.Request, globalThis.Response, globalThis.Headers];

describe("startMockServer", () => {
  it("listens on loopback, on a free port, says where, and leaves the globals alone", async () => {
    const before = globals();
    const { url, port, ask } = await startServer();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const { text } = await ask("GET", "/v1/jobs");
    expect(text).toBe('{"success":true,"data":{"jobs":[]},"error":null}');
    expect(globals()).toEqual(before);
  });

  it("serves a service that is there already, and mounts the admin below /__mock", async () => {
    const service = createMockService();
    const server = await startServer({ service });
    expect(server.service).toBe(service);
    await server.ask("POST", "/v1/jobs", { action: "generate-ad" });
    expect(service.account("test-key").charges).toHaveLength(1);
    for (const path of ["/__mock/help", "/__mock/"]) {
      expect((await fetch(server.url + path)).status, path).toBe(200);
    }
    const notBelow = await fetch(`${server.url}/__mocks`, { headers: authorized });
    expect(notBelow.headers.get("x-request-id")).toMatch(/^req_/);
  });

  const publicUrls = [1, "", "ads.test", "ftp://ads.test", "https://me@a.test", "https://a.test?x"];

  it.each<[options: object, message: RegExp]>([
    ...[-1, 65_536, 1.5, "80"].map((port): [object, RegExp] => [{ port }, /port/]),
    ...publicUrls.map((publicUrl): [object, RegExp] => [{ publicUrl }, /publicUrl/]),
    [{ host: "" }, /host/],
    [{ log: "yes" }, /log/],
    [{ stateFile: "" }, /stateFile/],
    [{ baseUrl: "https://ads.test" }, /baseUrl.*ads\.test/],
    [{ service: {} }, /service/],
    [{ service: createMockService(), seed: "x" }, /service or "seed", not both/],
    [{ sede: "x" }, /sede/],
  ])("refuses %o", async (options, message) => {
    const started = startMockServer(options as never);
    await expect(started).rejects.toThrow(TypeError);
    await expect(started).rejects.toThrow(message);
  });

  it.each([new TypeError("Cannot read x"), new Error("bug"), "a text"])(
    "answers a mistake of the mock itself below /__mock with 500, and tells it: %s",
    async (mistake) => {
      const told: string[] = [];
      const { service, url } = await startServer({ warn: (line) => told.push(line) });
      vi.spyOn(service.faults, "clear").mockImplementation(() => {
        throw mistake;
      });
      const answered = await fetch(`${url}/__mock/faults.clear`, { method: "POST" });
      expect([answered.status, await answered.text()]).toEqual([500, failure("The mock failed")]);
      expect(told).toEqual([
        `The mock failed: ${mistake instanceof Error ? mistake.message : mistake}`,
      ]);
    },
  );

  it("fails when the port is taken, and leaves the service as it was", async () => {
    const { port } = await startServer();
    const service = createMockService();
    await expect(startMockServer({ service, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(() => service.faults.play({ kind: "refuse" })).not.toThrow();
  });
});

describe("a log", () => {
  const startLogged = async (options: MockServerOptions = {}) => {
    const lines: string[] = [];
    const server = await startServer({ ...options, log: (line) => lines.push(line) });
    return { ...server, lines };
  };
  const accounts = { "test-secret-1": {}, "test-secret-2": {} };

  it("has a line for each exchange, without a key or a control character in it, and no long one", async () => {
    const { url, lines, askRaw } = await startLogged({ accounts });
    const ask = (path: string, key = "test-secret-1") =>
      fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    await ask("/v1/jobs?limit=5&api_key=test-secret-2&x=test-secret-3");
    await ask("/v1/jobs/test-secret-2");
    await ask("/v1/jobs/%74est-secret-2");
    await ask("/v1/jobs/sk-real?sk-real");
    await ask("/v1/jobs/sk-real", "sk-real");
    await askRaw(rawRequest(`GET /v1/%1b[31m%0aFAKE${"x".repeat(500)}`));
    await fetch(`${url}/__mock/accounts/test-secret-1/reset`, { method: "POST" });
    await fetch(`${url}/__mock/faults.clear?account=test-secret-2`, { method: "POST" });
    await expect.poll(() => lines).toHaveLength(8);
    const targets = lines.slice(6).map((line) => /\/__mock\S*/.exec(line)?.[0]);
    expect(targets[0]).toMatch(/^\/__mock\/accounts\/test-…\w{4}\/reset$/);
    expect(targets[1]).toBe("/__mock/faults.clear?account=…");
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d {2}GET {5}\/v1\/jobs\?limit=5&api_key=…&x=… {2}200 {2}/,
    );
    expect(lines.join("\n")).not.toMatch(/secret-[123]/);
    expect(lines[4]).not.toContain("sk-real");
    expect(lines[5]).toMatch(/^[ -~…]{1,200}$/);
  });

  it("says why a request was a 401, and which fault was played, and how late it was", async () => {
    const { url, ask, service, lines } = await startLogged();
    await fetch(`${url}/v1/jobs`, { headers: { authorization: "Bearer test-nobody" } });
    await fetch(`${url}/v1/jobs`);
    service.faults.play({ kind: "html" });
    service.faults.play({ kind: "reset" });
    service.faults.play({ kind: "latency", ms: 5 });
    for (let request = 0; request < 2; request += 1) await ask("GET", "/v1/jobs").catch(() => {});
    await expect.poll(() => lines).toHaveLength(4);
    expect(lines[0]).toMatch(/ 401 .* {2}no account has this key: see \/__mock\/$/);
    expect(lines[1]).toMatch(/ 401 .* {2}no API key$/);
    expect(lines[2]).toMatch(/ 502 .*fault: html {2}late by 5 ms$/);
    expect(lines[3]).toMatch(/ --- .*fault: reset$/);
  });
});

it("unref lets the process end, kept connections or not", async () => {
  const script = new URL("./children/server-unref.ts", import.meta.url);
  const { code, lines, errors } = await runNode(script);
  expect({ code, lines, errors }).toEqual({ code: 0, lines: ["200", "200"], errors: "" });
});

describe("close", () => {
  it("stops listening, twice is once, and `await using` does it", async () => {
    let url = "";
    {
      await using server = await startMockServer();
      ({ url } = server);
      await Promise.all([server.close(), server.close()]);
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  it("lets a running answer finish, at once, and a dripping one", async () => {
    const { url, service, close } = await startServer();
    service.faults.play({ kind: "drip-body", everyMs: 60_000 });
    const dripping = await fetch(`${url}/v1/jobs`, { headers: authorized });
    service.faults.play({ kind: "latency", ms: 60_000 });
    const late = fetch(`${url}/v1/jobs`, { headers: authorized });
    await expect.poll(() => service.journal.entries).toHaveLength(2);
    await close();
    expect((await late).status).toBe(200);
    expect(await dripping.json()).toMatchObject({ success: true });
  });

  it("ends stalled answers and kept connections", async () => {
    const server = await startServer();
    const kept = await server.connectRaw("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await kept.until('"success":false');
    server.service.faults.play({ kind: "stall" });
    const stalled = await server.connectRaw(rawRequest("GET /v1/jobs"));
    await expect.poll(() => server.service.journal.entries).toHaveLength(2);
    await server.closeAtOnce();
    await Promise.all([kept.ended, stalled.ended]);
    expect(stalled.text()).toBe("");
  });

  it("waits a second for requests that are not complete, no longer", async () => {
    const server = await startServer();
    const half = await server.connectRaw("POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n");
    const startedAt = performance.now();
    await server.close();
    await half.ended;
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(server.service.journal.entries).toEqual([]);
  });
});
