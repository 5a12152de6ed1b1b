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

/** Parses JSON without its `__proto__` keys; throws where it is no JSON. */
export const parseJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  if (/__proto__|\\u00[567]/.test(text)) dropProtoKeys(value);
  return value;
};

const idAt = (value: unknown, name: string): string | undefined => {
  const id = isObject(value) ? value[name] : undefined;
  return problemOfId(id) === undefined ? (id as string) : undefined;
};

/** Reads an id by its text: a number beyond 2^53 would lose its last digits in JSON. */
const idInText = (text: string): string | undefined => {
  const [, raw = ""] = /"job_id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/.exec(text) ?? [];
  try {
    const id = raw.startsWith('"') ? String(JSON.parse(raw)) : raw;
    return problemOfId(id) === undefined ? id : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Finds the job's id in the answer to a submission that cannot be used otherwise. Without the id,
 * a paid job is lost; so a body that is cut off, or in another form, is searched too.
 */
export const findJobId = (text: string): string | undefined => {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    // Cut off, or no JSON: only the text can be searched.
  }
  const data = isObject(body) ? body["data"] : undefined;
  return idAt(data, "job_id") ?? idInText(text) ?? idAt(data, "id") ?? idAt(body, "id");
};
