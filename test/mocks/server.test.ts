import { describe, expect, it } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server/index.ts";
import { runNode } from "../helpers/run-node.ts";
import { rawKey, rawRequest, startServer } from "./set-up.ts";

const globals = () => [globalThis.Request, globalThis.Response, globalThis.Headers];

describe("startMockServer", () => {
  it("startMockServer listens on a free loopback port, and leaves the globals alone", async () => {
    const before = globals();
    const { url, port, ask } = await startServer();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const { text } = await ask("GET", "/v1/jobs");
    expect(text).toBe('{"success":true,"data":{"jobs":[]},"error":null}');
    expect(globals()).toEqual(before);
  });

  it.each<[options: object, message: RegExp]>([
    [{ service: {} }, /service/],
    [{ service: createMockService(), seed: "x" }, /service or "seed", not both/],
    [{ sede: "x" }, /sede/],
  ])("startMockServer refuses %o", async (options, message) => {
    const started = startMockServer(options as never);
    await expect(started).rejects.toThrow(TypeError);
    await expect(started).rejects.toThrow(message);
  });
});

it("unref lets the process end, even with open connections", async () => {
  const script = new URL("./children/server-unref.ts", import.meta.url);
  const { code, lines, errors } = await runNode(script);
  expect({ code, lines, errors }).toEqual({ code: 0, lines: ["200", "200"], errors: "" });
});

describe("the Host header", () => {
  const page = (name: string) =>
    `GET /__mock/ HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`;
  const statusOf = (answer: string) => Number(answer.split(" ")[1]);

  it.each(["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:4471", "mock:4471", "Mock"])(
    "the page answers by the name %s, if the option allows mock",
    async (name) => {
      const { askRaw } = await startServer({ allowHosts: ["mock"] });
      expect(statusOf(await askRaw(page(name)))).toBe(200);
    },
  );

  it.each(["mock", "evil.test", "localhost.evil.test", "10.0.0.7"])(
    "the page refuses the name %j, by which the API, its files and its health answer",
    async (name) => {
      const { askRaw } = await startServer();
      const get = (path: string) => askRaw(page(name).replace("/__mock/", path));
      const refused = await get("/__mock/");
      expect(statusOf(refused)).toBe(403);
      expect(refused).toContain(`adgen-mock --allow-host ${name}`);
      expect(statusOf(await get("/__mock/health"))).toBe(200);
      expect(statusOf(await get("/v1/jobs"))).toBe(401);
      expect(statusOf(await get("/__mock/artwork/job_x/1.svg"))).toBe(404);
    },
  );
});

describe("close", () => {
  it("close and `await using` stop the server, and a second close does nothing", async () => {
    let url = "";
    {
      await using server = await startMockServer();
      ({ url } = server);
      await Promise.all([server.close(), server.close()]);
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  it("close ends stalled answers and open connections", async () => {
    const server = await startServer();
    const kept = await server.connectRaw("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await kept.until('"success":false');
    server.service.faults.play({ kind: "stall" });
    const stalled = await server.connectRaw(rawRequest("GET /v1/jobs", [rawKey]));
    await expect.poll(() => server.service.journal.entries).toHaveLength(2);
    await server.close();
    await Promise.all([kept.ended, stalled.ended]);
    expect(stalled.text()).toBe("");
  });
});

const site = { origin: "http://localhost:5173" };
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("a browser app of another origin", () => {
  it("the server answers a preflight by itself, so that it meets no fault and isn't in the journal", async () => {
    const { url, service } = await startServer();
    service.faults.play({ kind: "reset" });
    const ask = (more: Record<string, string>) =>
      fetch(`${url}/v1/brands/x`, {
        method: "OPTIONS",
        headers: { ...site, "access-control-request-method": "PATCH", ...more },
      });
    const answer = await ask({
      "access-control-request-headers": "authorization,X-Trace",
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": site.origin,
      "access-control-allow-credentials": "true",
      vary: "origin, access-control-request-headers",
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "authorization, content-type, x-trace",
      "access-control-max-age": "600",
    });
    expect(service.journal.entries).toEqual([]);
    expect(service.faults.scheduled).toHaveLength(1);
  });
});

describe("a browser that a person uses", () => {
  it("a browser at / is redirected to the page, which isn't in the journal", async () => {
    const { url, service } = await startServer();
    const answer = await fetch(url, { headers: html, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/__mock/"]);
    expect(await (await fetch(url, { headers: html })).text()).toContain("<!doctype html>");
    expect(service.journal.entries).toEqual([]);
  });

  it.each([
    ["a client that takes any type", "GET", "/", { accept: "*/*" }],
    ["a form", "POST", "/", html],
    ["another path", "GET", "/v1", html],
  ])("only a browser at / is redirected, not %s", async (_, method, path, headers) => {
    const { url, service } = await startServer();
    const answer = await fetch(url + path, { method, headers, redirect: "manual" });
    expect([401, 404]).toContain(answer.status);
    expect(service.journal.entries).toHaveLength(1);
  });
});
