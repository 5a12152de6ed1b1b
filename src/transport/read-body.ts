import { bodyWasRead } from "../answer/failed-fetch.ts";
import { type Failure, undecodable } from "../errors/make-error.ts";
import { describeKind } from "../errors/text.ts";

/** Another library's stream may give texts. */
const bytesOf = (value: unknown): Uint8Array => {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (ArrayBuffer.isView(value)) return value as Uint8Array;
  throw new Error(`your fetch's body gave ${describeKind(value)}, not bytes`);
};

/** Streams that responses have: the platform's, or Node's in other fetch libraries. */
interface BodyStream {
  readonly locked?: boolean;
  readonly getReader?: () => BodyReader;
  readonly [Symbol.asyncIterator]?: () => AsyncIterator<unknown>;
  readonly destroy?: () => void;
}

interface BodyReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  cancel?(): unknown;
}

/** The whole text at once, where a response has no stream. */
async function* readText(response: Response): AsyncGenerator<string> {
  if (typeof response.text !== "function") {
    throw new Error("your fetch gave a Response without a stream and without text()");
  }
  yield await response.text();
}

const readerOf = (response: Response): BodyReader => {
  const body = response.body as BodyStream | null | undefined;
  if (response.bodyUsed || body?.locked) throw new Error(bodyWasRead);
  if (typeof body?.getReader === "function") return body.getReader();
  const iterator = body?.[Symbol.asyncIterator]?.() ?? readText(response);
  return { read: () => iterator.next(), cancel: () => body?.destroy?.() };
};

/**
 * Reads a body into `chunks`, counting decoded bytes as they come. It stops at an abort of
 * `signal`, and after `maxBytes`: with a failure.
 */
export const readBody = async (
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  chunks: Uint8Array[],
): Promise<Failure | undefined> => {
  const reader = readerOf(response);
  // Another library's reader may have no `cancel`, or throw in it.
  const cancel = () => void (async () => reader.cancel?.())().catch(() => {});
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return undefined;
    const chunk = bytesOf(value);
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      return undecodable("too-large", `more than maxResponseBytes (${maxBytes})`);
    }
    chunks.push(chunk);
  }
};

/** Decodes a body's chunks. One chunk alone is decoded without a stream's state, which is quicker. */
export const decodeChunks = (chunks: readonly Uint8Array[]): string => {
  const decoder = new TextDecoder();
  const last = chunks.length - 1;
  return chunks.map((chunk, place) => decoder.decode(chunk, { stream: place < last })).join("");
};
