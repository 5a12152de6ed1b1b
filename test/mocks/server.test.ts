import { describe, expect, it } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server/index.ts";
import { runNode } from "../helpers/run-node.ts";
import { rawKey, rawRequest, startServer } from "./server-sockets.ts";

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

  it.each<[options: object, message: RegExp]>([
    [{ service: {} }, /service/],
    [{ service: createMockService(), seed: "x" }, /service or "seed", not both/],
    [{ sede: "x" }, /sede/],
  ])("refuses %o", async (options, message) => {
    const started = startMockServer(options as never);
    await expect(started).rejects.toThrow(TypeError);
    await expect(started).rejects.toThrow(message);
  });

  it("fails when the port is taken, and leaves the service as it was", async () => {
    const { port } = await startServer();
    const service = createMockService();
    await expect(startMockServer({ service, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(() => service.faults.play({ kind: "refuse" })).not.toThrow();
  });
});

it("unref lets the process end, kept connections or not", async () => {
  const script = new URL("./children/server-unref.ts", import.meta.url);
  const { code, lines, errors } = await runNode(script);
  expect({ code, lines, errors }).toEqual({ code: 0, lines: ["200", "200"], errors: "" });
});

describe("the Host header", () => {
  const page = (name: string) =>
    `GET /__mock/ HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`;
  const statusOf = (answer: string) => Number(answer.split(" ")[1]);

  it.each(["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:4471", "mock:4471", "Mock"])(
    "may be %s for the page, when mock is allowed",
    async (name) => {
      const { askRaw } = await startServer({ allowHosts: ["mock"] });
      expect(statusOf(await askRaw(page(name)))).toBe(200);
    },
  );

  it.each(["mock", "evil.test", "localhost.evil.test", "10.0.0.7"])(
    "may not be %j for the page and the commands, and may for the API, its files and its health",
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
  it("stops listening, twice is once, and `await using` does it", async () => {
    let url = "";
    {
      await using server = await startMockServer();
      ({ url } = server);
      await Promise.all([server.close(), server.close()]);
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  it("ends stalled answers and kept connections", async () => {
    const server = await startServer();
    const kept = await server.connectRaw("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await kept.until('"success":false');
    server.service.faults.play({ kind: "stall" });
    const stalled = await server.connectRaw(rawRequest("GET /v1/jobs", [rawKey]));
    await expect.poll(() => server.service.journal.entries).toHaveLength(2);
    await server.closeAtOnce();
    await Promise.all([kept.ended, stalled.ended]);
    expect(stalled.text()).toBe("");
  });
});
