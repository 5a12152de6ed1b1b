import type { UnhandledRequests } from "../msw/unhandled-requests.ts";

/** The methods of MSW's server that start and stop it. */
interface Interceptor {
  listen(options: Pick<UnhandledRequests, "onUnhandledFrame">): void;
  close(): void;
}

/** Interception of this process's requests: from its start on, all of them go through MSW. */
export interface Interception {
  /**
   * Checks that requests still go through MSW, and repairs it.
   *
   * @throws Error when another MSW server has ended the interception
   */
  check(): void;
  /** Lets requests go where they went before. */
  stop(): void;
}

/**
 * Updates the names of `import { request } from "node:http"`. MSW replaces the module's functions,
 * and names that were imported before would still reach the network.
 */
const syncBuiltinExports = (): void =>
  process.getBuiltinModule("node:module").syncBuiltinESMExports();

/** Starts to send all requests of this process through MSW. */
export const startInterception = (
  server: Interceptor,
  { onUnhandledFrame }: UnhandledRequests,
): Interception => {
  const original = globalThis.fetch;
  const start = (): void => {
    server.listen({ onUnhandledFrame });
    syncBuiltinExports();
  };
  const stop = (): void => {
    server.close();
    syncBuiltinExports();
  };
  start();
  const isPatched = globalThis.fetch !== original;
  return {
    check: () => {
      if (!isPatched || globalThis.fetch !== original) return;
      stop();
      start();
      throw new Error(
        "Another MSW server was closed, and that has ended the mock's interception: requests may " +
          "have reached the network. Use one MSW server, and add your handlers to it.",
      );
    },
    stop,
  };
};
