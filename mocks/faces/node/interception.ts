import type { UnhandledRequests } from "../msw/unhandled-requests.ts";

/** MSW's server, as far as it is started and stopped. */
interface Interceptor {
  listen(options: Pick<UnhandledRequests, "onUnhandledFrame">): void;
  close(): void;
}

/** From its start on, no request of this process passes MSW by. */
export interface Interception {
  /**
   * Looks whether it is still so, and makes it so again.
   *
   * @throws Error when another MSW server has ended it
   */
  check(): void;
  stop(): void;
}

/**
 * Brings `import { request } from "node:http"` up to date: MSW changes what the module holds, and
 * names that were imported before would go on reaching the network.
 */
const syncBuiltinExports = (): void =>
  process.getBuiltinModule("node:module").syncBuiltinESMExports();

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
