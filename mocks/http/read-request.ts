import { showValue } from "../options/require.ts";
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

/** Reads the body. It stops when the signal aborts, because a body may never end. */
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
 * Refuses values such as `null`, which would become the path "/null". Like `fetch`, it accepts objects
 * whose text is an absolute URL.
 */
const requireAddress = (input: unknown): void => {
  if (typeof input === "string" || input instanceof Request || input instanceof URL) return;
  if (typeof input === "object" && input !== null && URL.canParse(String(input))) return;
  throw new TypeError(
    `The mock's fetch takes a Request, a URL or a string; it was given ${input === undefined ? input : showValue(input)}`,
  );
};

/** Converts a text to bytes and back, which drops a byte order mark and replaces lone surrogates. */
const asSent = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

/** Matches the URLs that the mock can answer. */
const isHttp = /^https?:\/\//;

/** The arguments of `fetch` as a `Request`, with the body apart if it was given as a string. */
export interface FetchRequest {
  readonly request: Request;
  readonly text?: string;
}

/**
 * Creates a `Request` from the arguments of `fetch`. A body that is a string is left out, because
 * `Request` would make a stream of it, and reading that takes longer than answering.
 *
 * @throws TypeError for arguments that `fetch` refuses as well
 */
export const toRequest = (
  input: Request | string | URL,
  given: RequestInit | null | undefined,
  baseUrl: string | undefined,
): FetchRequest => {
  requireAddress(input);
  // `fetch` takes null for no options, but the `Request` that MSW puts in place throws.
  const init = given ?? undefined;
  const isRelative = typeof input === "string" && !isHttp.test(input);
  const target = isRelative ? new URL(input, `${baseUrl ?? anyOrigin}/`).href : input;
  const { body, ...rest } = init ?? {};
  // `Request` itself must refuse a GET with a body.
  const hasText =
    typeof body === "string" &&
    !(target instanceof Request) &&
    !/^(get|head)?$/i.test(rest.method ?? "");
  const isWhole = target instanceof Request && init === undefined;
  const request = isWhole ? target : new Request(target, hasText ? rest : init);
  if (!isHttp.test(request.url)) {
    const { protocol } = new URL(request.url);
    throw new TypeError(`The mock's fetch takes "http:" and "https:"; it was given "${protocol}"`);
  }
  if (!hasText) return { request };
  const { headers } = request;
  if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
  return { request, text: asSent(body) };
};

/**
 * Reads a request. If it rejects, as `fetch` does, the service has done nothing.
 *
 * @param text - The whole body, if the caller has it already
 */
export const readRequest = async (request: MockRequest, text?: string): Promise<ReadRequest> => {
  const { method, url, headers, signal } = request;
  // In Firefox, the `body` of a `Request` is always undefined.
  const known = text ?? (request.body === null ? "" : request.body);
  const isKnown = typeof known === "string" && !signal.aborted;
  return {
    method,
    url,
    authorization: headers.get("authorization"),
    ...(Symbol.iterator in headers && { headers: headers as Headers }),
    body: isKnown ? known : await readText(request),
  };
};
