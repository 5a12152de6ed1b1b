import { bodyWasRead } from "../answer/failed-fetch.ts";
import { type Failure, undecodable } from "../errors/make-error.ts";

/**
 * Reads a body into `chunks`, counting decoded bytes as they come. It stops at an abort of
 * `signal`, and after `maxBytes`: with a failure.
 */
export const readBody = async (
  { body, bodyUsed }: Response,
  maxBytes: number,
  signal: AbortSignal,
  chunks: Uint8Array[],
): Promise<Failure | undefined> => {
  if (bodyUsed || body?.locked) throw new Error(bodyWasRead);
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return undefined;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      return undecodable("too-large", `more than maxResponseBytes (${maxBytes})`);
    }
    chunks.push(value);
  }
};

/** Decodes a body's chunks. One chunk alone is decoded without a stream's state, which is quicker. */
export const decodeChunks = (chunks: readonly Uint8Array[]): string => {
  const decoder = new TextDecoder();
  const last = chunks.length - 1;
  return chunks.map((chunk, place) => decoder.decode(chunk, { stream: place < last })).join("");
};
