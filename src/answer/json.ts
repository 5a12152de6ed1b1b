import type { ReachedLimit } from "../contract/reached-limit.ts";
import { problemOfId } from "../request/url.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Removes every key named `__proto__`, so that no later copy can trip over it. */
const dropProtoKeys = (root: unknown): void => {
  // A list instead of recursion: a valid answer may be nested deeper than the stack.
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (!isObject(value)) continue;
    if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
    for (const name in value) if (Object.hasOwn(value, name)) open.push(value[name]);
  }
};

/** Parses JSON, without its `__proto__` keys; `undefined` where a text is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    if (/__proto__|\\u00[567]/.test(text)) dropProtoKeys(value);
    return value;
  } catch {
    return undefined;
  }
};

/** Reads an id that a call can name. */
const usableId = (id: unknown): string | undefined =>
  problemOfId(id) === undefined ? (id as string) : undefined;

/** Reads the only job that a text names. A number keeps all its digits, which JSON may lose. */
const onlyIdIn = (text: string): string | undefined => {
  const found = text.matchAll(/"job_id"\s*:\s*(?:"([^"\\]*)"|(\d+)(?=\s*[,}]))/g);
  const ids = new Set(Array.from(found, ([, words, digits]) => words ?? digits));
  return ids.size === 1 ? usableId([...ids][0]) : undefined;
};

/**
 * Finds the job's id in a 2xx to a submission that cannot be used otherwise. Without the id, a paid
 * job is lost. But an answer may also show what was sent, and other jobs. So only `data.job_id` of a
 * success is believed. In a text that is cut off, or no JSON, the request must not hold the id.
 *
 * @param json - The text, parsed; `undefined` where it is no JSON
 * @param sent - Body of the request, as JSON
 */
export const findJobId = (text: string, json: unknown, sent: string): string | undefined => {
  if (json === undefined) {
    const id = /"success"\s*:\s*false/.test(text) ? undefined : onlyIdIn(text);
    return id === undefined || sent.includes(id) ? undefined : id;
  }
  const data = isObject(json) && json["success"] === true ? json["data"] : undefined;
  const id = isObject(data) ? data["job_id"] : undefined;
  if (typeof id !== "number") return usableId(id);
  const digits = onlyIdIn(text);
  return Number(digits) === id ? digits : undefined;
};

/** Reads the job's id where this library's proxy puts it: beside the envelope of a failure. */
export const jobIdOfProxy = (json: unknown): string | undefined =>
  isObject(json) ? usableId(json["job_id"]) : undefined;

/** Reads the limit that this library's proxy puts beside the envelope of a failure. */
export const limitOfProxy = (body: unknown): ReachedLimit | undefined => {
  const limit = isObject(body) ? body["limit"] : undefined;
  if (!isObject(limit)) return undefined;
  const { kind, limit: most, windowMs, endsAt } = limit;
  const isRight = typeof kind === "string" && [most, windowMs, endsAt].every(Number.isFinite);
  return isRight ? ({ kind, limit: most, windowMs, endsAt } as ReachedLimit) : undefined;
};
