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
export const apiKeyOf = (authorization: string | null): string | undefined =>
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
 * Refuses values such as `null`, which would become the path "/null". Objects that stringify to an
 * absolute URL pass, as `fetch` takes them.
 */
const requireAddress = (input: unknown): void => {
  if (typeof input === "string" || input instanceof Request || input instanceof URL) return;
  if (typeof input === "object" && input !== null && URL.canParse(String(input))) return;
  throw new TypeError(
    `The mock's fetch takes a Request, a URL or its text; it was given ${input === undefined ? input : show(input)}`,
  );
};

/** Decodes a text from its bytes, which drops a byte order mark and replaces lone surrogates. */
const asSent = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

/** Addresses that the mock answers. */
const isHttp = /^https?:\/\//;

/** The arguments of a `fetch` as a `Request`, and its body where that was given as text. */
export interface FetchRequest {
  readonly request: Request;
  readonly text?: string;
}

/**
 * Makes a `Request` from the arguments of `fetch`. It leaves out a body that is given as text,
 * because a `Request` would make a stream of it, which takes longer than the answer.
 *
 * @throws TypeError as `fetch` does, when they make none
 */
export const toRequest = (
  input: Request | string | URL,
  given: RequestInit | null | undefined,
  baseUrl: string | undefined,
): FetchRequest => {
  requireAddress(input);
  // `fetch` takes null for no options; the `Request` that MSW puts in place fails at it.
  const init = given ?? undefined;
  const isRelative = typeof input === "string" && !isHttp.test(input);
  const target = isRelative ? new URL(input, `${baseUrl ?? anyOrigin}/`).href : input;
  const { body, ...rest } = init ?? {};
  // `Request` refuses a GET with a body, and `init` may leave the method to another `Request`.
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
 * Reads a request. Rejects as `fetch` does, and then the service has done nothing.
 *
 * @param text - The whole body, when the caller has it
 */
export const readRequest = async (request: MockRequest, text?: string): Promise<ReadRequest> => {
  const { method, url, headers, signal } = request;
  // Firefox has no `body` in a `Request`: there it is undefined, whatever was given.
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
