// No request reaches the service while its mock does not answer it. With each MSW that the package
// accepts: see the project "msw2" in vitest.config.ts.
import * as http from "node:http";
import { createClient, toResult } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { refuseNetwork } from "../../../mocks/index.ts";
import { listen as listenOn } from "../../helpers/http-server.ts";
import {
  askBy,
  placeOfMocks,
  stubs,
  submitTo,
  unstub,
  useRealService,
  ways,
} from "./real-service.ts";

const real = useRealService();
const { setup, start, closing } = real;

const notListening = (at: string) => ({
  origin: at,
  code: "ERR_MOCK_NOT_LISTENING",
  message:
    `The mock of ${placeOfMocks} refused a request to ${new URL(at).host}: it does not listen yet. Call ` +
    "listen before your tests, or give setupMockServer the hooks of your test runner.",
});

const host = "ads.invalid";
const origin = `https://${host}`;

const withoutNetwork = () => {
  closing.push(refuseNetwork());
  return {
    origin,
    code: "ERR_MOCK_NO_NETWORK",
    message:
      `A request to ${host} was refused, because refuseNetwork() lets only loopback through. Give ` +
      "your client the mock's fetch, or call the function that refuseNetwork() has returned.",
  };
};

/** Ways to a process that refuses requests to an origin, with this code and message. */
const refusals = {
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
      const kept = fetch;
      mock.close();
      for (const send of [fetch, kept]) {
        expect(await submitTo(origin, send)).toBe("ERR_MOCK_CLOSED");
      }
    }
    return {
      origin,
      code: "ERR_MOCK_CLOSED",
      message:
        `The mock of ${placeOfMocks} refused a request to ${host}: it was closed. Send the request before that, or ` +
        "let requests out by mock.allowNetwork().",
    };
  },
  "by refuseNetwork": withoutNetwork,
  "by refuseNetwork, behind the refusals of another copy of the library": async () => {
    const refusing = withoutNetwork();
    vi.resetModules();
    const copy = await import("../../../mocks/node/index.ts");
    const mock = copy.setupMockServer({ baseUrl: "https://ads.test", hooks: false });
    closing.unshift(mock.allowNetwork, mock.close);
    expect(await askBy("get", "https://ads.test/")).toBe("ERR_MOCK_NOT_LISTENING");
    return refusing;
  },
};

/** Submits by the global `fetch`, and by a caller's own function that calls it. */
const submitByClients = async (baseUrl: string) =>
  Promise.all(
    [{}, { fetch: (request: Request) => fetch(request) }].map(async (reach) => {
      const client = createClient({ baseUrl, apiKey: "test-key", ...reach });
      const { error } = await toResult(
        client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" }),
      );
      return { ...error, message: error?.message };
    }),
  );

describe("a request that is refused", () => {
  test.each(Object.entries(refusals))(
    "a request refused for %s fails by every way, is not sent, and says why",
    async (_, enter) => {
      const { origin, code, message } = await enter();
      const error = await fetch(`${origin}/v1/jobs`).catch((reason) => reason);
      expect(error).toMatchObject({ name: "TypeError", cause: { code, message } });
      const expected = { code: "connection", outcome: "not-sent", attempts: 1 };
      for (const failure of await submitByClients(origin)) {
        expect(failure).toMatchObject({
          ...expected,
          message: `POST /v1/jobs got no answer: ${message}`,
        });
      }
      for (const stub of Object.values(stubs)) {
        stub();
        expect(await submitTo(origin)).toBe(code);
        unstub();
      }
      for (const way of ways) expect(await askBy(way, `${origin}/v1/jobs`)).toBe(code);
      // A test may have replaced the method by which the agents of `node:http` send.
      vi.spyOn(http.Agent.prototype as never, "addRequest" as never);
      for (const way of ways) expect(await askBy(way, `${origin}/v1/jobs`)).toBe(code);
    },
  );

  test("an unhandled request fails by every way, is not sent, and fails the test", async () => {
    const mock = await start({ baseUrl: "https://other.test" });
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
      [
        "Nothing handles these requests, so the mock refused them:",
        `  GET ${real.url}/collect (2 times)`,
        `  POST ${real.url}/v1/jobs (2 times)`,
        `  ws ${real.url.replace("http", "ws")}/`,
        "Requests to the service: ",
      ].join("\n"),
    );
    expect(mock.reset).not.toThrow();
  });
});

describe("after close", () => {
  test("after close, requests to loopback and to others go out", async () => {
    const other = await listenOn((response) => response.end());
    (await start({ baseUrl: other.url })).close();
    expect(await submitTo(other.url)).toBe(200);
    expect(await askBy("get", `${other.url}/v1/jobs`)).toBe(200);
    expect(await askBy("get", "https://another.invalid/v1/jobs")).toBe("ENOTFOUND");
  });

  test("after close and allowNetwork, in any order and for all mocks, every request goes out", async () => {
    const own = fetch;
    for (const names of [
      ["allowNetwork", "close"],
      ["close", "allowNetwork"],
    ] as const) {
      const first = await start({ baseUrl: origin });
      const second = setup({ baseUrl: "https://other.test" });
      for (const mock of [first, second]) for (const name of names) mock[name]();
      expect(fetch).toBe(own);
      expect(await askBy("get", `${origin}/v1/jobs`)).toBe("ENOTFOUND");
    }
  });

  test("after close, requests of this file alone are refused where test files share Node, as in Jest", async () => {
    const own = new Set<unknown>();
    // Imitate another realm, where Node's functions aren't instances of `Function`.
    vi.stubGlobal("Function", { [Symbol.hasInstance]: (value: unknown) => own.has(value) });
    const baseUrl = `http://${host}`;
    const open = vi.fn();
    vi.stubGlobal("XMLHttpRequest", class {});
    Object.assign(XMLHttpRequest.prototype, { open });
    const mock = await start({ baseUrl });
    mock.close();
    await expect(fetch(`${baseUrl}/v1/jobs`)).rejects.toThrow("fetch failed");
    expect(await askBy("get", `${baseUrl}/v1/jobs`)).toBe("ENOTFOUND");
    const error = await new Promise<unknown>((resolve) => {
      own.add(resolve);
      http.get(`${baseUrl}/v1/jobs`, resolve).on("error", resolve);
    });
    expect(error).toMatchObject({ code: "ERR_MOCK_CLOSED" });
    const openXhr = () => new XMLHttpRequest().open("POST", `${baseUrl}/v1/jobs`);
    expect(openXhr).toThrow("it was closed");
    expect(open).not.toHaveBeenCalled();
    mock.allowNetwork();
    openXhr();
    expect(open).toHaveBeenCalledOnce();
  });
});

test("refuseNetwork lets loopback alone through, until its function is called", async () => {
  const own = fetch;
  const [first, second] = [refuseNetwork(), refuseNetwork()];
  closing.push(second);
  const other = await listenOn((response) => response.end());
  expect(await submitTo(other.url)).toBe(200);
  expect(await askBy("get", other.url)).toBe(200);
  expect(await askBy("get", "http://[::1]:9/")).toMatch(/^E(CONNREFUSED|ADDRNOTAVAIL)$/);
  expect((await fetch("data:text/plain,here")).status).toBe(200);
  // When one refusal ends, the other one stays.
  first();
  expect(await submitTo(origin)).toBe("ERR_MOCK_NO_NETWORK");
  expect(await askBy("get", `http://${host}/`)).toBe("ERR_MOCK_NO_NETWORK");
  second();
  expect(fetch).toBe(own);
  expect(await askBy("get", `${origin}/`)).toBe("ENOTFOUND");
});

test.each([
  ["which has no process.getBuiltinModule", undefined],
  [
    'whose process.getBuiltinModule throws for "node:vm"',
    () => {
      throw new Error("A Node.js API is used");
    },
  ],
])("the mock refuses to guard a Node %s, and nothing is guarded by halves", (how, value) => {
  const own = fetch;
  const descriptor = Object.getOwnPropertyDescriptor(process, "getBuiltinModule");
  Object.defineProperty(process, "getBuiltinModule", { value, configurable: true });
  try {
    for (const guard of [refuseNetwork, () => setup({ baseUrl: origin })]) {
      expect(guard).toThrow(
        `adgen-sdk/mocks cannot guard requests of node:http in Node ${process.version}, ${how}: ` +
          "they would reach the real service. Use Node 22.13 or newer.",
      );
      expect(fetch).toBe(own);
    }
  } finally {
    Object.defineProperty(process, "getBuiltinModule", descriptor ?? {});
  }
});
