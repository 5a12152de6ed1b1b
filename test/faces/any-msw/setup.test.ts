// With each MSW that the package accepts: see the project "msw2" in vitest.config.ts.
import { bypass, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createMockService } from "../../../mocks/index.ts";
import { createHandlers } from "../../../mocks/msw.ts";
import { mockFixtures, setupMockServer } from "../../../mocks/node.ts";
import { listen as listenOn } from "../../helpers/http-server.ts";
import { createAsk, globalFetch, read } from "../../mocks/ask.ts";

const ask = createAsk(globalFetch);

describe("setupMockServer", () => {
  const mock = setupMockServer({ hooks: { beforeAll, afterEach, afterAll } });
  mock.allowNetwork();
  const { service, server, reset } = mock;

  test("answers, charges, and begins anew after each test", async () => {
    const { status, data } = await ask("POST", "/v1/jobs", { action: "generate-ad" });
    expect(status).toBe(202);
    expect(service.account("test-key").charges).toMatchObject([{ jobId: data.job_id, amount: 1 }]);
    server.use(http.get("*/v1/jobs", () => HttpResponse.json({ data: "mine" }, { status: 503 })));
    service.faults.play({ kind: "status", status: 500 }, { times: 9 });
    expect(await ask("GET", "/v1/jobs")).toMatchObject({ status: 503, data: "mine" });
    reset();
    expect(service.account("test-key").charges).toEqual([]);
    expect((await ask("GET", "/v1/jobs")).data).toEqual({ jobs: [] });
  });

  test("fails a test that calls an unknown path of the API, and lists the call without secrets", async () => {
    const headers = { authorization: "Bearer test-key", "x-secret": "header-secret" };
    for (const count of [1, 2]) {
      const pending = fetch(`https://ads.test/v1/job?key=query-secret${count}`, { headers });
      const error = await pending.catch((reason) => reason.cause ?? reason);
      expect(error.message).toBe(
        "The mock refused GET https://ads.test/v1/job: nothing handles it",
      );
    }
    const body = "body-secret";
    await fetch("https://ads.test/v1/jobs", { method: "PUT", headers, body }).catch(() => {});
    // A handler that sees a request and does not answer it changes nothing.
    server.use(http.get("*/v1/anything", () => {}));
    await expect(fetch("https://ads.test/v1/anything")).rejects.toThrow();
    expect(reset).toThrow(
      new Error(
        [
          "Nothing handles these requests, so the mock refused them:",
          "  GET https://ads.test/v1/job (2 times)",
          "  PUT https://ads.test/v1/jobs",
          "  GET https://ads.test/v1/anything",
          "To the service: look at the method and the path, or handle it yourself.",
        ].join("\n"),
      ),
    );
    expect(reset).not.toThrow();
  });

  test("lets a request of MSW's bypass() through", async () => {
    const other = await listenOn((response) => response.end('{"data":"real"}'));
    expect((await read(await fetch(bypass(`${other.url}/v1/jobs`)))).data).toBe("real");
  });

  test.each(["reset", "refuse", "cut-body"] as const)("plays a fault: %s", async (kind) => {
    service.faults.play({ kind });
    await expect(ask("GET", "/v1/jobs")).rejects.toThrow();
    expect((await ask("GET", "/v1/jobs")).status).toBe(200);
  });

  test("ends a stalled request between tests", async () => {
    service.faults.play({ kind: "stall" });
    const stalled = ask("GET", "/v1/jobs");
    stalled.catch(() => {});
    while (service.journal.entries.length === 0) await new Promise(setImmediate);
    reset();
    await expect(stalled).rejects.toThrow();
  });
});

test("the handlers alone answer through a server of MSW's own", async () => {
  const service = createMockService();
  const server = setupServer(...createHandlers(service));
  server.listen();
  expect((await ask("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(202);
  server.close();
  expect(service.jobs.all).toHaveLength(1);
});

describe("the options of setupMockServer", () => {
  const stop: (() => void)[] = [];
  afterEach(() => {
    for (const close of stop.splice(0)) close();
    vi.unstubAllGlobals();
  });
  const make = (...[options]: Parameters<typeof setupMockServer>) => {
    const mock = setupMockServer(options);
    stop.push(mock.allowNetwork, mock.close);
    return mock;
  };

  test("take a service that is there already", async () => {
    const service = createMockService({ accounts: { "my-key": {} } });
    const mock = make({ service });
    expect(mock.service).toBe(service);
    await mock.listen();
    expect((await createAsk(globalFetch, "my-key")("GET", "/v1/jobs")).status).toBe(200);
  });

  test("take a base URL, whose whole origin is the service's, for WebSockets, too", async () => {
    const baseUrl = "https://ads.test/api";
    const { reset, listen } = make({ baseUrl, onUnhandled: "bypass" });
    await listen();
    expect((await createAsk(globalFetch, "test-key", baseUrl)("GET", "/v1/jobs")).status).toBe(200);
    for (const path of ["/v1/jobs", "/health"]) {
      await expect(fetch(`https://ads.test${path}`)).rejects.toThrow();
    }
    const socket = new WebSocket("wss://ads.test/v1/events");
    await new Promise((resolve) => socket.addEventListener("error", resolve));
    expect(reset).toThrow(
      "GET https://ads.test/v1/jobs\n  GET https://ads.test/health\n" +
        "  ws wss://ads.test/v1/events\nTo the",
    );
  });

  test.each([
    ["bypass", 0],
    ["warn", 1],
  ] as const)("let requests to others through: %s", async (onUnhandled, warnings) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { reset, listen } = make({ onUnhandled });
    await listen();
    const other = await listenOn((response) => response.end('{"data":"real"}'));
    expect((await read(await fetch(`${other.url}/real?key=secret`))).data).toBe("real");
    expect(warn.mock.calls).toEqual(
      Array(warnings).fill([`The mock lets GET ${other.url}/real through`]),
    );
    await expect(fetch("https://ads.test/v1/nope")).rejects.toThrow();
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
    make({ hooks });
    expect(registered.splice(0)).toEqual(all);
    for (const [name, hook] of Object.entries(hooks)) vi.stubGlobal(name, hook);
    make();
    expect(registered.splice(0)).toEqual(all);
    make({ hooks: false });
    expect(registered).toEqual([]);
  });

  test("are refused when they make no sense", () => {
    const service = createMockService();
    for (const [options, message] of [
      [
        { onUnhandled: "ignore" },
        'The mock\'s onUnhandled must be one of error, warn, bypass; it is "ignore"',
      ],
      [{ baseUrl: "ads.test" }, "baseUrl"],
      [
        { hook: false },
        'The mock\'s options have no field "hook"; they have service, onUnhandled, hooks, accounts, ',
      ],
      [
        { service, seed: 1 },
        'The mock\'s options must be a service or "seed", not both: the service has its own options',
      ],
    ] as const) {
      expect(() => setupMockServer(options as object)).toThrow(message);
    }
    for (const [options, message] of [
      [
        { onUnhandeld: "warn" },
        'have no field "onUnhandeld"; they have account, apiKey, createClient, onUnhandled, baseUrl, ',
      ],
      [
        { accounts: { "my-key": {} } },
        "The mock's fixtures take no accounts: each test has an account of its own.",
      ],
    ] as const) {
      expect(() => mockFixtures(options as object)).toThrow(message);
    }
  });
});
