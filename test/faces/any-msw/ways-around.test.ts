// Requests that a refusal must meet, whatever code stands before it or however they are written.
import * as http from "node:http";
import { setupServer } from "msw/node";
import { describe, expect, test, vi } from "vitest";
import { createMockService, refuseNetwork } from "../../../mocks/index.ts";
import { createHandlers } from "../../../mocks/msw.ts";
import type { MockSetupSettings } from "../../../mocks/node.ts";
import { listen as listenOn } from "../../helpers/http-server.ts";
import { useRealService } from "./real-service.ts";

const real = useRealService();
const { setup, closing } = real;
const own = globalThis.fetch;

const submit = (url = real.url): Promise<number | string> =>
  fetch(`${url}/v1/jobs`, { method: "POST", headers: { authorization: "Bearer test-key" } }).then(
    ({ status }) => status,
    (error) => error.cause?.code ?? error.message,
  );

const askBy = (options: http.RequestOptions | string): Promise<number | string> =>
  new Promise((resolve) => {
    const request = http.request(options as http.RequestOptions, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? "no status"));
    });
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.end();
  });

/** Ways to put a function that calls through in the place of `fetch`, each with its end. */
const stubs = {
  "vi.stubGlobal": () => void vi.stubGlobal("fetch", vi.fn(globalThis.fetch)),
  "vi.spyOn": () => void vi.spyOn(globalThis, "fetch"),
};
const restore = (): void => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
};

describe.each(Object.entries(stubs))("a stub of fetch by %s", (_, stub) => {
  const none = { beforeAll: () => {}, afterEach: () => {}, afterAll: () => {} };
  test.each<[string, MockSetupSettings]>([
    ["without", {}],
    ["with", { hooks: none }],
  ])("that ends while a mock %s hooks listens lets nothing out, and is reported", async (_, to) => {
    const mock = setup(to);
    stub();
    await mock.listen();
    expect(await submit()).toBe(400);
    restore();
    expect(await submit()).toBe("ERR_MOCK_INTERCEPTION_ENDED");
    expect(mock.reset).toThrow("other code has put the former fetch back");
    expect(await submit()).toBe(400);
    expect(mock.reset).not.toThrow();
  });

  test("of before the mock was made, whose end lets requests out, is reported", async () => {
    stub();
    const mock = setup();
    await mock.listen();
    restore();
    expect(mock.reset).toThrow("other code has put the former fetch back");
    expect(await submit()).toBe(400);
  });

  test("inside a test, after listen, changes nothing", async () => {
    closing.push(refuseNetwork());
    const mock = setup();
    await mock.listen();
    stub();
    expect(await submit()).toBe(400);
    restore();
    expect(await submit()).toBe(400);
    expect(mock.reset).not.toThrow();
  });

  test("leaves the refusal before listen", async () => {
    setup();
    stub();
    expect(await submit()).toBe("ERR_MOCK_NOT_LISTENING");
  });

  test("leaves the refusal after close", async () => {
    const mock = setup({ baseUrl: "https://ads.invalid" });
    await mock.listen();
    mock.close();
    stub();
    expect(await submit("https://ads.invalid")).toBe("ERR_MOCK_CLOSED");
  });

  test("leaves the refusal of refuseNetwork", async () => {
    closing.push(refuseNetwork());
    stub();
    expect(await submit("https://ads.invalid")).toBe("ERR_MOCK_NO_NETWORK");
  });
});

test("another MSW server that is closed lets nothing out: fetch and node:http", async () => {
  const mock = setup();
  await mock.listen();
  const other = setupServer();
  other.listen();
  other.close();
  expect(await submit()).not.toBe(200);
  expect(await askBy(`${real.url}/v1/jobs`)).not.toBe(200);
});

test("another function at the agents of node:http leaves the refusals", async () => {
  closing.push(refuseNetwork());
  vi.spyOn(http.Agent.prototype as never, "addRequest" as never);
  expect(await askBy("http://ads.invalid/v1/jobs")).toBe("ERR_MOCK_NO_NETWORK");
});

test("refuseNetwork leaves the answers of a server of MSW's own, also through a spy", async () => {
  closing.push(refuseNetwork());
  const server = setupServer(...createHandlers(createMockService()));
  server.listen();
  closing.push(() => server.close());
  expect(await submit("https://ads.invalid")).toBe(400);
  vi.spyOn(globalThis, "fetch");
  expect(await submit("https://ads.invalid")).toBe(400);
});

test("the end of one refuseNetwork leaves another", async () => {
  const first = refuseNetwork();
  const second = refuseNetwork();
  closing.push(second);
  first();
  expect(await submit("https://ads.invalid")).toBe("ERR_MOCK_NO_NETWORK");
  expect(await askBy("http://ads.invalid/v1/jobs")).toBe("ERR_MOCK_NO_NETWORK");
  second();
  expect(fetch).toBe(own);
});

describe("a request of node:http is judged by where it connects to", () => {
  const host = "ads.invalid";
  const absolute = "http://ads.invalid:80/v1/jobs";
  test.each<[string, () => http.RequestOptions]>([
    ["a Host header of loopback", () => ({ host, headers: { Host: "localhost" } })],
    ["an absolute path", () => ({ host, port: 8080, path: absolute })],
    ["an absolute path to a proxy on loopback", () => ({ host: "127.0.0.1", path: absolute })],
    ["a host of the agent", () => ({ agent: new http.Agent({ host } as http.AgentOptions) })],
    ["no Host header", () => ({ host, setHost: false })],
    ["a host that no URL can have", () => ({ host: "ads invalid" })],
  ])("with refuseNetwork: %s", async (_, makeOptions) => {
    closing.push(refuseNetwork());
    expect(await askBy({ path: "/v1/jobs", ...makeOptions() })).toBe("ERR_MOCK_NO_NETWORK");
  });

  test("with a mock that does not listen: a Host header of another", async () => {
    setup();
    const headers = { Host: "localhost" };
    const path = "/v1/jobs";
    const { hostname, port } = new URL(real.url);
    expect(await askBy({ hostname, port, path, headers })).toBe("ERR_MOCK_NOT_LISTENING");
    setup({ baseUrl: "http://ads.invalid" });
    const named = { Host: "ads.invalid" };
    expect(await askBy({ hostname, port: 9, path, headers: named })).toBe("ERR_MOCK_NOT_LISTENING");
  });

  test("and one to loopback goes out, by IPv6 too", async () => {
    closing.push(refuseNetwork());
    const other = await listenOn((response) => response.end());
    expect(await askBy(other.url)).toBe(200);
    expect(await askBy("http://[::1]:9/")).toMatch(/^E(CONNREFUSED|ADDRNOTAVAIL)$/);
  });
});

test("a dot after the host does not hide the service", async () => {
  const mock = setup({ baseUrl: "https://ads.invalid", onUnhandled: "bypass" });
  expect(await submit("https://ads.invalid.")).toBe("ERR_MOCK_NOT_LISTENING");
  await mock.listen();
  expect(await fetch("https://ads.invalid./v1/nothing").catch(() => "refused")).toBe("refused");
  expect(mock.close).toThrow("GET https://ads.invalid./v1/nothing");
  expect(await submit("https://ads.invalid.")).toBe("ERR_MOCK_CLOSED");
});
