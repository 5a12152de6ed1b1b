import type { MockRequest } from "./reply.ts";
import type { Exchange } from "./route.ts";

/** What a path without an origin is taken to be below, when there is no base URL. */
const anyOrigin = "http://localhost";

/** Reads the body to its end, or until the signal aborts: a body may never end. */
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

/** Takes what `fetch` takes. */
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

/** Rejects as `fetch` does, and then nothing has happened. */
export const readRequest = async (request: MockRequest): Promise<Exchange> => ({
  method: request.method,
  url: new URL(request.url),
  authorization: request.headers.get("authorization"),
  body: knownText(request) ?? (await readText(request)),
});

const simpleMethods = new Set(["GET", "POST", "PATCH", "DELETE"]);
const simpleFields = new Set(["method", "headers", "body"]);

/** Half a pair, or a byte order mark: what encoding changes. */
const unlikeItsBytes = /^\uFEFF|\p{Cs}/u;

/**
 * The same of a call that needs no `Request`, which costs more than all the rest: a URL, and no
 * more than a method, headers and text. `undefined` when there is anything that `Request` checks.
 */
export const readSimpleCall = (
  input: Request | string | URL,
  init: RequestInit,
  baseUrl: string | undefined,
): Exchange | undefined => {
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
