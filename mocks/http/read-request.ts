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

const simpleMethods = new Set(["GET", "POST", "PATCH", "DELETE"]);
const simpleFields = new Set(["method", "headers", "body"]);

/** Text that UTF-8 encoding would change: a lone surrogate or a leading byte order mark. */
const unlikeItsBytes = /^\uFEFF|\p{Cs}/u;

/** Names and values that `Headers` would keep as they are. */
const plainName = /^[a-z0-9-]+$/;
const plainValue = /^[!-~](?:[ -~]*[!-~])?$/;

/** Copies headers, for the log too; `undefined` when only `Headers` would read them right. */
const copyPlainHeaders = (headers: object | null): Record<string, string> | undefined => {
  if (headers === null || Object.getPrototypeOf(headers) !== Object.prototype) return undefined;
  if (Object.getOwnPropertySymbols(headers).length > 0) return undefined;
  const copy: Record<string, string> = { ...headers };
  for (const name in copy) {
    const value: unknown = copy[name];
    if (!plainName.test(name) || typeof value !== "string" || !plainValue.test(value)) {
      return undefined;
    }
  }
  return copy;
};

/**
 * Reads a call of `fetch` without making a `Request`, which costs more than all the rest. That is
 * possible for an absolute URL with no more than a method, plain headers and text. `undefined` for
 * every other call, because `Request` must check it.
 */
export const readSimpleCall = (input: unknown, init: RequestInit): ReadRequest | undefined => {
  if (typeof input !== "string" || !isHttp.test(input)) return undefined;
  // An instance of a class may have a signal that no loop sees.
  if (Object.getPrototypeOf(init) !== Object.prototype) return undefined;
  for (const name in init) if (!simpleFields.has(name)) return undefined;
  const { method = "GET", headers: given = {}, body = "" } = init;
  if (!simpleMethods.has(method) || typeof body !== "string" || unlikeItsBytes.test(body)) {
    return undefined;
  }
  if (init.body !== undefined && method === "GET") return undefined;
  const url = new URL(input);
  if (url.username !== "" || url.password !== "") return undefined;
  const headers = copyPlainHeaders(given);
  if (headers === undefined) return undefined;
  return { method, url, authorization: headers["authorization"] ?? null, headers, body };
};
