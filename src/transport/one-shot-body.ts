interface KnownRuntimes {
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

/**
 * Whether this runtime's `fetch` takes a stream as body over every protocol: Node does, and Bun and
 * Deno, which say that they are Node. A browser refuses one over HTTP/1.1, and Chromium's network
 * service has crashed over HTTP/2. Workers never send a request twice, and what has a document is taken for a browser.
 */
const takesStreams = (): boolean => {
  const { process, navigator } = globalThis as KnownRuntimes;
  const isNode =
    process?.versions?.node !== undefined && navigator?.userAgent !== "Cloudflare-Workers";
  return isNode && typeof ReadableStream === "function" && !("document" in globalThis);
};

/** A body that is ready to be sent, once. */
export interface OneShotBody {
  readonly content: string | ReadableStream<Uint8Array>;
  /** Headers that the body needs. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Takes the body back, so that it cannot be read any more. `true` when no byte of it was read
   * before: then the request cannot have been carried out, whatever else has happened.
   */
  readonly withdraw: () => boolean;
}

/**
 * Creates a body that the runtime cannot send twice.
 *
 * Runtimes send a POST again by themselves when a reused connection ends before the answer (Deno),
 * or at a 421 (Node). They cannot do so with a stream, since it can be read only once.
 */
export const createOneShotBody = (text: string): OneShotBody => {
  // A text may have been read without a sign of it.
  if (!takesStreams()) return { content: text, headers: {}, withdraw: () => false };
  const bytes = new TextEncoder().encode(text);
  let state: "untouched" | "read" | "withdrawn" = "untouched";
  const content = new ReadableStream<Uint8Array>({
    type: "bytes",
    pull: (controller) => {
      if (state === "withdrawn") {
        controller.error(new Error("the call has ended"));
        return;
      }
      state = "read";
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return {
    content,
    // Without a length it would go out in chunks, which not every server takes.
    headers: { "content-length": String(bytes.byteLength) },
    withdraw: () => {
      const wasUntouched = state !== "read";
      state = "withdrawn";
      return wasUntouched;
    },
  };
};
