import { isObject } from "../options/rules.ts";
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

const refuseText = (): never => refuse(400, "the body is not JSON in UTF-8");

/** Reads the text of a body, counting its bytes as they come. */
const readText = async (
  { body }: Request,
  { maxRequestBytes, bodyTimeoutMs }: BodyBounds,
): Promise<string> => {
  if (body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = body.getReader();
  let text = "";
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
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > maxRequestBytes) {
        refuse(413, `the body has more than ${maxRequestBytes} bytes (maxRequestBytes)`);
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    leave();
    throw error instanceof TypeError ? refuseText() : error;
  } finally {
    clearTimeout(timer);
  }
};

const requireFew = (values: number): void => {
  if (values > mostValues) refuse(400, `the body holds more than ${mostValues} values`);
};

/** Finds the end of a text in JSON. */
const endOfText = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (json[first - 1] === "\\") first--;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
};

/** Counts what must be values, before a parser takes seconds for millions of them. */
const countValues = (json: string): void => {
  let commas = 0;
  // The body itself is no value of it.
  let brackets = -1;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '"') at = endOfText(json, at);
    else if (sign === ",") requireFew(++commas);
    else if (sign === "[" || sign === "{") requireFew(++brackets);
  }
};

/** Bounds what has been read, level by level, and takes names of prototypes out. */
const tidy = (body: unknown): void => {
  let values = 0;
  let level = [body];
  for (let depth = 0; level.length > 0; depth++) {
    level = level.flatMap((value) => {
      if (typeof value !== "object" || value === null) return [];
      Reflect.deleteProperty(value, "__proto__");
      const items: unknown[] = Object.values(value);
      values += items.length;
      requireFew(values);
      return items;
    });
    if (depth > mostLevels) refuse(400, `the body is nested more than ${mostLevels} levels deep`);
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
  const text = await readText(request, bounds);
  if (text === "") {
    const reason = "where the page has sent one, a body parser before the proxy has read it";
    refuse(400, `the body is empty: ${reason}`);
  }
  countValues(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuseText();
  }
  tidy(value);
  return isObject(value) ? value : refuse(400, "the body must be an object in JSON");
};
