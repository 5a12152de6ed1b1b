// With each MSW that the package accepts: see the project "msw2" in vitest.config.ts.
import * as nodeHttp from "node:http";
import * as nodeHttps from "node:https";
import { createClient } from "adgen-sdk";
import { bypass, HttpResponse, http } from "msw";
import { describe, expect, test, vi } from "vitest";
import { createMockService } from "../../../mocks/index.ts";
import { setupMockServer } from "../../../mocks/node/index.ts";
import { listen as listenOn } from "../../helpers/http-server.ts";
import { createAsk, globalFetch } from "../../mocks/ask.ts";
import { askBy, submitTo, useRealService, ways } from "./real-service.ts";

const real = useRealService();
const { setup, start } = real;
const ask = createAsk(globalFetch);

describe("a mock that listens", () => {
  test("setupMockServer takes an existing service, charges, and starts anew after each test", async () => {
    const service = createMockService({ accounts: { "test-key": {} } });
    const mock = await start({ service });
    expect(mock.service).toBe(service);
    const { status, data } = await ask("POST", "/v1/jobs", { action: "generate-ad" });
    expect(status).toBe(202);
    expect(service.account("test-key").charges).toMatchObject([{ jobId: data.job_id, amount: 1 }]);
    mock.server.use(
      http.get("*/v1/jobs", () => HttpResponse.json({ data: "mine" }, { status: 503 })),
    );
    service.faults.play({ kind: "status", status: 500 }, { times: 9 });
    expect(await ask("GET", "/v1/jobs")).toMatchObject({ status: 503, data: "mine" });
    mock.reset();
    expect(service.account("test-key").charges).toEqual([]);
    expect((await ask("GET", "/v1/jobs")).data).toEqual({ jobs: [] });
  });

  test("setupMockServer asks the caller's handlers first, also after a reset, and refuses anything but a list", async () => {
    const mine = (data: string) => http.get("*/v1/brands", () => HttpResponse.json({ data }));
    const shop = http.get("https://shop.test/cart", () => HttpResponse.json({ data: "cart" }));
    const mock = await start({ handlers: [mine("mine"), shop] });
    mock.server.use(mine("for one test"));
    expect((await ask("GET", "/v1/brands")).data).toBe("for one test");
    mock.reset();
    expect((await ask("GET", "/v1/brands")).data).toBe("mine");
    expect((await ask("GET", "/v1/jobs")).data).toEqual({ jobs: [] });
    expect(await (await fetch("https://shop.test/cart")).json()).toEqual({ data: "cart" });
    for (const wrong of [shop, [1], [null], [() => {}]]) {
      expect(() => setup({ handlers: wrong as never })).toThrow(
        "handlers must be a list of MSW's handlers",
      );
    }
  });

  test("setupMockServer fails a test that calls an unknown path of the API, and lists the call without secrets", async () => {
    const { server, reset } = await start({});
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
          "Requests to the service: check their method and path, or handle them. Without a " +
            "baseUrl, /v1/jobs, /v1/brands, /v1/saved-ads of every origin count as the service.",
          "Requests to other hosts: give handlers for them to the mock, because another MSW server " +
            'or mock gets nothing while it listens; or let all through with onUnhandled: "bypass".',
        ].join("\n"),
      ),
    );
    expect(reset).not.toThrow();
  });

  test("reset ends a stalled request between tests", async () => {
    const { service, reset } = await start({});
    service.faults.play({ kind: "stall" });
    const stalled = ask("GET", "/v1/jobs");
    stalled.catch(() => {});
    while (service.journal.count === 0) await new Promise(setImmediate);
    reset();
    await expect(stalled).rejects.toThrow();
  });

  test.each(["http", "https"])(
    "a mock answers functions that were taken out of node:%s before it listened",
    async (protocol) => {
      const baseUrl = protocol === "http" ? real.url : "https://ads.test";
      const { service, reset } = await start({ baseUrl });
      // The request that `listen` sends as a test leaves no trace.
      expect(service.journal.entries).toEqual([]);
      expect(reset).not.toThrow();
      for (const way of ways) expect(await askBy(way, `${baseUrl}/v1/jobs`)).toBe(401);
      expect(service.journal.entries).toHaveLength(2);
      const module = protocol === "http" ? nodeHttp : nodeHttps;
      const agent = new module.Agent({ keepAlive: true });
      const { hostname, port } = new URL(baseUrl);
      const options = { protocol: `${protocol}:`, hostname, port, path: "/v1/jobs", agent };
      for (const way of ways) expect(await askBy(way, options)).toBe(401);
      expect(service.journal.entries).toHaveLength(4);
      agent.destroy();
      const { statusCode } = await new Promise<nodeHttp.IncomingMessage>((resolve) =>
        module.get(`${baseUrl}/v1/jobs`, resolve),
      );
      expect(statusCode).toBe(401);
    },
  );

  test("a mock answers requests that don't wait for listen, also while another mock waits", async () => {
    setup();
    const { service, listen } = setup();
    const listening = listen();
    expect(await submitTo(real.url)).toBe(202);
    await listening;
    expect(await submitTo(real.url)).toBe(202);
    expect(service.account("test-key").charges).toHaveLength(2);
  });

  test.each(["waits", "listens", "is closed"])(
    "a mock that listens lets out no request to another mock that %s",
    async (state) => {
      const baseUrl = state === "is closed" ? "https://ads.test" : real.url;
      const first = setup({ baseUrl });
      if (state !== "waits") await first.listen();
      if (state === "is closed") first.close();
      const second = await start({ baseUrl: "https://other.test", onUnhandled: "bypass" });
      expect((await fetch("https://other.test/v1/jobs")).status).toBe(401);
      expect(await askBy("get", "https://other.test/v1/jobs")).toBe(401);
      // MSW 3 makes a TypeError of the refusal, and MSW 2 leaves it as it is.
      await expect(fetch(`${baseUrl}/v1/jobs`)).rejects.toThrow();
      expect(await askBy("get", `${baseUrl}/v1/jobs`)).toBe("ERR_MOCK_UNHANDLED");
      expect(second.close).toThrow("because another MSW server or mock gets nothing");
    },
  );

  test("the whole origin of a mock's base URL is the service's, also for WebSockets", async () => {
    const baseUrl = "https://ads.test/api";
    const { reset } = await start({ baseUrl, onUnhandled: "bypass" });
    expect((await createAsk(globalFetch, "test-key", baseUrl)("GET", "/v1/jobs")).status).toBe(200);
    for (const path of ["/v1/jobs", "/health"]) {
      await expect(fetch(`https://ads.test${path}`)).rejects.toThrow();
    }
    const socket = new WebSocket("wss://ads.test/v1/events");
    await new Promise((resolve) => socket.addEventListener("error", resolve));
    expect(reset).toThrow(
      "GET https://ads.test/v1/jobs\n  GET https://ads.test/health\n" +
        "  ws wss://ads.test/v1/events\nRequests to the service",
    );
  });
});

test("requests to other services go out before listen, where onUnhandled lets them, and after close", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  // MSW 3 does not see each request on a connection that is kept from before `listen`.
  const other = await listenOn((response) => {
    response.setHeader("connection", "close").end();
  });
  const reach = async () => [await submitTo(other.url), await askBy("get", `${other.url}/?key=x`)];
  const strict = setup();
  expect(await reach()).toEqual([200, 200]);
  await strict.listen();
  expect((await fetch(bypass(`${other.url}/v1/jobs`))).status).toBe(200);
  strict.close();
  for (const [onUnhandled, warnings] of [
    ["bypass", []],
    ["warn", [`POST ${other.url}/v1/jobs`, `GET ${other.url}/`]],
  ] as const) {
    const { reset, close } = await start({ onUnhandled, baseUrl: "https://ads.test" });
    expect(await reach()).toEqual([200, 200]);
    expect(warn.mock.calls).toEqual(warnings.map((call) => [`The mock lets ${call} through`]));
    await expect(fetch("https://ads.test/v1/nope")).rejects.toThrow();
    expect(reset).toThrow("GET https://ads.test/v1/nope");
    close();
    expect(await reach()).toEqual([200, 200]);
  }
  expect(other.received).toHaveLength(11);
});

test("without a base URL, other APIs are let through, and the paths of the service are not", async () => {
  const other = await listenOn((response) => {
    response.setHeader("connection", "close").end();
  });
  const { reset } = await start({ onUnhandled: "bypass" });
  for (const path of ["/v1/chat/completions", "/v1/fine_tuning/jobs", "/v1/jobsite"]) {
    expect((await fetch(`${other.url}${path}`, { method: "POST" })).status).toBe(200);
    expect(await askBy("get", `${other.url}${path}`)).toBe(200);
  }
  const refused = [
    "/v1/jobs",
    "/x/v1/jobs/a/b",
    "/v1/V1//Jobs",
    "/v1/saved-ads/1/2",
    "/v1/brands/",
  ];
  for (const path of refused) {
    await expect(fetch(`${other.url}${path}`, { method: "PUT" }), path).rejects.toThrow();
  }
  expect(other.received).toHaveLength(6);
  expect(reset).toThrow("Without a baseUrl, /v1/jobs, /v1/brands, /v1/saved-ads of every origin");
});

test("a mock answers in place of a stub of fetch that was set before it listened", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
  await start();
  expect(await submitTo(real.url)).toBe(202);
});

test.each([["https://ads.test/api"], [undefined]])(
  "fetch and node:https get a video by URL from a service with the base URL %s",
  async (baseUrl) => {
    const { service, reset } = await start(baseUrl === undefined ? {} : { baseUrl });
    const asked = baseUrl ?? "https://other.test/v0";
    const client = createClient({ baseUrl: asked, apiKey: "test-key" });
    const job = await client.jobs.submitAndPoll({ action: "video-a-2" });
    const { videos } = Object(job.status === "completed" && job.result);
    expect(videos[0].url).toBe(`${asked}/__mock/artwork/${job.job_id}/1.mp4`);
    const answer = await fetch(videos[0].url, { headers: { range: "bytes=4-7" } });
    expect([answer.status, await answer.text()]).toEqual([206, "ftyp"]);
    const head = await fetch(videos[0].url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect((await fetch(videos[0].url.replace("1.mp4", "2.mp4"))).status).toBe(404);
    expect(await askBy("get", videos[0].url)).toBe(200);
    // The journal has requests to the API only, and none for files.
    for (const { operation } of service.journal.entries) expect(operation).toBeDefined();
    expect(reset).not.toThrow();
  },
);

describe("the options of setupMockServer", () => {
  test("setupMockServer takes the runner's hooks, or finds them", () => {
    const registered: string[] = [];
    const names = ["beforeAll", "afterEach", "afterAll"] as const;
    const note = (name: string) => (run: () => void) => registered.push(`${name} ${run.length}`);
    const [beforeAll, afterEach, afterAll] = [note(names[0]), note(names[1]), note(names[2])];
    const all = names.map((name) => `${name} 0`);
    setup({ hooks: { beforeAll, afterEach, afterAll } });
    expect(registered.splice(0)).toEqual(all);
    for (const name of names) vi.stubGlobal(name, note(name));
    setup();
    expect(registered.splice(0)).toEqual(all);
    setup({ hooks: false });
    expect(registered).toEqual([]);
  });

  test("setupMockServer refuses options that make no sense", () => {
    const refuse = (message: string, make: (options: object) => unknown, options: object) =>
      expect(() => make(options)).toThrow(`The mock's ${message}`);
    const choices = 'onUnhandled must be one of error, warn, bypass, got "ignore"';
    refuse(choices, setupMockServer, { onUnhandled: "ignore" });
    refuse("baseUrl", setupMockServer, { baseUrl: "ads.test" });
    const unknown = 'options have no field "hook"; did you mean hooks?';
    refuse(unknown, setupMockServer, { hook: false });
    const both = 'options must be a service or "seed", not both: the service has its own options';
    refuse(both, setupMockServer, { service: createMockService(), seed: 1 });
  });
});
