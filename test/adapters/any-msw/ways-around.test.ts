// Requests that a refusal must meet, whatever code stands before it or however they are written.
import * as http from "node:http";
import { setupServer } from "msw/node";
import { describe, expect, test, vi } from "vitest";
import { createMockService, refuseNetwork } from "../../../mocks/index.ts";
import { createHandlers } from "../../../mocks/msw/index.ts";
import type { MockSetupOptions } from "../../../mocks/node/index.ts";
import { askBy, stubs, submitTo, unstub, useRealService } from "./real-service.ts";

const real = useRealService();
const { setup, start, closing } = real;

describe.each(Object.entries(stubs))("a stub of fetch by %s", (_, stub) => {
  const none = { beforeAll: () => {}, afterEach: () => {}, afterAll: () => {} };
  test.each<[string, Pick<MockSetupOptions, "hooks">]>([
    ["without", {}],
    ["with", { hooks: none }],
  ])(
    "a stub of fetch that ends while a mock %s hooks listens lets nothing out, and is reported",
    async (_, to) => {
      const mock = setup({ baseUrl: "https://ads.invalid", ...to });
      stub();
      await mock.listen();
      expect(await submitTo("https://ads.invalid")).toBe(202);
      unstub();
      expect(await submitTo("https://ads.invalid")).toBe("ERR_MOCK_INTERCEPTION_ENDED");
      expect(mock.reset).toThrow(
        "Another MSW server was closed, or other code has put the former fetch back, as vi.stubGlobal " +
          "can. That has ended the mock's interception: requests may have reached the network. Use " +
          "one MSW server, add your handlers to it, and put back no fetch while the mock listens.",
      );
      expect(await submitTo("https://ads.invalid")).toBe(202);
      expect(mock.reset).not.toThrow();
      mock.close();
      expect(await submitTo("https://ads.invalid")).toBe("ERR_MOCK_CLOSED");
    },
  );

  test("a stub of fetch that is older than the mock, and whose restoring lets requests out, is reported", async () => {
    stub();
    const mock = await start();
    unstub();
    expect(mock.reset).toThrow("other code has put the former fetch back");
    expect(await submitTo(real.url)).toBe(202);
  });

  test("a stub of fetch inside a test, after listen, changes nothing, nor does refuseNetwork until close", async () => {
    closing.push(refuseNetwork());
    const mock = await start({ baseUrl: "https://ads.invalid" });
    expect(await submitTo("https://ads.invalid")).toBe(202);
    stub();
    expect(await submitTo("https://ads.invalid")).toBe(202);
    unstub();
    expect(await submitTo("https://ads.invalid")).toBe(202);
    expect(mock.reset).not.toThrow();
    mock.allowNetwork();
    mock.close();
    expect(await askBy("get", "https://ads.invalid/v1/jobs")).toBe("ERR_MOCK_NO_NETWORK");
  });
});

test("closing another MSW server lets nothing out, and the mock repairs its interception", async () => {
  const mock = await start();
  const other = setupServer();
  other.listen();
  other.close();
  expect(await submitTo(real.url)).not.toBe(200);
  expect(await askBy("get", `${real.url}/v1/jobs`)).not.toBe(200);
  const named = await new Promise((resolve) => {
    http.get(real.url, ({ statusCode }) => resolve(statusCode)).on("error", resolve);
  });
  expect(named).not.toBe(200);
  expect(mock.reset).toThrow("Another MSW server was closed");
  expect(await submitTo(real.url)).toBe(202);
  expect(mock.reset).not.toThrow();
});

test("refuseNetwork leaves the answers of a plain MSW server alone, also through a spy", async () => {
  closing.push(refuseNetwork());
  const server = setupServer(...createHandlers(createMockService()));
  server.listen();
  closing.push(() => server.close());
  expect(await submitTo("https://ads.invalid")).toBe(202);
  vi.spyOn(globalThis, "fetch");
  expect(await submitTo("https://ads.invalid")).toBe(202);
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
  ])(
    "refuseNetwork judges a request of node:http by where it connects, given %s",
    async (_, makeOptions) => {
      closing.push(refuseNetwork());
      const code = await askBy("request", { path: "/v1/jobs", ...makeOptions() });
      expect(code).toBe("ERR_MOCK_NO_NETWORK");
    },
  );

  test("a request with another Host header is judged by where it connects, while no mock listens", async () => {
    for (const [baseUrl, port, Host] of [
      [real.url, new URL(real.url).port, "localhost"],
      ["http://ads.invalid", 9, "ads.invalid"],
    ] as const) {
      setup({ baseUrl });
      const options = { host: "127.0.0.1", port, path: "/v1/jobs", headers: { Host } };
      expect(await askBy("request", options)).toBe("ERR_MOCK_NOT_LISTENING");
    }
  });
});

test("a dot after the host doesn't hide the service", async () => {
  const mock = setup({ baseUrl: "https://ads.invalid", onUnhandled: "bypass" });
  expect(await submitTo("https://ads.invalid.")).toBe("ERR_MOCK_NOT_LISTENING");
  await mock.listen();
  expect(await fetch("https://ads.invalid./v1/nothing").catch(() => "refused")).toBe("refused");
  expect(mock.close).toThrow("GET https://ads.invalid./v1/nothing");
  expect(await submitTo("https://ads.invalid.")).toBe("ERR_MOCK_CLOSED");
});
