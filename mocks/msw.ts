/**
 * @module adgen-sdk/mocks/msw
 */
import { type HttpHandler, http } from "msw";
import { type Endpoint, endpoints } from "../src/contract/endpoint.ts";
import { resolveBaseUrl } from "./config.ts";
import type { MockService } from "./mock-service.ts";

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

/**
 * MSW handlers that answer with the service, one for each endpoint of the API, for
 * `setupServer`, `setupWorker` and `server.use`. None hides another, in any order.
 *
 * @throws TypeError when `baseUrl` is not one that the service answers
 * @example
 * ```ts
 * const server = setupServer(...createHandlers(createMockService()));
 * server.listen({ onUnhandledFrame: "error" });
 * ```
 */
export const createHandlers = (
  service: Pick<MockService, "fetch" | "baseUrl">,
  options: CreateHandlersOptions = {},
): HttpHandler[] => {
  const baseUrl = resolveBaseUrl(options.baseUrl) ?? service.baseUrl;
  if (service.baseUrl !== undefined && service.baseUrl !== baseUrl) {
    throw new TypeError(`The service answers ${service.baseUrl}; no handlers for ${baseUrl}`);
  }
  const origin = baseUrl === undefined ? "*" : escapePattern(baseUrl);
  return Object.values<Endpoint>(endpoints).map(({ method, path }) =>
    register[method](origin + path, ({ request }) => service.fetch(request)),
  );
};
