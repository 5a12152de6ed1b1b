import { addRule } from "./guard.ts";
import { isLoopback } from "./loopback.ts";
import type { RefusalOf } from "./refusing-fetch.ts";

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
 * Refuses every request of this process to anything but loopback, until the function that it
 * returns is called. One call in a set-up file is enough for all its tests: code that goes past
 * the mock then fails, and pays nothing. A mock that listens judges requests by its own options.
 *
 * In Node it sees `fetch`, `node:http`, `node:https` and the npm package `undici`, whichever agent or
 * dispatcher is used; elsewhere it sees the global `fetch`. It does not see worker threads, child
 * processes, `node:http2` and plain sockets.
 *
 * @throws Error in a Node that is too old to guard its `node:http`
 * @returns Function that lets requests out again
 * @example
 * ```ts
 * // vitest.setup.ts
 * refuseNetwork();
 * ```
 */
export const refuseNetwork = (): (() => void) =>
  // Each call has its own rule, so that its end leaves the others.
  addRule((url) => loopbackAlone(url));
