import type { HttpHandler } from "msw";
import { type Endpoint, endpoints } from "../../../src/contract/endpoint.ts";
import { isPreflight, preflightHeaders } from "../../http/preflight.ts";
import { requireKnown } from "../../options/require.ts";
import { resolveBaseUrl } from "../../options/resolve-options.ts";
import type { MockService } from "../../service/mock-service.ts";
import { createInterceptedDelivery, failingAnswer } from "./deliver.ts";
import { http } from "./installed-msw.ts";

/** Options of `createHandlers`. */
export interface CreateHandlersOptions {
  /**
   * Base URL that your code calls, path included; http or https.
   * @default the service's own `baseUrl`; without one, every origin
   */
  baseUrl?: string;
}

const register = { GET: http.get, POST: http.post, PATCH: http.patch, DELETE: http.delete };

/** Escapes the characters that have a meaning in MSW's patterns. */
const escapePattern = (url: string): string => url.replace(/[*\\]|:(?=[A-Za-z_])/g, "\\$&");

const createHandler = (
  service: Pick<MockService, "reply">,
  method: Endpoint["method"],
  url: string,
): HttpHandler => {
  const { deliver, release } = createInterceptedDelivery();
  const handler = register[method](url, async ({ request }) => {
    try {
      return await deliver(await service.reply(request), request);
    } catch (error) {
      // The client has given up: MSW would print a thrown error.
      if (request.signal.aborted) return failingAnswer(request.signal.reason);
      throw error;
    }
  });
  const reset = handler.reset.bind(handler);
  // MSW calls these between tests and at the end. A stalled request would outlive them, and
  // `worker.stop()` waits for it.
  return Object.assign(handler, {
    reset: () => {
      release();
      reset();
    },
    dispose: release,
  });
};

/** Tells whether a `Request` loses the headers by which a preflight is known, as in happy-dom. */
const losesOrigin = (url: string): boolean =>
  !new Request(url, { headers: { origin: "https://page.invalid" } }).headers.has("origin");

/**
 * Makes the handler for what a page of another origin asks before its request. A browser asks on
 * the network, where a service worker sees nothing of it; happy-dom asks by a request.
 */
const createPreflightHandler = (url: string): HttpHandler =>
  http.options(url, ({ request }) => {
    const headers = Object.fromEntries(request.headers);
    if (!isPreflight(request.method, headers) && !losesOrigin(request.url)) return undefined;
    return new Response(null, { status: 204, headers: preflightHeaders(headers) });
  });

/**
 * MSW handlers that answer with the service, one for each endpoint of the API, and one that
 * answers preflights. They are for `setupServer`, `setupWorker` and `server.use`. None hides
 * another, in any order. They play every fault. In Node a broken connection fails as on a socket
 * (`ECONNRESET`, `ECONNREFUSED`), in a browser with "Failed to fetch".
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
  requireKnown("handlers' options", ["baseUrl"], options);
  const baseUrl = resolveBaseUrl(options.baseUrl) ?? service.baseUrl;
  if (service.baseUrl !== undefined && service.baseUrl !== baseUrl) {
    throw new TypeError(`The service answers ${service.baseUrl}; no handlers for ${baseUrl}`);
  }
  const origin = baseUrl === undefined ? "*" : escapePattern(baseUrl);
  const handlers = Object.values<Endpoint>(endpoints).map(({ method, path }) =>
    createHandler(service, method, origin + path),
  );
  return [...handlers, createPreflightHandler(`${origin}/v1/*`)];
};
