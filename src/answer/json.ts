import type { ReachedLimit } from "../contract/reached-limit.ts";
import { problemOfId } from "../request/url.ts";

/** Removes every key named `__proto__`, so that no later copy can trip over it. */
const dropProtoKeys = (root: unknown): void => {
  // A list instead of recursion: a valid answer may be nested deeper than the stack.
  const found = [root];
  for (const value of found) {
    if (typeof value !== "object" || value === null) continue;
    Reflect.deleteProperty(value, "__proto__");
    for (const inner of Object.values(value)) found.push(inner);
  }
};

/** Parses JSON, without its `__proto__` keys; `undefined` where a text is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    // Escapes may write it too: `\u005f` is `_`. Searching for short parts is quicker.
    const mayHoldIt = text.includes("__p") || text.includes("\\");
    if (mayHoldIt && /__proto__|\\u00[567]/.test(text)) dropProtoKeys(value);
    return value;
  } catch {
    return undefined;
  }
};

const usableId = (id: unknown): string | undefined =>
  problemOfId(id) === undefined ? (id as string) : undefined;

/** The only job that a text names. A number keeps all its digits, which JSON may lose. */
const onlyIdIn = (text: string): string | undefined => {
  const found = text.matchAll(/"job_id"\s*:\s*(?:"([^"\\]*)"|(\d+)(?=\s*[,}]))/g);
  const ids = new Set(Array.from(found, ([, words, digits]) => words ?? digits));
  return ids.size === 1 ? usableId([...ids][0]) : undefined;
};

/** Fields of a body that may be anything. */
interface Unchecked {
  readonly success?: unknown;
  readonly data?: { readonly job_id?: unknown } | null;
  readonly error?: unknown;
  readonly job_id?: unknown;
  readonly limit?: Partial<ReachedLimit> | null;
}

export const fieldsOf = (json: unknown): Unchecked => json ?? {};

/**
 * The job's id in a 2xx to a submission that cannot be used otherwise. Without the id, a paid
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
  const { success, data } = fieldsOf(json);
  const id = success === true ? data?.job_id : undefined;
  if (typeof id !== "number") return usableId(id);
  const digits = onlyIdIn(text);
  return Number(digits) === id ? digits : undefined;
};

/** The job's id where this library's proxy puts it: beside the envelope of a failure. */
export const jobIdOfProxy = (json: unknown): string | undefined => usableId(fieldsOf(json).job_id);

/** The limit that this library's proxy puts beside the envelope of a failure. */
export const limitOfProxy = (json: unknown): ReachedLimit | undefined => {
  const { kind, limit, windowMs, endsAt } = fieldsOf(json).limit ?? {};
  const isRight = typeof kind === "string" && [limit, windowMs, endsAt].every(Number.isFinite);
  return isRight ? ({ kind, limit, windowMs, endsAt } as ReachedLimit) : undefined;
};
