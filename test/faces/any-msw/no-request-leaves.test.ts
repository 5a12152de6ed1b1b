// Situations in which MSW alone lets a request out. With each MSW that the package accepts: see the
// project "msw2" in vitest.config.ts.
import * as http from "node:http";
import { type FakeMethod, install, timers } from "@sinonjs/fake-timers";
import axios from "axios";
import { setupServer } from "msw/node";
import { describe, expect, test } from "vitest";
import { refuseNetwork } from "../../../mocks/index.ts";
import type { MockSetup } from "../../../mocks/node.ts";
import { listen } from "../../helpers/http-server.ts";
import { askBy, submitTo, useRealService } from "./real-service.ts";

const { setup, closing } = useRealService();

type End = number | string;
type Send = (url: string) => Promise<End>;

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

/** Sends requests whose connections are kept. */
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
  // Jest names all that there are.
  "Jest's timers": withFakes(Object.keys(timers) as FakeMethod[]),
  "sinon's timers": withFakes(undefined),
};

/** Ends of a request that cost nothing: an answer of the mock, or a refusal. */
const harmless = [200, 202, "ERR_MOCK_FAKE_TICKS", "ERR_MOCK_INTERCEPTION_ENDED"];

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
});
void refuseNetwork;
