import type { RequestOptions } from "node:http";
import { urlToHttpOptions } from "node:url";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type MockSetupSettings, setupMockServer } from "../../../mocks/node.ts";
import { type HttpServer, listen } from "../../helpers/http-server.ts";

/** A service that no test may reach, and a mock of it. */
interface RealService {
  /** URL of a service that costs money: no test may reach it. */
  readonly url: string;
  /** Makes a mock of that service, which ends after the test. */
  readonly setup: (
    options?: MockSetupSettings & { baseUrl?: string },
  ) => ReturnType<typeof setupMockServer>;
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
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    for (const close of closing.splice(0)) close();
    globalThis.fetch = own;
    expect(real.received).toEqual([]);
  });
  return {
    closing,
    get url() {
      return real.url;
    },
    setup: (options = {}) => {
      const mock = setupMockServer({ baseUrl: real.url, ...options });
      closing.push(mock.allowNetwork, mock.close);
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
export const submitTo = (url: string): Promise<number | string> =>
  fetch(`${url}/v1/jobs`, {
    method: "POST",
    headers: { authorization: "Bearer test-key", "content-type": "application/json" },
    body: JSON.stringify({ action: "generate-ad" }),
  }).then(
    ({ status }) => status,
    (error) => error.cause?.code ?? error.code ?? error.message,
  );
