import { EventEmitter } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { setupServer } from "msw/node";
import { describe, expect, test, vi } from "vitest";
import { refuseNetwork } from "../../../mocks/index.ts";
import { type MockSetupSettings, mockFixtures, setupMockServer } from "../../../mocks/node.ts";
import { listen as listenOn } from "../../helpers/http-server.ts";
import { useRealService } from "./real-service.ts";

/** Taken out of their modules before anything listens, as named imports are in Jest. */
const captured = {
  "http.get": process.getBuiltinModule("node:http").get,
  "http.request": process.getBuiltinModule("node:http").request,
  "https.get": process.getBuiltinModule("node:https").get,
  "https.request": process.getBuiltinModule("node:https").request,
};

type Captured = keyof typeof captured;

const askBy = (name: Captured, url: string, agent?: http.Agent): Promise<number | string> =>
  new Promise((resolve) => {
    const request = captured[name](url, agent === undefined ? {} : { agent }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? "no status"));
    });
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.end();
  });

/** True where vitest runs this file with the older MSW (project "msw2"). */
const isMsw2 = !("readyState" in setupServer());

const real = useRealService();
const { setup, closing } = real;

const submit = () =>
  fetch(`${real.url}/v1/jobs`, {
    method: "POST",
    headers: { authorization: "Bearer test-key", "content-type": "application/json" },
    body: JSON.stringify({ action: "generate-ad" }),
  });

describe("a function that was taken out of its module before", () => {
  test.each(["http.get", "http.request"] as const)("is answered: %s", async (name) => {
    await setup().listen();
    expect(await askBy(name, `${real.url}/v1/jobs`)).toBe(401);
  });

  test.each(["https.get", "https.request"] as const)("is answered: %s", async (name) => {
    const mock = setup({ baseUrl: "https://ads.test" });
    await mock.listen();
    expect(await askBy(name, "https://ads.test/v1/jobs")).toBe(401);
    expect(mock.service.journal.entries).toHaveLength(1);
  });

  test("is answered through an agent of its own", async () => {
    const mock = setup();
    await mock.listen();
    const agent = new http.Agent({ keepAlive: true });
    for (const _ of [1, 2]) expect(await askBy("http.get", `${real.url}/v1/jobs`, agent)).toBe(401);
    expect(mock.service.journal.entries).toHaveLength(2);
    agent.destroy();
  });

  test("is refused where nothing handles the request", async () => {
    const mock = setup();
    await mock.listen();
    expect(await askBy("http.get", `${real.url}/v1/nothing`)).toBe("ERR_MOCK_UNHANDLED");
    expect(mock.reset).toThrow(`GET ${real.url}/v1/nothing`);
  });

  test("reaches others when they are let through, and everybody after the end", async () => {
    const other = await listenOn((response) => response.end());
    const mock = setup({ baseUrl: "https://ads.test", onUnhandled: "bypass" });
    await mock.listen();
    expect(await askBy("http.get", other.url)).toBe(200);
    mock.close();
    expect(await askBy("http.get", other.url)).toBe(200);
    expect(other.received).toHaveLength(2);
  });
});

test("a request that is sent at once, without waiting for listen, reaches the mock", async () => {
  const mock = setup();
  const listening = mock.listen();
  expect((await submit()).status).toBe(202);
  await listening;
  expect(mock.service.account("test-key").charges).toHaveLength(1);
});

test("listen leaves no trace of its own request", async () => {
  const mock = setup();
  await mock.listen();
  expect(mock.service.journal.entries).toEqual([]);
  expect(mock.reset).not.toThrow();
});

describe("between setupMockServer and listen", () => {
  const setupWithoutHooks = (options: MockSetupSettings = {}) => {
    const mock = setupMockServer({ baseUrl: real.url, ...options });
    closing.push(mock.allowNetwork, mock.close);
    return mock;
  };

  test.each<MockSetupSettings>([{}, { hooks: false }])(
    "requests to the service are refused, and told why: %j",
    async (options) => {
      const mock = setupWithoutHooks(options);
      const error = await submit().catch((reason) => reason);
      expect(error).toMatchObject({ name: "TypeError", cause: { code: "ERR_MOCK_NOT_LISTENING" } });
      expect(error.cause.message).toBe(
        `The mock refused a request to ${new URL(real.url).host}: it does not listen yet. Call ` +
          "listen before your tests, or give setupMockServer the hooks of your test runner.",
      );
      expect(await askBy("http.get", `${real.url}/v1/jobs`)).toBe("ERR_MOCK_NOT_LISTENING");
      await mock.listen();
      expect((await submit()).status).toBe(202);
    },
  );

  test.each([true, false])(
    "another mock lets none of its requests out; listening: %s",
    async (listens) => {
      const first = setupWithoutHooks();
      if (listens) await first.listen();
      const second = setup({ baseUrl: "https://other.test", onUnhandled: "bypass" });
      await second.listen();
      // MSW 3 makes a TypeError of the refusal, and MSW 2 leaves it as it is.
      await expect(submit()).rejects.toThrow();
      expect(await askBy("http.get", `${real.url}/v1/jobs`)).not.toBe(200);
      expect(second.close).toThrow("To the service of another mock in this process");
    },
  );

  test("requests to others go out, and those of another mock that listens", async () => {
    setupWithoutHooks();
    const other = await listenOn((response) => response.end());
    expect((await fetch(other.url)).status).toBe(200);
    expect(await askBy("http.get", other.url)).toBe(200);
    await setup().listen();
    expect((await submit()).status).toBe(202);
  });
});

describe("after close", () => {
  const baseUrl = "https://ads.test";
  const setupAndClose = async (options: Parameters<typeof setup>[0] = {}) => {
    const mock = setup({ baseUrl, ...options });
    await mock.listen();
    mock.close();
    return mock;
  };

  test("requests to the service are refused, and told why", async () => {
    const mock = await setupAndClose();
    const error = await fetch(`${baseUrl}/v1/jobs`).catch((reason) => reason);
    expect(error).toMatchObject({ name: "TypeError", cause: { code: "ERR_MOCK_CLOSED" } });
    expect(error.cause.message).toBe(
      "The mock refused a request to ads.test: it was closed. Send the request before that, or " +
        "let requests out by mock.allowNetwork().",
    );
    expect(await askBy("https.get", `${baseUrl}/v1/jobs`)).toBe("ERR_MOCK_CLOSED");
    await mock.listen();
    expect((await fetch(`${baseUrl}/v1/jobs`)).status).toBe(401);
    mock.close();
    expect(await askBy("https.request", `${baseUrl}/v1/jobs`)).toBe("ERR_MOCK_CLOSED");
  });

  test("a fetch that was kept while the mock listened is refused, too", async () => {
    const mock = setup({ baseUrl });
    await mock.listen();
    const kept = fetch;
    mock.close();
    const error = await kept(`${baseUrl}/v1/jobs`).catch((reason) => reason);
    expect(error.cause.code).toBe("ERR_MOCK_CLOSED");
  });

  test("requests to loopback and to others go out", async () => {
    const other = await listenOn((response) => response.end());
    await setupAndClose({ baseUrl: other.url });
    expect((await fetch(`${other.url}/v1/jobs`)).status).toBe(200);
    expect(await askBy("http.get", `${other.url}/v1/jobs`)).toBe(200);
    expect(await askBy("https.get", "https://another.invalid/v1/jobs")).toBe("ENOTFOUND");
  });

  test.each(["before", "after"])("all requests go out when it is told %s", async (when) => {
    const own = fetch;
    const mock = setup({ baseUrl: "https://ads.invalid" });
    await mock.listen();
    if (when === "before") mock.allowNetwork();
    mock.close();
    if (when === "after") mock.allowNetwork();
    expect(fetch).toBe(own);
    expect(await askBy("https.get", "https://ads.invalid/v1/jobs")).toBe("ENOTFOUND");
  });

  test("a node:http that test files share, as in Jest, is left alone", async () => {
    vi.stubGlobal("Function", class {});
    await setupAndClose({ baseUrl: "https://ads.invalid" });
    await expect(fetch("https://ads.invalid/v1/jobs")).rejects.toThrow("fetch failed");
    expect(await askBy("https.get", "https://ads.invalid/v1/jobs")).toBe("ENOTFOUND");
  });

  test("another mock answers its own requests, and lets none of the closed one out", async () => {
    await setupAndClose();
    const second = setup({ baseUrl: "https://other.test", onUnhandled: "bypass" });
    await second.listen();
    expect((await fetch("https://other.test/v1/jobs")).status).toBe(401);
    expect(await askBy("https.get", "https://other.test/v1/jobs")).toBe(401);
    await expect(fetch(`${baseUrl}/v1/jobs`)).rejects.toThrow();
    expect(second.close).toThrow("To the service of another mock");
  });
});

test("mocks that end in any order leave the process as it was", async () => {
  const own = fetch;
  const first = setup({ baseUrl: "https://ads.test" });
  await first.listen();
  const second = setup({ baseUrl: "https://other.test" });
  for (const { allowNetwork, close } of [first, second]) {
    close();
    allowNetwork();
  }
  expect(fetch).toBe(own);
});

describe("refuseNetwork", () => {
  test("lets loopback alone through, until its function is called", async () => {
    const own = fetch;
    const allowNetwork = refuseNetwork();
    closing.push(allowNetwork);
    const other = await listenOn((response) => response.end());
    expect((await fetch(other.url)).status).toBe(200);
    expect(await askBy("http.get", other.url)).toBe(200);
    const error = await fetch("https://ads.invalid/").catch((reason) => reason);
    expect(error.cause.message).toBe(
      "A request to ads.invalid was refused, because refuseNetwork() lets only loopback through. " +
        "Give your client the mock's fetch, or call the function that refuseNetwork() has returned.",
    );
    expect(await askBy("https.get", "https://ads.invalid/")).toBe("ERR_MOCK_NO_NETWORK");
    expect((await fetch("data:text/plain,here")).status).toBe(200);
    allowNetwork();
    expect(fetch).toBe(own);
    expect(await askBy("https.get", "https://ads.invalid/")).toBe("ENOTFOUND");
  });

  test("leaves requests to a mock that listens, and takes them back when it is closed", async () => {
    closing.push(refuseNetwork());
    const mock = setup({ baseUrl: "https://ads.invalid" });
    await mock.listen();
    expect((await fetch("https://ads.invalid/v1/jobs")).status).toBe(401);
    mock.allowNetwork();
    mock.close();
    expect(await askBy("https.get", "https://ads.invalid/v1/jobs")).toBe("ERR_MOCK_NO_NETWORK");
  });

  test("holds behind the refusals of another copy of the library", async () => {
    closing.push(refuseNetwork());
    vi.resetModules();
    const copy = await import("../../../mocks/node.ts");
    const mock = copy.setupMockServer({ baseUrl: "https://ads.test", hooks: false });
    closing.unshift(mock.allowNetwork, mock.close);
    const error = await fetch("https://ads.invalid/").catch((reason) => reason);
    expect(error.cause.code).toBe("ERR_MOCK_NO_NETWORK");
    expect(await askBy("https.get", "https://ads.invalid/")).toBe("ERR_MOCK_NO_NETWORK");
    expect(await askBy("https.get", "https://ads.test/")).toBe("ERR_MOCK_NOT_LISTENING");
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
      expect((await submit()).status).toBe(202);
      return;
    }
    await expect(mock.listen()).rejects.toThrow(
      `The mock does not listen, because MSW cannot intercept fetch in Node ${process.versions.node}: ` +
        "requests would reach the real service. Nothing was sent to it. Look for code that " +
        "replaces fetch in this process before the mock listens, such as a stub or another " +
        "interceptor, and remove it.",
    );
    await expect(submit()).rejects.toThrow("cannot intercept fetch");
  });

  test("throws for node:http, before anything is sent", () => {
    const escaping = Object.assign(new EventEmitter(), { destroy: () => {} });
    vi.spyOn(process.getBuiltinModule("node:http"), "get").mockReturnValue(escaping as never);
    expect(() => setup().listen()).toThrow("MSW cannot intercept node:http in Node");
  });
});

test("the fixtures fail where vitest does not run those of a file", async () => {
  const { mock } = mockFixtures() as unknown as { mock: [(...args: unknown[]) => Promise<void>] };
  const use = vi.fn();
  const running = mock[0]({ task: { name: "a test" }, mockServer: [() => {}, {}] }, use);
  await expect(running).rejects.toThrow(/^mockFixtures needs Vitest 3.2 or newer/);
  expect(use).not.toHaveBeenCalled();
});

test("named imports of node:http and node:https are answered", async () => {
  const mock = setupMockServer({ hooks: false });
  closing.push(mock.allowNetwork, mock.close);
  await mock.listen();
  const asked = [
    new Promise((resolve) => http.get("http://ads.test/v1/jobs", resolve)),
    new Promise((resolve) => https.get("https://ads.test/v1/jobs", resolve)),
  ];
  expect(await Promise.all(asked)).toMatchObject([{ statusCode: 401 }, { statusCode: 401 }]);
});
