import type { Exchange } from "./route.ts";

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

/** Rejects as `fetch` does, and then nothing has happened. */
export const readRequest = async (request: Request): Promise<Exchange> => ({
  method: request.method,
  url: new URL(request.url),
  authorization: request.headers.get("authorization"),
  body: await readText(request),
});
