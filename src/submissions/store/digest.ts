import { sha256 } from "./sha256.ts";

/** Longest text of an excerpt, and the longest excerpt, as JSON. */
const maxText = 200;
const maxExcerpt = 4_000;

/** Writes a value as JSON with the names of each object in order. */
const inOrder = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inOrder).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${inOrder(item)}`).join()}}`;
};

/**
 * Distinguishes a request from others: the SHA-256 of a JSON value, the same whatever the order of its
 * fields. It is synchronous, because a submission may not wait for real time under fake timers.
 */
export const digestOf = (value: unknown): string => sha256(inOrder(value));

/**
 * Cuts a request to what a person needs to recognise it: pictures as data URLs have megabytes, and a
 * record is written before each submission.
 */
export const excerptOf = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const text = JSON.stringify(body, (_, value) =>
    typeof value === "string" && value.length > maxText
      ? `${value.slice(0, maxText)}… (${value.length} characters)`
      : value,
  );
  const excerpt = JSON.parse(text);
  if (text.length <= maxExcerpt) return excerpt;
  const { action, prompt, brand_id, variations, duration } = excerpt;
  return { action, prompt, brand_id, variations, duration };
};
