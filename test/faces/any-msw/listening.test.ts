// With each MSW that the package accepts: see the project "msw2" in vitest.config.ts.
import { EventEmitter } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { setupServer } from "msw/node";
import { describe, expect, test, vi } from "vitest";
import { mockFixtures } from "../../../mocks/node.ts";
import { listen as listenOn } from "../../helpers/http-server.ts";
import { askBy, submitTo, useRealService, ways } from "./real-service.ts";

/** True where vitest runs this file with the older MSW (project "msw2"). */
const isMsw2 = !("readyState" in setupServer());

const real = useRealService();
const { setup } = real;

describe("while a mock listens", () => {
  test.each(["http", "https"])(
    "functions that were taken out of node:%s before are answered",
    async (protocol) => {
      const baseUrl = protocol === "http" ? real.url : "https://ads.test";
      const mock = setup({ baseUrl });
      await mock.listen();
      // It leaves no trace of its own request.
      expect(mock.service.journal.entries).toEqual([]);
      expect(mock.reset).not.toThrow();
      for (const way of ways) expect(await askBy(way, `${baseUrl}/v1/jobs`)).toBe(401);
      expect(mock.service.journal.entries).toHaveLength(2);
      const agent = new (protocol === "http" ? http : https).Agent({ keepAlive: true });
      const { hostname, port } = new URL(baseUrl);
      const options = { protocol: `${protocol}:`, hostname, port, path: "/v1/jobs", agent };
      for (const way of ways) expect(await askBy(way, options)).toBe(401);
      expect(mock.service.journal.entries).toHaveLength(4);
      agent.destroy();
      const named = protocol === "http" ? http.get : https.get;
      const { statusCode } = await new Promise<http.IncomingMessage>((resolve) =>
        named(`${baseUrl}/v1/jobs`, resolve),
      );
      expect(statusCode).toBe(401);
    },
  );

  test("a request that is sent at once, without waiting for listen, reaches it", async () => {
    const mock = setup();
    const listening = mock.listen();
    expect(await submitTo(real.url)).toBe(202);
    await listening;
    expect(mock.service.account("test-key").charges).toHaveLength(1);
  });

  test("others are reached when they are let through, and after its end", async () => {
    const other = await listenOn((response) => response.end());
    setup();
    expect(await submitTo(other.url)).toBe(200);
    expect(await askBy("get", other.url)).toBe(200);
    const mock = setup({ baseUrl: "https://ads.test", onUnhandled: "bypass" });
    await mock.listen();
    expect(await askBy("get", other.url)).toBe(200);
    mock.close();
    expect(await askBy("get", other.url)).toBe(200);
    expect(other.received).toHaveLength(4);
  });

  test.each(["waits", "listens", "is closed"])(
    "it lets out none of another one, which %s",
    async (state) => {
      const baseUrl = state === "is closed" ? "https://ads.test" : real.url;
      const first = setup({ baseUrl });
      if (state !== "waits") await first.listen();
      if (state === "is closed") first.close();
      const second = setup({ baseUrl: "https://other.test", onUnhandled: "bypass" });
      await second.listen();
      expect((await fetch("https://other.test/v1/jobs")).status).toBe(401);
      expect(await askBy("get", "https://other.test/v1/jobs")).toBe(401);
      // MSW 3 makes a TypeError of the refusal, and MSW 2 leaves it as it is.
      await expect(fetch(`${baseUrl}/v1/jobs`)).rejects.toThrow();
      expect(await askBy("get", `${baseUrl}/v1/jobs`)).toBe("ERR_MOCK_UNHANDLED");
      expect(second.close).toThrow("To the service of another mock in this process");
    },
  );

  test("it answers for another one that waits for the same service", async () => {
    setup();
    await setup().listen();
    expect(await submitTo(real.url)).toBe(202);
  });
});

describe("listen, where requests cannot be intercepted,", () => {
  // MSW 2 takes a stub's place without calling it: nothing escapes there.
  const name = isMsw2 ? "takes the place of a stub" : "rejects for fetch, and lets none through";
  test(name, async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    const mock = setup();
    if (isMsw2) {
      await mock.listen();
      expect(await submitTo(real.url)).toBe(202);
      return;
    }
    await expect(mock.listen()).rejects.toThrow(
      `The mock does not listen, because MSW cannot intercept fetch in Node ${process.versions.node}: ` +
        "requests would reach the real service. Nothing was sent to it. Look for code that " +
        "replaces fetch in this process before the mock listens, such as a stub or another " +
        "interceptor, and remove it.",
    );
    expect(await submitTo(real.url)).toMatch("cannot intercept fetch");
  });

  test("throws for node:http, before anything is sent", () => {
    const escaping = Object.assign(new EventEmitter(), { destroy: () => {} });
    vi.spyOn(process.getBuiltinModule("node:http"), "get").mockReturnValue(escaping as never);
    expect(() => setup().listen()).toThrow("MSW cannot intercept node:http in Node");
  });

  test("the fixtures fail where vitest does not run those of a file", async () => {
    const { mock } = mockFixtures() as unknown as { mock: [(...args: unknown[]) => Promise<void>] };
    const use = vi.fn();
    const running = mock[0]({ task: { name: "a test" }, mockServer: [() => {}, {}] }, use);
    await expect(running).rejects.toThrow(/^mockFixtures needs Vitest 3.2 or newer/);
    expect(use).not.toHaveBeenCalled();
  });
});
