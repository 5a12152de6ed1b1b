import { sha256 } from "./sha256.ts";

/** Maximum length of a text in an excerpt, and of the whole excerpt as JSON, in characters. */
const maxTextLength = 200;
const maxExcerptLength = 4_000;

/** Writes a value as JSON, with the names of each object in alphabetical order. */
const formatSorted = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(formatSorted).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${formatSorted(item)}`).join()}}`;
};

/**
 * Returns the SHA-256 of a JSON value, which does not depend on the order of fields. It is
 * synchronous, because a submission must not need real time under fake timers.
 */
export const digestOf = (value: unknown): string => sha256(formatSorted(value));

/**
 * Shortens a request to the fields by which a person recognises it. A record is written before each
 * submission, and pictures in data URLs have megabytes.
 */
export const excerptOf = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const text = JSON.stringify(body, (_, value) =>
    typeof value === "string" && value.length > maxTextLength
      ? `${value.slice(0, maxTextLength)}… (${value.length} characters)`
      : value,
  );
  const excerpt = JSON.parse(text);
  if (text.length <= maxExcerptLength) return excerpt;
  const { action, prompt, brand_id, variations, duration } = excerpt;
  return { action, prompt, brand_id, variations, duration };
};
