import type { HttpHandler } from "msw";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { artworkPath } from "../http/artwork.ts";
import { preflightHeaders } from "../http/cors.ts";
import { requireKnown } from "../options/require.ts";
import { resolveBaseUrl } from "../options/resolve-options.ts";
import type { MockService } from "../service/mock-service.ts";
import { createInterceptedDelivery, failingAnswer, hasNodeProcess } from "./deliver.ts";
import { mswHttp } from "./installed-msw.ts";

/** Options of `createHandlers`. */
export interface CreateHandlersOptions {
  /**
   * Base URL that your code calls, including the path; http or https.
   * @default the service's own `baseUrl`; if it has none, every origin
   */
  baseUrl?: string;
}

/** @inline */
type Answering = Pick<MockService, "reply" | "artwork" | "baseUrl">;

const register = {
  GET: mswHttp.get,
  POST: mswHttp.post,
  PATCH: mswHttp.patch,
  DELETE: mswHttp.delete,
};

/** Escapes the characters that have a meaning in MSW's patterns. */
const escapePattern = (url: string): string => url.replace(/[*\\]|:(?=[A-Za-z_])/g, "\\$&");

/** Creates a handler that answers with the service, unless `answerBefore` returns an answer. */
const createHandler = (
  service: Answering,
  add: typeof mswHttp.get,
  url: string,
  answerBefore?: (request: Request) => Response | undefined,
): HttpHandler => {
  const { deliver, release } = createInterceptedDelivery();
  const handler = add(url, async ({ request }) => {
    try {
      return answerBefore?.(request) ?? (await deliver(await service.reply(request), request));
    } catch (error) {
      // The client has given up, or its body fails. MSW would print a thrown error, and answer 500.
      return failingAnswer(request.signal.aborted ? request.signal.reason : error);
    }
  });
  const reset = handler.reset.bind(handler);
  // MSW calls these between tests and at the end. Otherwise, a stalled request would outlive its test,
  // and `worker.stop()` would wait for it.
  return Object.assign(handler, {
    reset: () => {
      release();
      reset();
    },
    dispose: release,
  });
};

/**
 * Answers the preflight of a page in happy-dom, whose `Request` drops the headers by which the service
 * recognizes a preflight. A browser's `Request` drops them too, but no preflight reaches a service
 * worker.
 */
const answerHappyDom = (request: Request): Response | undefined => {
  if (!hasNodeProcess()) return undefined;
  const { headers } = new Request(request.url, { headers: { origin: "https://page.invalid" } });
  if (headers.has("origin")) return undefined;
  return new Response(null, { status: 204, headers: preflightHeaders(request) });
};

/**
 * Creates MSW handlers that answer with the service: one for each endpoint of the API, and others for
 * HEAD, OPTIONS, pictures and videos. Pass them to `setupServer`, `setupWorker` or `server.use`, in any
 * order. They play every fault. A broken connection fails with the socket's error in Node
 * (`ECONNRESET`, `ECONNREFUSED`), and with "Failed to fetch" in a browser.
 *
 * @throws TypeError when the service doesn't answer `baseUrl`
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
    throw new TypeError(
      `The service answers only ${service.baseUrl}: handlers for ${baseUrl} would never answer`,
    );
  }
  const origin = baseUrl === undefined ? "*" : escapePattern(baseUrl);
  const all = Object.values<Endpoint>(endpoints);
  const file = `${origin}${artworkPath}/:job/:file`;
  return [
    ...all.map(({ method, path }) => createHandler(service, register[method], origin + path)),
    ...all
      .filter(({ method }) => method === "GET")
      .map(({ path }) => createHandler(service, mswHttp.head, origin + path)),
    ...[mswHttp.get, mswHttp.head].map((add) =>
      add(file, ({ request }) => service.artwork(request)),
    ),
    createHandler(service, mswHttp.options, `${origin}/v1/*`, answerHappyDom),
  ];
};
