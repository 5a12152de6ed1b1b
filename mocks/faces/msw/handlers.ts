import { type HttpHandler, http } from "msw";
import { type Endpoint, endpoints } from "../../../src/contract/endpoint.ts";
import { requireKnown } from "../../options/require.ts";
import { resolveBaseUrl } from "../../options/resolve-options.ts";
import type { MockService } from "../../service/mock-service.ts";
import { createInterceptedDelivery, failingAnswer } from "./deliver.ts";

/** Where the handlers listen. */
export interface CreateHandlersOptions {
  /**
   * The base URL your code calls, path included; http or https.
   * @default the service's own `baseUrl`; without one, every origin
   */
  baseUrl?: string;
}

const register = { GET: http.get, POST: http.post, PATCH: http.patch, DELETE: http.delete };

/** What a pattern gives a meaning to, in a path that means itself. */
const escapePattern = (url: string): string => url.replace(/[*\\]|:(?=[A-Za-z_])/g, "\\$&");

const createHandler = (
  service: Pick<MockService, "reply">,
  method: Endpoint["method"],
  url: string,
): HttpHandler => {
  const { deliver, release } = createInterceptedDelivery();
  const handler = register[method](url, async ({ request }) => {
    try {
      return await deliver(await service.reply(request), request.signal);
    } catch (error) {
      // Nobody waits for an answer any more, and MSW would print a thrown error.
      if (request.signal.aborted) return failingAnswer(request.signal.reason);
      throw error;
    }
  });
  const reset = handler.reset.bind(handler);
  // MSW calls these between tests and at the end; a stalled request would outlive them, and
  // `worker.stop()` waits for it.
  return Object.assign(handler, {
    reset: () => {
      release();
      reset();
    },
    dispose: release,
  });
};

/**
 * MSW handlers that answer with the service, one for each endpoint of the API, for
 * `setupServer`, `setupWorker` and `server.use`. None hides another, in any order. They play
 * every fault: in Node as sockets do (`ECONNRESET`, `ECONNREFUSED`), in a browser a broken
 * connection is "Failed to fetch", whatever broke it.
 *
 * @throws TypeError when `baseUrl` is not one that the service answers
 * @example
 * ```ts
 * const server = setupServer(...createHandlers(createMockService()));
 * server.listen({ onUnhandledFrame: "error" });
 * ```
 */
export const createHandlers = (
  service: Pick<MockService, "reply" | "baseUrl">,
  options: CreateHandlersOptions = {},
): HttpHandler[] => {
  requireKnown("handlers' options", options, ["baseUrl"]);
  const baseUrl = resolveBaseUrl(options.baseUrl) ?? service.baseUrl;
  if (service.baseUrl !== undefined && service.baseUrl !== baseUrl) {
    throw new TypeError(`The service answers ${service.baseUrl}; no handlers for ${baseUrl}`);
  }
  const origin = baseUrl === undefined ? "*" : escapePattern(baseUrl);
  return Object.values<Endpoint>(endpoints).map(({ method, path }) =>
    createHandler(service, method, origin + path),
  );
};
