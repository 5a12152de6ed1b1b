// Requests that no replaced function would see are refused where Node and undici report them. With
// each MSW that the package accepts: see the project "msw2" in vitest.config.ts.
import { once } from "node:events";
import * as http from "node:http";
import { connect } from "node:net";
import { setupServer } from "msw/node";
import { describe, expect, test, vi } from "vitest";
import { type MockServiceOptions, refuseNetwork } from "../../../mocks/index.ts";
import { setupMockServer } from "../../../mocks/node/index.ts";
import { listen } from "../../helpers/http-server.ts";
import { askBy, placeOfMocks, submitTo, useRealService } from "./real-service.ts";

const real = useRealService();
const { setup, start, closing } = real;

const baseUrl = "http://ads.invalid";

/** True where vitest runs this file with the older MSW (project "msw2"). */
const isMsw2 = !("readyState" in setupServer());

const testWithMsw3 = test.skipIf(isMsw2); // MSW 2 makes nock's sockets, and answers XMLHttpRequest.

/** An agent like those for proxies: it chooses where and when to open a connection. */
class ProxyAgent {
  readonly options = {};
  addRequest(request: http.ClientRequest): void {
    setTimeout(() => {
      const socket = connect(Number(new URL(real.url).port), "127.0.0.1");
      socket.on("error", () => {});
      request.onSocket(socket);
    }, 1);
  }
}

/** An agent that never gives a request a connection. */
class SilentAgent {
  readonly options = {};
  addRequest(): void {}
}

const toRealService = () => connect(Number(new URL(real.url).port), "127.0.0.1");

class KeepingAgent extends http.Agent {
  override createConnection() {
    return toRealService();
  }
}

const target = { host: "ads.invalid", path: "/v1/jobs" };

/** Ways in which a request to the mock's address would reach the real service. */
const ways: Record<string, () => Promise<unknown>> = {
  "an agent with an addRequest of its own": () =>
    askBy("get", { ...target, agent: new ProxyAgent() as unknown as http.Agent }),
  "an agent that stays silent": () =>
    askBy("get", { ...target, agent: new SilentAgent() as unknown as http.Agent }),
  "createConnection without an agent": () =>
    askBy("get", { ...target, createConnection: toRealService }),
  "the runtime's own fetch": () => submitTo(baseUrl, ownFetch),
  "an absolute path by a proxy": () =>
    askBy("get", {
      host: "127.0.0.1",
      port: new URL(real.url).port,
      path: `${baseUrl}/v1/jobs`,
      agent: new ProxyAgent() as unknown as http.Agent,
    }),
  "a tunnel through a proxy": () =>
    askBy("request", {
      host: "127.0.0.1",
      port: new URL(real.url).port,
      method: "CONNECT",
      path: "ads.invalid:80",
      agent: new ProxyAgent() as unknown as http.Agent,
    }),
};

const ownFetch = globalThis.fetch;

const states: Record<string, readonly [enter: () => unknown, code: string]> = {
  "before listen": [() => setup({ baseUrl }), "ERR_MOCK_NOT_LISTENING"],
  "while the mock listens": [() => start({ baseUrl }), "ERR_MOCK_NOT_INTERCEPTED"],
  "after close": [async () => (await start({ baseUrl })).close(), "ERR_MOCK_CLOSED"],
  "under refuseNetwork": [() => closing.push(refuseNetwork()), "ERR_MOCK_NO_NETWORK"],
};

describe.each(Object.entries(states))("%s", (_, [enter, code]) => {
  test.each(Object.entries(ways))("a request by %s is refused", async (_way, send) => {
    await enter();
    expect(await send()).toBe(code);
    // Wait for a late connection, on which nothing may reach the real service either.
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
});

test("an agent that connects to another place than it says sends nothing, in any state", async () => {
  const agent = new KeepingAgent({ keepAlive: true });
  const send = () => askBy("get", { ...target, agent });
  const mock = setup({ baseUrl });
  expect(await send()).toBe("ERR_MOCK_NOT_LISTENING");
  await mock.listen();
  // MSW 3 decides about this request by its connection.
  expect(await send()).toBeOneOf([401, "ERR_MOCK_UNHANDLED"]);
  expect(await send()).toBeOneOf([401, "ERR_MOCK_UNHANDLED"]);
  try {
    mock.close();
  } catch (error) {
    expect(String(error)).toMatch(`GET ${real.url}/v1/jobs`);
  }
  expect(await send()).toBe("ERR_MOCK_CLOSED");
  agent.destroy();
});

test("a request by https with an agent that names no default port is refused", async () => {
  setup({ baseUrl: "https://ads.invalid" });
  const agent = new ProxyAgent() as unknown as http.Agent;
  expect(await askBy("get", { protocol: "https:", ...target, agent })).toBe(
    "ERR_MOCK_NOT_LISTENING",
  );
});

test("a connection that another MSW server let out before carries no request to the service", async () => {
  const service = await listen((response) => response.end("{}"));
  const other = setupServer();
  other.listen({ onUnhandledFrame: "bypass", onUnhandledRequest: "bypass" } as never);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = new URL(service.url);
  const send = () => askBy("get", { host: "127.0.0.1", port, path: "/v1/jobs", agent });
  expect([await send(), await send()]).toEqual([200, 200]);
  await start({ baseUrl: service.url });
  for (const _ of ["first", "second"]) expect(await send()).toBe(401);
  expect(service.received).toHaveLength(2);
  agent.destroy();
  other.close();
});

test("a framework that puts its saved fetch back loses one request, and the next is answered", async () => {
  const mock = await start({ baseUrl });
  // Next.js replaces `fetch` in both ways after each edit of a page.
  globalThis.fetch = ownFetch;
  globalThis.fetch = (input, init) => ownFetch(input, init);
  expect(await submitTo(baseUrl)).toBe("ERR_MOCK_NOT_INTERCEPTED");
  expect(await submitTo(baseUrl)).toBe(202);
  expect(mock.reset).toThrow("other code has put the former fetch back");
  expect(mock.reset).not.toThrow();
  expect(await submitTo(baseUrl)).toBe(202);
});

testWithMsw3("a socket that nock has made isn't taken for one of MSW 3's", async () => {
  const socket = toRealService();
  await once(socket, "connect");
  const { port } = new URL(real.url);
  class NockAgent extends http.Agent {
    override createConnection() {
      return Object.assign(socket, { respondWith: () => {} });
    }
  }
  await start();
  const options = { host: "127.0.0.1", port, path: "/v1/jobs", agent: new NockAgent() };
  expect(await askBy("get", options)).toBe("ERR_MOCK_NOT_INTERCEPTED");
  socket.destroy();
});

testWithMsw3("an XMLHttpRequest that undici sends, as jsdom's, is answered", async () => {
  class XMLHttpRequest extends EventTarget {
    status = 0;
    async send(): Promise<void> {
      const sent = await ownFetch(`${baseUrl}/v1/jobs`).catch(() => undefined);
      this.status = sent?.status ?? 0;
      this.dispatchEvent(new Event("loadend"));
    }
  }
  vi.stubGlobal("XMLHttpRequest", XMLHttpRequest);
  const statusOf = (request: XMLHttpRequest) =>
    new Promise((resolve) => {
      request.addEventListener("loadend", () => resolve(request.status));
      void request.send();
    });
  const early = new globalThis.XMLHttpRequest() as unknown as XMLHttpRequest;
  const mock = await start({ baseUrl });
  const late = new globalThis.XMLHttpRequest() as unknown as XMLHttpRequest;
  expect(await statusOf(late)).toBe(401);
  // MSW does not know an object that was made before it listened.
  expect(await statusOf(early)).toBe(0);
  // Close the mock while the stub is there, because MSW puts back what it found.
  mock.close();
});

test("a URL of an older jsdom, which lacks parse and canParse, doesn't open the guard", async () => {
  setup({ baseUrl });
  const { parse, canParse } = URL;
  Object.assign(URL, { parse: undefined, canParse: undefined });
  try {
    expect(await askBy("get", `${baseUrl}/v1/jobs`)).toBe("ERR_MOCK_NOT_LISTENING");
  } finally {
    Object.assign(URL, { parse, canParse });
  }
});

test("a submission before the hooks of a runner call listen is refused", async () => {
  const calls: (() => unknown)[] = [];
  const hooks = {
    beforeAll: (listen: () => unknown) => calls.push(listen),
    afterEach: () => {},
    afterAll: () => {},
  };
  setup({ baseUrl, hooks });
  expect(await submitTo(baseUrl)).toBe("ERR_MOCK_NOT_LISTENING");
  expect(await askBy("get", `${baseUrl}/v1/jobs`)).toBe("ERR_MOCK_NOT_LISTENING");
  for (const call of calls) await call();
  expect(await submitTo(baseUrl)).toBe(202);
});

describe("two mocks of one base URL in a process", () => {
  const make = (options: Omit<MockServiceOptions, "baseUrl">) => {
    const mock = setupMockServer({ baseUrl, hooks: false, ...options });
    closing.push(mock.allowNetwork, mock.close);
    return mock;
  };

  test("share one mock when their options are the same, until both have closed", async () => {
    const accounts = { "test-key": {} };
    const first = make({ accounts });
    const second = make({ accounts: { ...accounts } });
    expect(second.service).toBe(first.service);
    await first.listen();
    await second.listen();
    expect(await submitTo(baseUrl)).toBe(202);
    for (const mock of [first, second]) expect(mock.reset).not.toThrow();
    first.close();
    expect(await submitTo(baseUrl)).toBe(202);
    second.close();
    expect(await submitTo(baseUrl)).toBe("ERR_MOCK_CLOSED");
  });

  test("take turns when their options differ, and the one without requests says where both are", async () => {
    const first = make({ seed: 1 });
    const second = setup({ baseUrl, hooks: false, seed: 2 });
    expect(second.service).not.toBe(first.service);
    await first.listen();
    await second.listen();
    expect(await submitTo(baseUrl)).toBe(202);
    expect(second.service.journal.count).toBe(1);
    expect(first.reset).toThrow(
      /^Two mocks of http:\/\/ads\.invalid listen, with different options: the one of real-service\.ts:\d+ gets all requests, and the one of guard\.test\.ts:\d+ gets none\. Give both the same options/,
    );
    expect(second.reset).not.toThrow();
    second.close();
    expect(await submitTo(baseUrl)).toBe(202);
    expect(first.service.journal.count).toBe(1);
    expect(first.reset).not.toThrow();
  });

  test("are named by their file and line in a refusal", async () => {
    setup({ baseUrl });
    const error = await fetch(baseUrl).catch(({ cause }) => cause);
    expect(error.message).toMatch(`The mock of ${placeOfMocks} refused a request to ads.invalid`);
  });
});
