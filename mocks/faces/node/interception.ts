import type { UnhandledRequests } from "../msw/unhandled-requests.ts";

/** The methods of MSW's server that start and stop it. */
interface Interceptor {
  listen(options: Pick<UnhandledRequests, "onUnhandledFrame">): void;
  close(): void;
}

/**
 * Updates the names of `import { request } from "node:http"`. MSW replaces the module's functions,
 * and names that were imported before would still reach the network.
 */
const syncBuiltinExports = (): void =>
  process.getBuiltinModule("node:module").syncBuiltinESMExports();

/** Makes the switch that sends all requests of this process through MSW, from `start` to `stop`. */
export const createInterception = (
  server: Interceptor,
  { onUnhandledFrame }: UnhandledRequests,
) => {
  let original: typeof fetch | undefined;
  let isPatched = false;
  /** Starts, unless it has started. */
  const start = (): void => {
    if (original !== undefined) return;
    original = globalThis.fetch;
    server.listen({ onUnhandledFrame });
    syncBuiltinExports();
    isPatched = globalThis.fetch !== original;
  };
  /** Lets requests go where they went before. */
  const stop = (): void => {
    if (original === undefined) return;
    original = undefined;
    server.close();
    syncBuiltinExports();
  };
  return {
    start,
    stop,
    /**
     * Checks that requests still go through MSW, and repairs it.
     *
     * @throws Error when another MSW server has ended the interception
     */
    check: (): void => {
      if (!isPatched || globalThis.fetch !== original) return;
      stop();
      start();
      throw new Error(
        "Another MSW server was closed, and that has ended the mock's interception: requests may " +
          "have reached the network. Use one MSW server, and add your handlers to it.",
      );
    },
  };
};
