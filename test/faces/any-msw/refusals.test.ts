// No request reaches the service while its mock does not answer it. With each MSW that the package
// accepts: see the project "msw2" in vitest.config.ts.
import { createClient, toResult } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { createMockService, refuseNetwork } from "../../../mocks/index.ts";
import { listen as listenOn } from "../../helpers/http-server.ts";
import { askBy, submitTo, useRealService, ways } from "./real-service.ts";

const real = useRealService();
const { setup, closing } = real;

/** A process that refuses requests to the service. */
interface Refusing {
  readonly origin: string;
  readonly code: string;
  readonly message: string;
}

const notListening = (at: string): Refusing => ({
  origin: at,
  code: "ERR_MOCK_NOT_LISTENING",
  message:
    `The mock refused a request to ${new URL(at).host}: it does not listen yet. Call ` +
    "listen before your tests, or give setupMockServer the hooks of your test runner.",
});

const host = "ads.invalid";
const origin = `https://${host}`;

const refusals: Record<string, () => Refusing | Promise<Refusing>> = {
  "before its mock listens": () => {
    setup();
    return notListening(real.url);
  },
  "before its mock listens, which has no hooks": () => {
    setup({ baseUrl: origin, hooks: false });
    return notListening(origin);
  },
  "after its mock was closed, has listened again, and was closed": async () => {
    const mock = setup({ baseUrl: origin });
    for (const _ of ["once", "again"]) {
      await mock.listen();
      expect(await submitTo(origin)).toBe(202);
      mock.close();
      expect(await submitTo(origin)).toBe("ERR_MOCK_CLOSED");
    }
    return {
      origin,
      code: "ERR_MOCK_CLOSED",
      message:
        `The mock refused a request to ${host}: it was closed. Send the request before that, or ` +
        "let requests out by mock.allowNetwork().",
    };
  },
  "by refuseNetwork": () => {
    closing.push(refuseNetwork());
    return {
      origin,
      code: "ERR_MOCK_NO_NETWORK",
      message:
        `A request to ${host} was refused, because refuseNetwork() lets only loopback through. Give ` +
        "your client the mock's fetch, or call the function that refuseNetwork() has returned.",
    };
  },
};

const ad = { action: "generate-ad", prompt: "Summer sale" } as const;

/** Submits by the global `fetch`, and by a caller's own function that calls it. */
const submitByClients = async (baseUrl: string) =>
  Promise.all(
    [{}, { fetch: (request: Request) => fetch(request) }].map(async (reach) => {
      const client = createClient({ baseUrl, apiKey: "test-key", ...reach });
      const { error } = await toResult(client.jobs.submit(ad));
      return { ...error, message: error?.message };
    }),
  );

describe("a request that is refused", () => {
  test.each(Object.entries(refusals))(
    "%s fails by every way, is not sent, and says why",
    async (_, enter) => {
      const { origin, code, message } = await enter();
      const error = await fetch(`${origin}/v1/jobs`).catch((reason) => reason);
      expect(error).toMatchObject({ name: "TypeError", cause: { code, message } });
      for (const way of ways) expect(await askBy(way, `${origin}/v1/jobs`)).toBe(code);
      const expected = { code: "connection", outcome: "not-sent", attempts: 1 };
      for (const failure of await submitByClients(origin)) {
        expect(failure).toMatchObject({
          ...expected,
          message: `POST /v1/jobs got no answer: ${message}`,
        });
      }
    },
  );

  test("where nothing handles it fails by every way, is not sent, and fails the test", async () => {
    const mock = setup({ baseUrl: "https://other.test" });
    await mock.listen();
    for (const way of ways)
      expect(await askBy(way, `${real.url}/collect`)).toBe("ERR_MOCK_UNHANDLED");
    const call = `The mock refused POST ${real.url}/v1/jobs: nothing handles it`;
    for (const failure of await submitByClients(real.url)) {
      expect(failure).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 1 });
      expect(failure.message).toBe(`POST /v1/jobs got no answer: ${call}`);
    }
    const socket = new WebSocket(real.url.replace("http", "ws"));
    await new Promise((resolve) => socket.addEventListener("error", resolve));
    expect(mock.reset).toThrow(
      new Error(
        [
          "Nothing handles these requests, so the mock refused them:",
          `  GET ${real.url}/collect (2 times)`,
          `  POST ${real.url}/v1/jobs (2 times)`,
          `  ws ${real.url.replace("http", "ws")}/`,
          'To others: handle it yourself, or let all of them through with onUnhandled: "bypass".',
        ].join("\n"),
      ),
    );
    expect(mock.reset).not.toThrow();
  });

  test("of another call, inside a caller's fetch, proves nothing of a submission", async () => {
    const service = createMockService();
    closing.push(refuseNetwork());
    const send = async (request: Request) => {
      await service.fetch(request);
      return fetch("https://metrics.test/count");
    };
    const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch: send });
    const { error } = await toResult(client.jobs.submit(ad));
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    service.journal.assertCount(1, { operation: "jobs.submit" });
  });
});

describe("after close", () => {
  test("a fetch that was kept while the mock listened is refused, too", async () => {
    const mock = setup({ baseUrl: origin });
    await mock.listen();
    const kept = fetch;
    mock.close();
    const error = await kept(`${origin}/v1/jobs`).catch((reason) => reason);
    expect(error.cause.code).toBe("ERR_MOCK_CLOSED");
  });

  test("requests to loopback and to others go out", async () => {
    const other = await listenOn((response) => response.end());
    const mock = setup({ baseUrl: other.url });
    await mock.listen();
    mock.close();
    expect(await submitTo(other.url)).toBe(200);
    expect(await askBy("get", `${other.url}/v1/jobs`)).toBe(200);
    expect(await askBy("get", "https://another.invalid/v1/jobs")).toBe("ENOTFOUND");
  });

  test.each(["before", "after"])("all requests go out when it is told %s", async (when) => {
    const own = fetch;
    const mock = setup({ baseUrl: origin });
    await mock.listen();
    if (when === "before") mock.allowNetwork();
    mock.close();
    if (when === "after") mock.allowNetwork();
    expect(fetch).toBe(own);
    expect(await askBy("get", `${origin}/v1/jobs`)).toBe("ENOTFOUND");
  });

  test("a node:http that test files share, as in Jest, is left alone", async () => {
    vi.stubGlobal("Function", class {});
    const mock = setup({ baseUrl: origin });
    await mock.listen();
    mock.close();
    await expect(fetch(`${origin}/v1/jobs`)).rejects.toThrow("fetch failed");
    expect(await askBy("get", `${origin}/v1/jobs`)).toBe("ENOTFOUND");
  });

  test("of mocks in any order, the process is as it was", async () => {
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
});

describe("refuseNetwork", () => {
  test("lets loopback alone through, until its function is called", async () => {
    const own = fetch;
    const [first, second] = [refuseNetwork(), refuseNetwork()];
    closing.push(second);
    const other = await listenOn((response) => response.end());
    expect(await submitTo(other.url)).toBe(200);
    expect(await askBy("get", other.url)).toBe(200);
    expect(await askBy("get", "http://[::1]:9/")).toMatch(/^E(CONNREFUSED|ADDRNOTAVAIL)$/);
    expect((await fetch("data:text/plain,here")).status).toBe(200);
    // The end of one leaves another.
    first();
    expect(await submitTo(origin)).toBe("ERR_MOCK_NO_NETWORK");
    expect(await askBy("get", `http://${host}/`)).toBe("ERR_MOCK_NO_NETWORK");
    second();
    expect(fetch).toBe(own);
    expect(await askBy("get", `${origin}/`)).toBe("ENOTFOUND");
  });

  test("leaves requests to a mock that listens, and takes them back when it is closed", async () => {
    closing.push(refuseNetwork());
    const mock = setup({ baseUrl: origin });
    await mock.listen();
    expect(await submitTo(origin)).toBe(202);
    mock.allowNetwork();
    mock.close();
    expect(await askBy("get", `${origin}/v1/jobs`)).toBe("ERR_MOCK_NO_NETWORK");
  });

  test("holds behind the refusals of another copy of the library", async () => {
    closing.push(refuseNetwork());
    vi.resetModules();
    const copy = await import("../../../mocks/node.ts");
    const mock = copy.setupMockServer({ baseUrl: "https://ads.test", hooks: false });
    closing.unshift(mock.allowNetwork, mock.close);
    expect(await submitTo(origin)).toBe("ERR_MOCK_NO_NETWORK");
    expect(await askBy("get", `${origin}/`)).toBe("ERR_MOCK_NO_NETWORK");
    expect(await askBy("get", "https://ads.test/")).toBe("ERR_MOCK_NOT_LISTENING");
  });
});
