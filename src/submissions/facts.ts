import { makeError } from "../errors/make-error.ts";

/** Longest text of an excerpt, and the longest excerpt, as JSON. */
const longestText = 200;
const longestExcerpt = 4_000;

/** Writes a value as JSON with the names of each object in order. */
const inOrder = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inOrder).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${inOrder(item)}`).join()}}`;
};

/** Distinguishes a request from others: SHA-256 of a JSON value, the same whatever the order of its fields. */
export const digestOf = async (value: unknown): Promise<string> => {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) {
    throw makeError("config", "once needs SHA-256 (crypto.subtle): open the page over https", {
      outcome: "not-sent",
    });
  }
  const bytes = new TextEncoder().encode(inOrder(value));
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/**
 * Cuts a request to what a person needs to recognise it: pictures as data URLs have megabytes, and a
 * record is written before each submission.
 */
export const excerptOf = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const text = JSON.stringify(body, (_, value) =>
    typeof value === "string" && value.length > longestText
      ? `${value.slice(0, longestText)}… (${value.length} characters)`
      : value,
  );
  const excerpt = JSON.parse(text);
  if (text.length <= longestExcerpt) return excerpt;
  const { action, prompt, brand_id, variations, duration } = excerpt;
  return { action, prompt, brand_id, variations, duration };
};
