import { isObject } from "../options/rules.ts";
import { waitAtMost } from "../sleep.ts";
import { ownClock } from "../submissions/clock.ts";
import { refuse } from "./answer.ts";

/** Bounds of a request's body. */
export interface BodyBounds {
  readonly maxRequestBytes: number;
  readonly bodyTimeoutMs: number;
}

/** A form or a text of another site needs no leave of the browser: JSON does. */
const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** The most values of a body, and its most levels: others must not wait while one body is read. */
const mostValues = 100_000;
const mostLevels = 500;

const refuseLarge = (most: number): never =>
  refuse(413, `the body has more than ${most} bytes (maxRequestBytes)`);

const refuseText = (): never => refuse(400, "the body is not JSON in UTF-8");

/** Reads the text of a body, counting its bytes as they come. */
const readText = async (
  { body }: Request,
  { maxRequestBytes, bodyTimeoutMs }: BodyBounds,
): Promise<string> => {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return refuseText();
    }
  };
  let text = "";
  const readAll = async (): Promise<void> => {
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read().catch(() => refuse(400, "the body was cut off"));
      text += decode(value);
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxRequestBytes) refuseLarge(maxRequestBytes);
    }
  };
  try {
    if (await waitAtMost(ownClock, bodyTimeoutMs, undefined, readAll())) return text;
    // Nothing is wrong with the call itself: an earlier request of it may have been in time.
    const words = `the body took longer than ${bodyTimeoutMs} ms (bodyTimeoutMs)`;
    return refuse(408, words, { outcome: "not-sent" });
  } finally {
    void reader.cancel().catch(() => {});
  }
};

/** Counts what must be values, before a parser takes seconds for millions of them. */
const requireFewValues = (json: string): void => {
  // The body itself is no value of it.
  let values = -1;
  let level = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '"') isText = !isText;
    else if (isText) at += Number(sign === "\\");
    else if (sign === "," || sign === "[" || sign === "{") {
      if (++values > mostValues) refuse(400, `the body holds more than ${mostValues} values`);
      if (sign !== ",") deepest = Math.max(deepest, ++level);
    } else if (sign === "]" || sign === "}") level--;
  }
  if (deepest > mostLevels) refuse(400, `the body is nested more than ${mostLevels} levels deep`);
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
  const { maxRequestBytes } = bounds;
  if (Number(headers.get("content-length")) > maxRequestBytes) refuseLarge(maxRequestBytes);
  const text = await readText(request, bounds);
  if (text === "") {
    const reason = "where the page has sent one, a body parser before the proxy has read it";
    refuse(400, `the body is empty: ${reason}`);
  }
  requireFewValues(text);
  let value: unknown;
  try {
    // The name that changes objects is left out, at any depth.
    value = JSON.parse(text, (name, item) => (name === "__proto__" ? undefined : item));
  } catch {
    refuseText();
  }
  return isObject(value) ? value : refuse(400, "the body must be an object in JSON");
};
