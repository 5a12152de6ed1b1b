import { bypass, HttpResponse, http as handle } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { mockFixtures, setupMockServer } from "../../mocks/node.ts";
import { listen } from "../helpers/http-server.ts";
import { createAsk, globalFetch, read } from "../mocks/ask.ts";

const ask = createAsk(globalFetch);

const causeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "an answer",
    (error: Error) => (error.cause as Error).message,
  );

describe("setupMockServer", () => {
  const { service, server, listen: start, reset, close, allowNetwork } = setupMockServer();
  beforeAll(start);
  afterEach(reset);
  afterAll(() => {
    allowNetwork();
    close();
  });

  test("begins anew after each test", async () => {
    expect(service.account("test-key").charges).toEqual([]);
    server.use(handle.get("*/v1/jobs", () => HttpResponse.json(null, { status: 503 })));
    service.faults.play({ kind: "status", status: 500 }, { times: 9 });
    expect((await fetch("https://ads.test/v1/jobs")).status).toBe(503);
    reset();
    expect((await ask("GET", "/v1/jobs")).data).toEqual({ jobs: [] });
  });

  test("fails a test that calls an unknown path of the API, and lists the call without secrets", async () => {
    const headers = { authorization: "Bearer test-key", "x-secret": "header-secret" };
    for (const count of [1, 2]) {
      const pending = fetch(`https://ads.test/v1/job?key=query-secret${count}`, { headers });
      expect(await causeOf(pending)).toBe(
        "The mock refused GET https://ads.test/v1/job: nothing handles it",
      );
    }
    const body = "body-secret";
    await causeOf(fetch("https://ads.test/v1/jobs", { method: "PUT", headers, body }));
    expect(reset).toThrow(
      new Error(
        [
          "Nothing handles these requests, so the mock refused them:",
          "  GET https://ads.test/v1/job (2 times)",
          "  PUT https://ads.test/v1/jobs",
          "To the service: look at the method and the path, or handle it yourself.",
        ].join("\n"),
      ),
    );
    expect(reset).not.toThrow();
  });

  test("refuses a request that a handler sees and does not answer", async () => {
    server.use(handle.get("*/v1/anything", () => {}));
    expect(await causeOf(fetch("https://ads.test/v1/anything"))).toMatch("refused GET");
    expect(reset).toThrow("GET https://ads.test/v1/anything");
  });

  test("lets a request of MSW's bypass() through", async () => {
    const other = await listen((response) => response.end('{"data":"real"}'));
    expect((await read(await fetch(bypass(`${other.url}/v1/jobs`)))).data).toBe("real");
  });
});

describe("the options of setupMockServer", () => {
  const stop: (() => void)[] = [];
  afterEach(() => {
    for (const close of stop.splice(0)) close();
    vi.unstubAllGlobals();
  });
  const begin = async (...[options]: Parameters<typeof setupMockServer>) => {
    const mock = setupMockServer(options);
    await mock.listen();
    stop.push(mock.allowNetwork, mock.close);
    return mock;
  };

  test("take a service that is there already", async () => {
    const service = createMockService({ accounts: { "my-key": {} } });
    expect((await begin({ service })).service).toBe(service);
    expect((await createAsk(globalFetch, "my-key")("GET", "/v1/jobs")).status).toBe(200);
  });

  test("take a base URL, whose whole origin is the service's", async () => {
    const { reset } = await begin({ baseUrl: "https://ads.test/api", onUnhandled: "bypass" });
    expect((await ask("GET", "/api/v1/jobs")).status).toBe(200);
    for (const path of ["/v1/jobs", "/health"]) {
      await expect(fetch(`https://ads.test${path}`)).rejects.toThrow(TypeError);
    }
    expect(reset).toThrow("GET https://ads.test/v1/jobs\n  GET https://ads.test/health\nTo the");
  });

  test.each([
    ["bypass", 0],
    ["warn", 1],
  ] as const)("let requests to others through: %s", async (onUnhandled, warnings) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { reset } = await begin({ onUnhandled });
    const other = await listen((response) => response.end('{"data":"real"}'));
    expect((await read(await fetch(`${other.url}/real?key=secret`))).data).toBe("real");
    expect(warn.mock.calls).toHaveLength(warnings);
    if (warnings) expect(warn).toHaveBeenCalledWith(`The mock lets GET ${other.url}/real through`);
    await expect(fetch("https://ads.test/v1/nope")).rejects.toThrow(TypeError);
    expect(reset).toThrow("GET https://ads.test/v1/nope");
    warn.mockRestore();
  });

  test("take the runner's hooks, or find them", () => {
    const registered: string[] = [];
    const hooks = {
      beforeAll: (run: () => void) => registered.push(`beforeAll ${run.length}`),
      afterEach: (run: () => void) => registered.push(`afterEach ${run.length}`),
      afterAll: (run: () => void) => registered.push(`afterAll ${run.length}`),
    };
    const all = ["beforeAll 0", "afterEach 0", "afterAll 0"];
    const given = setupMockServer({ hooks });
    stop.push(given.allowNetwork, given.close);
    expect(registered.splice(0)).toEqual(all);
    for (const [name, hook] of Object.entries(hooks)) vi.stubGlobal(name, hook);
    const found = setupMockServer();
    stop.push(found.allowNetwork, found.close);
    expect(registered.splice(0)).toEqual(all);
    const idle = setupMockServer({ hooks: false });
    idle.allowNetwork();
    idle.close();
    expect(registered).toEqual([]);
  });

  test("are refused when they make no sense", () => {
    expect(() => setupMockServer({ onUnhandled: "ignore" as "warn" })).toThrow(
      'The mock\'s onUnhandled must be one of error, warn, bypass; it is "ignore"',
    );
    expect(() => setupMockServer({ baseUrl: "ads.test" })).toThrow("baseUrl");
    expect(() => setupMockServer({ hook: false } as object)).toThrow(
      'The mock\'s options have no field "hook"; they have service, onUnhandled, hooks, accounts, ',
    );
    expect(() => mockFixtures({ onUnhandeld: "warn" } as object)).toThrow(
      'have no field "onUnhandeld"; they have account, apiKey, createClient, onUnhandled, baseUrl, ',
    );
    const both = { service: createMockService(), seed: 1 } as object;
    expect(() => setupMockServer(both)).toThrow(
      'The mock\'s options must be a service or "seed", not both: the service has its own options',
    );
  });
});

test("another MSW server that is closed does not end the interception unnoticed", async () => {
  const { url } = await listen((response) => response.end("the network"));
  const mock = setupMockServer({ baseUrl: url, hooks: false });
  await mock.listen();
  const other = setupServer();
  other.listen();
  other.close();
  expect(mock.reset).toThrow("Another MSW server was closed");
  expect((await createAsk(globalFetch, "test-key", url)("GET", "/v1/jobs")).data).toEqual({
    jobs: [],
  });
  expect(mock.reset).not.toThrow();
  mock.allowNetwork();
  mock.close();
});

test("a former fetch that a stub puts back is reported, and the interception repaired", async () => {
  const former = fetch;
  const mock = setupMockServer({ baseUrl: "https://ads.test", hooks: false });
  await mock.listen();
  vi.stubGlobal("fetch", former);
  expect(mock.reset).toThrow(
    "Another MSW server was closed, or other code has put the former fetch back, as vi.stubGlobal " +
      "can. That has ended the mock's interception: requests may have reached the network. Use " +
      "one MSW server, add your handlers to it, and put back no fetch while the mock listens.",
  );
  expect((await fetch("https://ads.test/v1/jobs")).status).toBe(401);
  mock.close();
  const late = await fetch("https://ads.test/v1/jobs").catch((reason) => reason);
  expect(late.cause.code).toBe("ERR_MOCK_CLOSED");
  mock.allowNetwork();
  vi.unstubAllGlobals();
  globalThis.fetch = former;
});

test("a WebSocket to the service's own server is refused, even if others are allowed", async () => {
  const mock = setupMockServer({
    baseUrl: "http://127.0.0.1:9",
    onUnhandled: "bypass",
    hooks: false,
  });
  await mock.listen();
  const socket = new WebSocket("ws://127.0.0.1:9/v1/events");
  await new Promise((resolve) => socket.addEventListener("error", resolve));
  mock.allowNetwork();
  expect(mock.close).toThrow("ws://127.0.0.1:9/v1/events");
});
