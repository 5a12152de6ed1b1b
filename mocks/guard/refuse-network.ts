import { addRule } from "./guard.ts";
import type { RefusalOf } from "./refusing-fetch.ts";
import { isLoopback } from "./urls.ts";

const loopbackAlone: RefusalOf = (url) => {
  if (url !== undefined && (!url.protocol.startsWith("http") || isLoopback(url.hostname))) {
    return undefined;
  }
  const error = new Error(
    `A request to ${url?.host ?? "a host that no URL can have"} was refused, because refuseNetwork() lets only loopback through. Give ` +
      "your client the mock's fetch, or call the function that refuseNetwork() has returned.",
  );
  return Object.assign(error, { code: "ERR_MOCK_NO_NETWORK" });
};

/**
 * Refuses all requests of this process, except those to loopback, until you call the function that it
 * returns. With one call in a set-up file, code that bypasses the mock fails and costs nothing. While
 * a mock listens, its own options decide instead.
 *
 * In Node, it covers `fetch`, `node:http`, `node:https` and the npm package `undici`, with any agent or
 * dispatcher; elsewhere it covers the global `fetch`. It doesn't cover worker threads, child processes,
 * `node:http2` and plain sockets.
 *
 * While MSW or nock intercepts requests, this refuses nothing, because nobody can tell yet which of
 * the requests they will answer. Let them refuse the others, by `onUnhandledRequest: "error"` in MSW 2,
 * `onUnhandledFrame: "error"` in MSW 3, and `nock.disableNetConnect()`.
 *
 * @throws Error in versions of Node that can't be guarded; it names the version you need
 * @returns Function that lets requests out again
 * @example
 * ```ts
 * // vitest.setup.ts
 * refuseNetwork();
 * ```
 */
export const refuseNetwork = (): (() => void) =>
  // Each call adds a rule of its own, so that ending one leaves the others.
  addRule((url) => loopbackAlone(url));
