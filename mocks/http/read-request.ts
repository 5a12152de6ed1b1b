import { show } from "../options/require.ts";
import type { MockRequest, ReadRequest } from "./reply.ts";

/** Origin of a path that comes without one, when the service has no base URL. */
const anyOrigin = "http://localhost";

/**
 * Reads the API key from an `Authorization` header; `undefined` when it holds none.
 *
 * @see API v1, section 5 "Authentication"
 * @assumed A20
 */
export const keyOf = (authorization: string | null): string | undefined =>
  /^Bearer[ \t]+(\S.*?)[ \t]*$/is.exec(authorization ?? "")?.[1];

/** Reads the body to its end, or until the signal aborts, because a body may never end. */
const readText = (request: MockRequest): Promise<string> => {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    request
      .text()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
};

/**
 * Refuses what is no address at all, such as `null`, which would be read as the path "/null".
 * Other objects that stand for an absolute URL are taken as `fetch` takes them.
 */
const requireAddress = (input: unknown): void => {
  if (typeof input === "string" || input instanceof Request || input instanceof URL) return;
  if (typeof input === "object" && input !== null && URL.canParse(String(input))) return;
  throw new TypeError(
    `The mock's fetch takes a Request, a URL or its text; it was given ${input === undefined ? input : show(input)}`,
  );
};

/** Addresses that the mock answers. */
const isHttp = /^https?:\/\//;

/**
 * Makes a `Request` from the arguments of `fetch`.
 *
 * @throws TypeError as `fetch` does, when they make none
 */
export const toRequest = (
  input: Request | string | URL,
  init: RequestInit | undefined,
  baseUrl: string | undefined,
): Request => {
  requireAddress(input);
  const target =
    typeof input === "string" ? new URL(input, `${baseUrl ?? anyOrigin}/`).href : input;
  const request =
    target instanceof Request && init === undefined ? target : new Request(target, init);
  if (isHttp.test(request.url)) return request;
  const { protocol } = new URL(request.url);
  throw new TypeError(`The mock's fetch takes "http:" and "https:"; it was given "${protocol}"`);
};

/** Reads a request. Rejects as `fetch` does, and then the service has done nothing. */
export const readRequest = async (request: MockRequest): Promise<ReadRequest> => {
  const { method, url, headers, signal } = request;
  const known = request.body === null ? "" : request.body;
  const isKnown = typeof known === "string" && !signal.aborted;
  return {
    method,
    url,
    authorization: headers.get("authorization"),
    ...(Symbol.iterator in headers && { headers: headers as Headers }),
    body: isKnown ? known : await readText(request),
  };
};
