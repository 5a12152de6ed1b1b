import type { MockRequest, ReadRequest } from "./reply.ts";

/** Origin for a relative URL, if the service has no base URL. */
const anyOrigin = "http://localhost";

/**
 * Reads the API key from an `Authorization` header; `undefined` if it contains none.
 *
 * @see API v1, section 5 "Authentication"
 * @assumed A20
 */
export const apiKeyOf = (authorization: string | null): string | undefined =>
  /^Bearer[ \t]+(\S.*?)[ \t]*$/is.exec(authorization ?? "")?.[1];

/** Waits for a result, and rejects when its request aborts. */
export const untilAborted = async <Value>(
  request: Pick<Request, "signal">,
  pending: Promise<Value>,
): Promise<Value> => {
  const { signal } = request;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([pending, aborted]);
  } finally {
    // This also keeps the request alive: if it were garbage-collected, its signal would never abort.
    request.signal.removeEventListener("abort", abort);
  }
};

/** Matches the URLs that the mock can answer. */
const isHttp = /^https?:\/\//;

/**
 * Creates a `Request` from the arguments of `fetch`.
 *
 * @throws TypeError for arguments that `fetch` refuses as well
 */
export const toRequest = (
  input: Request | string | URL,
  init: RequestInit | null | undefined,
  baseUrl: string | undefined,
): Request => {
  const isRelative = typeof input === "string" && !isHttp.test(input);
  const target = isRelative ? new URL(input, `${baseUrl ?? anyOrigin}/`).href : input;
  const isWhole = target instanceof Request && !init;
  // `fetch` takes null for no options, but the `Request` that MSW puts in place throws.
  const request = isWhole ? target : new Request(target, init ?? undefined);
  if (isHttp.test(request.url)) return request;
  const { protocol } = new URL(request.url);
  throw new TypeError(`The mock's fetch takes "http:" and "https:"; it was given "${protocol}"`);
};

/** Reads a request. If it rejects, as `fetch` does, the service has done nothing. */
export const readRequest = async (request: MockRequest): Promise<ReadRequest> => {
  const { method, url, headers, signal } = request;
  // In Firefox, the `body` of a `Request` is always undefined.
  const known = request.body === null ? "" : request.body;
  const isKnown = typeof known === "string" && !signal.aborted;
  return {
    method,
    url,
    authorization: headers.get("authorization"),
    ...(Symbol.iterator in headers && { headers: headers as Headers }),
    // A body may never end.
    body: isKnown ? known : await untilAborted(request, request.text()),
  };
};
