import type { RequestOptions } from "node:http";
import { urlToHttpOptions } from "node:url";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { setupMockServer } from "../../../mocks/node.ts";
import { type HttpServer, listen } from "../../helpers/http-server.ts";

type Options = NonNullable<Parameters<typeof setupMockServer>[0]>;
type Mock = ReturnType<typeof setupMockServer>;

/** A service that costs money: no test may reach it. */
interface RealService {
  readonly url: string;
  /** Makes a mock, of that service unless the options say otherwise, which ends after the test. */
  readonly setup: (options?: Options) => Mock;
  /** Makes such a mock, and lets it listen. */
  readonly start: (options?: Options) => Promise<Mock>;
  /** Ends after the test, in this order. */
  readonly closing: (() => void)[];
}

/** Gives each test of a file a service, fails the test that reaches it, and cleans up. */
export const useRealService = (): RealService => {
  const own = globalThis.fetch;
  const closing: (() => void)[] = [];
  let real: HttpServer;
  beforeEach(async () => {
    real = await listen((response) => response.end("{}"));
  });
  afterEach(() => {
    unstub();
    for (const close of closing.splice(0)) close();
    globalThis.fetch = own;
    expect(real.received).toEqual([]);
  });
  const setup = (options: Options = { baseUrl: real.url }): Mock => {
    const mock = setupMockServer(options);
    closing.push(mock.allowNetwork, mock.close);
    return mock;
  };
  return {
    closing,
    get url() {
      return real.url;
    },
    setup,
    start: async (options) => {
      const mock = setup(options);
      await mock.listen();
      return mock;
    },
  };
};

/** Taken out of their modules before anything listens, as named imports are in Jest. */
const captured = {
  http: { ...process.getBuiltinModule("node:http") },
  https: { ...process.getBuiltinModule("node:https") },
};

/** Functions of `node:http` and `node:https` that send a request. */
export const ways = ["get", "request"] as const;

/** Sends a request, and gives the status of its answer, or the code of its error. */
export const askBy = (
  way: (typeof ways)[number],
  target: string | RequestOptions,
): Promise<number | string> =>
  new Promise((resolve) => {
    const options = typeof target === "string" ? urlToHttpOptions(new URL(target)) : target;
    const module = options.protocol === "https:" ? captured.https : captured.http;
    const request = module[way](options, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? "no status"));
    });
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.end();
  });

/** Submits a job by `fetch`, and gives the status of its answer, or the code of its error. */
export const submitTo = (url: string, send = fetch): Promise<number | string> =>
  send(`${url}/v1/jobs`, {
    method: "POST",
    headers: { authorization: "Bearer test-key", "content-type": "application/json" },
    body: JSON.stringify({ action: "generate-ad" }),
  }).then(
    ({ status }) => status,
    (error) => error.cause?.code ?? error.code ?? error.message,
  );

/** Ways to put a function that calls through in the place of `fetch`. */
export const stubs = {
  "vi.stubGlobal": () => void vi.stubGlobal("fetch", vi.fn(globalThis.fetch)),
  "vi.spyOn": () => void vi.spyOn(globalThis, "fetch"),
};

/** Ends all of these. */
export const unstub = (): void => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
};
