import type { ReadRequest } from "./reply.ts";

/** A request that was read from a URL and plain options. */
export interface PlainRequest extends ReadRequest {
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
}

/** Drops a byte order mark and replaces lone surrogates, as `fetch` does when it sends a text. */
const asSent = (text: string): string =>
  /[\uFEFF\uD800-\uDFFF]/.test(text)
    ? new TextDecoder().decode(new TextEncoder().encode(text))
    : text;

const plainOptions = ["method", "headers", "body", "signal"];

/**
 * Reads a URL with plain options, such as a text body, without a `Request`: creating one takes longer
 * than answering it. Returns `undefined` for everything else, which only `Request` can read or refuse.
 */
export const readPlainRequest = (
  input: unknown,
  init: RequestInit | null | undefined,
): PlainRequest | undefined => {
  if (typeof input !== "string" || !/^https?:\/\//.test(input)) return undefined;
  for (const name in init) if (!plainOptions.includes(name)) return undefined;
  const { method = "GET", body, signal } = init ?? {};
  const hasText = typeof body === "string" && /^(POST|PUT|PATCH|DELETE)$/.test(method);
  const hasNone = body === undefined && /^(GET|HEAD|DELETE)$/.test(method);
  if (!hasText && !hasNone) return undefined;
  if (signal !== undefined && !(signal instanceof AbortSignal)) return undefined;
  const url = new URL(input);
  if (url.username !== "" || url.password !== "") return undefined;
  const headers = new Headers(init?.headers);
  if (hasText && !headers.has("content-type")) {
    headers.set("content-type", "text/plain;charset=UTF-8");
  }
  return {
    method,
    url,
    signal,
    authorization: headers.get("authorization"),
    headers,
    body: hasText ? asSent(body) : "",
  };
};
