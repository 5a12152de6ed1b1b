import type { HttpHandler } from "msw";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { artworkPath } from "../http/artwork.ts";
import { preflightHeaders } from "../http/cors.ts";
import { requireKnown } from "../options/require.ts";
import { resolveBaseUrl } from "../options/resolve-options.ts";
import type { MockService } from "../service/mock-service.ts";
import { createInterceptedDelivery, failingAnswer, hasNodeProcess } from "./deliver.ts";
import { http } from "./installed-msw.ts";

/** Options of `createHandlers`. */
export interface CreateHandlersOptions {
  /**
   * Base URL that your code calls, path included; http or https.
   * @default the service's own `baseUrl`; without one, every origin
   */
  baseUrl?: string;
}

/** @inline */
type Answering = Pick<MockService, "reply" | "artwork" | "baseUrl">;

const register = { GET: http.get, POST: http.post, PATCH: http.patch, DELETE: http.delete };

/** Escapes the characters that have a meaning in MSW's patterns. */
const escapePattern = (url: string): string => url.replace(/[*\\]|:(?=[A-Za-z_])/g, "\\$&");

/** Creates a handler that answers with the service, unless `answerBefore` returns an answer. */
const createHandler = (
  service: Answering,
  add: typeof http.get,
  url: string,
  answerBefore?: (request: Request) => Response | undefined,
): HttpHandler => {
  const { deliver, release } = createInterceptedDelivery();
  const handler = add(url, async ({ request }) => {
    try {
      return answerBefore?.(request) ?? (await deliver(await service.reply(request), request));
    } catch (error) {
      // The client has given up, or its body fails: MSW would print a thrown error, and answer 500.
      return failingAnswer(request.signal.aborted ? request.signal.reason : error);
    }
  });
  const reset = handler.reset.bind(handler);
  // MSW calls these between tests and at the end. A stalled request would outlive the test, and
  // `worker.stop()` would wait for it.
  return Object.assign(handler, {
    reset: () => {
      release();
      reset();
    },
    dispose: release,
  });
};

/**
 * Answers the preflight of a page of happy-dom. Its `Request` loses the headers by which the service
 * recognizes a preflight. A browser's `Request` loses them as well, but its preflights never reach a
 * service worker.
 */
const answerHappyDom = (request: Request): Response | undefined => {
  if (!hasNodeProcess()) return undefined;
  const { headers } = new Request(request.url, { headers: { origin: "https://page.invalid" } });
  if (headers.has("origin")) return undefined;
  return new Response(null, { status: 204, headers: preflightHeaders(request) });
};

/**
 * Creates MSW handlers that answer with the service: one for each endpoint of the API, and those for
 * HEAD, OPTIONS, pictures and videos. Pass them to `setupServer`, `setupWorker` or `server.use`, in any
 * order. They play every fault. A broken connection fails as on a socket in Node (`ECONNRESET`,
 * `ECONNREFUSED`), and with "Failed to fetch" in a browser.
 *
 * @throws TypeError when `baseUrl` is not one that the service answers
 * @example
 * ```ts
 * const server = setupServer(...createHandlers(createMockService()));
 * server.listen({ onUnhandledFrame: "error" });
 * ```
 */
export const createHandlers = (
  service: Answering,
  options: CreateHandlersOptions = {},
): HttpHandler[] => {
  requireKnown("handlers' options", ["baseUrl"], options);
  const baseUrl = resolveBaseUrl(options.baseUrl) ?? service.baseUrl;
  if (service.baseUrl !== undefined && service.baseUrl !== baseUrl) {
    throw new TypeError(`The service answers ${service.baseUrl}; no handlers for ${baseUrl}`);
  }
  const origin = baseUrl === undefined ? "*" : escapePattern(baseUrl);
  const all = Object.values<Endpoint>(endpoints);
  const file = `${origin}${artworkPath}/:job/:file`;
  return [
    ...all.map(({ method, path }) => createHandler(service, register[method], origin + path)),
    ...all
      .filter(({ method }) => method === "GET")
      .map(({ path }) => createHandler(service, http.head, origin + path)),
    ...[http.get, http.head].map((add) => add(file, ({ request }) => service.artwork(request))),
    createHandler(service, http.options, `${origin}/v1/*`, answerHappyDom),
  ];
};
