import type { UnhandledRequests } from "./unhandled-requests.ts";

/** MSW's server, as far as it is started and stopped. */
interface Interceptor {
  listen(options: Pick<UnhandledRequests, "onUnhandledFrame">): void;
  close(): void;
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
): void => {
  server.listen({ onUnhandledFrame });
  syncBuiltinExports();
};

export const stopInterception = (server: Interceptor): void => {
  server.close();
  syncBuiltinExports();
};
