import type { Answer, Exchange } from "./route.ts";

/** What a path without an origin is taken to be below, when there is no base URL. */
const anyOrigin = "http://localhost";

/** Reads the body to its end, or until the signal aborts: a body may never end. */
const readText = (request: Request): Promise<string> => {
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

/** Takes what `fetch` takes; rejects as `fetch` does, and then nothing has happened. */
export const readRequest = async (
  input: Request | string | URL,
  init: RequestInit | undefined,
  baseUrl: string | undefined,
): Promise<Exchange> => {
  const target =
    typeof input === "string" ? new URL(input, `${baseUrl ?? anyOrigin}/`).href : input;
  const request =
    target instanceof Request && init === undefined ? target : new Request(target, init);
  return {
    method: request.method,
    url: new URL(request.url),
    authorization: request.headers.get("authorization"),
    body: await readText(request),
  };
};

/** A HEAD has no body, as over HTTP. */
export const writeResponse = (
  { method }: Exchange,
  { status, envelope, retryAfterMs }: Answer,
  requestId: string,
): Response =>
  new Response(method === "HEAD" ? null : JSON.stringify(envelope), {
    status,
    headers: {
      "content-type": "application/json",
      // Under fake timers a kept connection hangs: undici checks an idle one with a timer.
      connection: "close",
      "x-request-id": requestId,
      ...(retryAfterMs !== undefined && {
        "retry-after": String(Math.ceil(retryAfterMs / 1000)),
      }),
    },
  });
