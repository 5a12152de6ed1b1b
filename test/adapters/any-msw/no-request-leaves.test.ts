// Situations in which MSW alone lets a request out. With each MSW that the package accepts: see the
// project "msw2" in vitest.config.ts.
import * as http from "node:http";
import { type FakeMethod, install, timers } from "@sinonjs/fake-timers";
import axios from "axios";
import { HttpResponse, http as handle } from "msw";
import { setupServer } from "msw/node";
import { describe, expect, test } from "vitest";
import { refuseNetwork } from "../../../mocks/index.ts";
import type { MockSetup } from "../../../mocks/node/index.ts";
import { listen } from "../../helpers/http-server.ts";
import { askBy, placeOfMocks, submitTo, useRealService } from "./real-service.ts";

const { setup, closing } = useRealService();

type End = number | string;
type Send = (url: string) => Promise<End>;

/** True where vitest runs this file with the older MSW (project "msw2"). */
const isMsw2 = !("readyState" in setupServer());

const agent = new http.Agent({ keepAlive: true });

const submitByHttp: Send = (url) => {
  const { hostname, port } = new URL(url);
  const headers = { authorization: "Bearer test-key" };
  return askBy("request", { hostname, port, path: "/v1/jobs", method: "GET", headers, agent });
};

const submitByAxios: Send = (url) => {
  const headers = { authorization: "Bearer test-key" };
  const options = { adapter: "http", httpAgent: agent, proxy: false, headers } as const;
  return axios.post(`${url}/v1/jobs`, { action: "generate-ad" }, options).then(
    ({ status }) => status,
    ({ code }) => code,
  );
};

const ways = { fetch: submitTo, "node:http": submitByHttp, "axios over node:http": submitByAxios };

/** Sends requests on connections that are kept for the next ones. */
const keepConnections = async (url: string): Promise<void> => {
  await Promise.all([1, 2, 3, 4, 5].map(() => submitTo(url)));
  await submitByHttp(url);
  await new Promise((resolve) => setTimeout(resolve, 1));
};

const withoutFakes = (work: () => Promise<End[]>) => work();

const withFakes = (toFake: FakeMethod[] | undefined) => async (work: () => Promise<End[]>) => {
  const clock = install(toFake && { toFake });
  try {
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    for (let passes = 0; !isDone && passes < 1_000; passes += 1) await clock.tickAsync(50);
    return isDone ? await done : [];
  } finally {
    clock.runMicrotasks();
    clock.uninstall();
  }
};

const openAnother = (): void => {
  const other = setupServer();
  other.listen({ onUnhandledFrame: "bypass", onUnhandledRequest: "bypass" } as never);
  closing.unshift(() => other.close());
};

type Start = () => Promise<MockSetup>;

/** Ways into a situation, with a mock that listens. */
const situations: Record<string, (start: Start, url: string) => unknown> = {
  "a kept connection": async (start, url) => {
    await keepConnections(url);
    await start();
  },
  "a second server before": async (start) => {
    openAnother();
    await start();
  },
  "a second server after": async (start) => {
    await start();
    openAnother();
  },
  "close, requests and listen": async (start, url) => {
    (await start()).close();
    await keepConnections(url);
    await start();
  },
  "Jest's timers": (start) => start(),
  "sinon's timers": (start) => start(),
};

const fakes: Record<string, typeof withoutFakes> = {
  // Jest fakes each timer that exists.
  "Jest's timers": withFakes(Object.keys(timers) as FakeMethod[]),
  "sinon's timers": withFakes(undefined),
};

/** How a request may end without a cost: with an answer of the mock, or with a refusal. */
const harmless = [200, 202, "ERR_MOCK_FAKE_TICKS", "ERR_MOCK_INTERCEPTION_ENDED"];

/** How a request to another service may end when no handler takes it. */
const refused = ["ERR_MOCK_UNHANDLED", "ERR_MOCK_NO_NETWORK"];

describe.each(Object.entries(situations))("with %s", (situation, enter) => {
  const use = fakes[situation] ?? withoutFakes;
  test.each(Object.entries(ways))("no request by %s leaves", async (_, send) => {
    const real = await listen((response) => response.end("{}"));
    let mock: MockSetup | undefined;
    const start = async () => {
      mock ??= setup({ baseUrl: real.url });
      await mock.listen();
      return mock;
    };
    await enter(start, real.url);
    const before = real.received.length;
    const ends = await use(async () => {
      const seen = [];
      while (seen.length < 5) seen.push(await send(real.url));
      return seen;
    });
    expect(ends).toEqual(Array(5).fill(expect.toBeOneOf(harmless)));
    expect(real.received.length).toBe(before);
  });

  test.each(Object.entries(ways))("refuseNetwork holds for %s", async (_, send) => {
    closing.push(refuseNetwork());
    const mock = setup({ baseUrl: "http://ads.invalid" });
    const start = async () => {
      await mock.listen();
      return mock;
    };
    await enter(start, "http://ads.invalid");
    const ends = await use(async () => [
      await send("http://ads.invalid"),
      await send("http://other.invalid"),
    ]);
    expect(ends[0]).toBeOneOf(harmless);
    // A second server of MSW lets requests out that the mock would refuse.
    if (situation !== "a second server after") expect(ends[1]).toBeOneOf(refused);
    const isNoted = ends[1] === "ERR_MOCK_UNHANDLED";
    if (isNoted) expect(mock.reset).toThrow("http://other.invalid/v1/jobs");
  });
});

describe("while fake timers stand in place of ticks", () => {
  const faked = async (work: () => unknown): Promise<unknown> => {
    const clock = install({ toFake: ["nextTick", "queueMicrotask"] });
    try {
      return await work();
    } finally {
      clock.runMicrotasks();
      clock.uninstall();
    }
  };

  test("with faked ticks, a request by node:http that MSW 3 cannot get is refused, and the message says what to do", async () => {
    const mock = setup({ baseUrl: "http://ads.invalid" });
    await mock.listen();
    const asked = () =>
      new Promise<Error | undefined>((resolve) => {
        http.get("http://ads.invalid/v1/jobs", () => resolve(undefined)).on("error", resolve);
      });
    const error = await faked(() => (isMsw2 ? undefined : asked()));
    if (isMsw2) return;
    expect(error).toMatchObject({
      code: "ERR_MOCK_FAKE_TICKS",
      message:
        `The mock of ${placeOfMocks} refused a request to ads.invalid: fake timers stand in place of process.nextTick ` +
        "or queueMicrotask, and MSW needs the real ones to intercept node:http. Use " +
        'doNotFake: ["nextTick", "queueMicrotask"] in Jest, and toNotFake with Sinon.',
    });
  });

  test("with faked ticks, a fetch to others is answered by the user's handlers", async () => {
    const mock = setup({ baseUrl: "http://ads.invalid", onUnhandled: "bypass" });
    await mock.listen();
    mock.server.use(handle.get("http://other.invalid/", () => new HttpResponse("mine")));
    const answer = await faked(() => fetch("http://other.invalid/"));
    expect(answer).toMatchObject({ status: 200 });
  });

  test("with faked ticks, listen says that MSW needs ticks instead of waiting forever", async () => {
    const mock = setup({ baseUrl: "http://ads.invalid" });
    const listening = await faked(() => {
      try {
        return mock.listen();
      } catch (error) {
        return error;
      }
    });
    if (!isMsw2) {
      expect(String(listening)).toMatch(/does not listen: fake timers.*doNotFake/s);
      expect(await submitTo("http://ads.invalid")).toBe("ERR_MOCK_NOT_LISTENING");
      await mock.listen();
    }
    expect(await submitTo("http://ads.invalid")).toBe(202);
  });
});

test("reset reports a server that listened before the mock, because its handlers get nothing", async () => {
  const other = setupServer(handle.get("http://other.invalid/", () => new HttpResponse("cart")));
  other.listen();
  const mock = setup({ baseUrl: "http://ads.invalid" });
  await mock.listen();
  await expect(fetch("http://other.invalid/")).rejects.toThrow();
  expect(mock.reset).toThrow("give handlers for them to the mock, because another MSW server");
  other.close();
});

test("reset reports a second MSW server while it is open", async () => {
  const mock = setup({ baseUrl: "http://ads.invalid" });
  await mock.listen();
  expect(mock.reset).not.toThrow();
  const other = setupServer();
  other.listen();
  for (const _ of ["once", "again"]) {
    expect(await submitTo("http://ads.invalid")).toBe(202);
    expect(mock.reset).toThrow(
      "Another MSW server listens beside the mock, and gets all requests but those to the service. " +
        "Those by fetch the mock has answered, and those by node:http it has refused. Close the " +
        "other server (setupServer(...).listen()), and give its handlers to the mock: " +
        "setupMockServer({ handlers: [...] }).",
    );
  }
  other.close();
  expect(mock.reset).toThrow("Another MSW server was closed");
  expect(mock.reset).not.toThrow();
});
