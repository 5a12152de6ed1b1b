import type { MockRequest, ReadRequest } from "./reply.ts";

/** Origin of a path that comes without one, when the service has no base URL. */
const anyOrigin = "http://localhost";

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

/** Makes a `Request` from the arguments of `fetch`. */
export const toRequest = (
  input: Request | string | URL,
  init: RequestInit | undefined,
  baseUrl: string | undefined,
): Request => {
  const target =
    typeof input === "string" ? new URL(input, `${baseUrl ?? anyOrigin}/`).href : input;
  return target instanceof Request && init === undefined ? target : new Request(target, init);
};

const knownText = ({ body, signal }: MockRequest): string | undefined => {
  if (signal.aborted) return undefined;
  if (body === null) return "";
  return typeof body === "string" ? body : undefined;
};

/** Reads a request. Rejects as `fetch` does, and then the service has done nothing. */
export const readRequest = async (request: MockRequest): Promise<ReadRequest> => ({
  method: request.method,
  url: request.url,
  authorization: request.headers.get("authorization"),
  body: knownText(request) ?? (await readText(request)),
});

const simpleMethods = new Set(["GET", "POST", "PATCH", "DELETE"]);
const simpleFields = new Set(["method", "headers", "body"]);

/** Text that UTF-8 encoding would change: a lone surrogate or a leading byte order mark. */
const unlikeItsBytes = /^\uFEFF|\p{Cs}/u;

/**
 * Reads a call of `fetch` without making a `Request`, which costs more than all the rest. That is
 * possible for a URL with no more than a method, headers and text. `undefined` for every other
 * call, because `Request` must check it.
 */
export const readSimpleCall = (
  input: Request | string | URL,
  init: RequestInit,
  baseUrl: string | undefined,
): ReadRequest | undefined => {
  if (input instanceof Request) return undefined;
  for (const name in init) if (!simpleFields.has(name)) return undefined;
  const { method = "GET", headers, body = "" } = init;
  if (!simpleMethods.has(method) || typeof body !== "string" || unlikeItsBytes.test(body)) {
    return undefined;
  }
  if (init.body !== undefined && method === "GET") return undefined;
  const url = new URL(input, `${baseUrl ?? anyOrigin}/`);
  if (url.username !== "" || url.password !== "") return undefined;
  const authorization = headers === undefined ? null : new Headers(headers).get("authorization");
  return { method, url, authorization, body };
};
