import { isObject } from "../options/rules.ts";
import { refuse } from "./answer.ts";

/** Bounds of a request's body. */
export interface BodyBounds {
  readonly maxRequestBytes: number;
  readonly bodyTimeoutMs: number;
}

/** A form or a text of another site needs no leave of the browser: JSON does. */
const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Reads the bytes of a body, counting them as they come. */
const readBytes = async (
  { body }: Request,
  { maxRequestBytes, bodyTimeoutMs }: BodyBounds,
): Promise<Uint8Array<ArrayBuffer>[]> => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  if (body === null) return chunks;
  const reader = body.getReader();
  let isLate = false;
  const leave = (): void => void reader.cancel().catch(() => {});
  const timer = setTimeout(() => {
    isLate = true;
    leave();
  }, bodyTimeoutMs);
  try {
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read().catch(() => refuse(400, "the body was cut off"));
      if (isLate) {
        // Nothing is wrong with the call itself: an earlier request of it may have been in time.
        const outcome = "not-sent";
        refuse(408, `the body took longer than ${bodyTimeoutMs} ms (bodyTimeoutMs)`, { outcome });
      }
      if (done) return chunks;
      bytes += value.byteLength;
      if (bytes > maxRequestBytes) {
        leave();
        refuse(413, `the body has more than ${maxRequestBytes} bytes (maxRequestBytes)`);
      }
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Reads a request's body: an object in JSON, in UTF-8, uncompressed. A key that stands twice counts
 * once: the service gets what is written anew of this object, and no two readings of one text.
 */
export const readJsonBody = async (
  request: Request,
  bounds: BodyBounds,
): Promise<Readonly<Record<string, unknown>>> => {
  const { headers } = request;
  if (!jsonType.test(headers.get("content-type") ?? "")) {
    refuse(415, "the body must be JSON: content-type application/json, in UTF-8");
  }
  if ((headers.get("content-encoding") ?? "identity") !== "identity") {
    refuse(415, "the body must not be compressed: send it without content-encoding");
  }
  if (Number(headers.get("content-length")) > bounds.maxRequestBytes) {
    refuse(413, `the body has more than ${bounds.maxRequestBytes} bytes (maxRequestBytes)`);
  }
  const bytes = await new Blob(await readBytes(request, bounds)).arrayBuffer();
  let value: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text, (name, item) => (name === "__proto__" ? undefined : item));
  } catch {
    refuse(400, "the body is not JSON in UTF-8");
  }
  return isObject(value) ? value : refuse(400, "the body must be an object in JSON");
};
