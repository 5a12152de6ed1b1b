import type { RequestOptions } from "node:http";
import { urlToHttpOptions } from "node:url";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type MockSetupOptions, setupMockServer } from "../../../mocks/node/index.ts";
import { type HttpServer, listen } from "../../helpers/http-server.ts";

/** The place where `useRealService` makes its mocks, as their messages name it. */
export const placeOfMocks = "real-service.ts:30";

/**
 * Gives each test of a file a service that costs money, fails the test that reaches it, and cleans
 * up.
 */
export const useRealService = () => {
  const own = globalThis.fetch;
  /** Functions that clean up after the test, in this order. */
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
  /** Makes a mock, of that service unless the options say otherwise, which ends after the test. */
  const setup = (options: MockSetupOptions = { baseUrl: real.url }) => {
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
    /** Makes a mock of the real service, and lets it listen. */
    start: async (options?: MockSetupOptions) => {
      const mock = setup(options);
      await mock.listen();
      return mock;
    },
  };
};

/** Copies of the modules from before anything listens, as named imports are in Jest. */
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
