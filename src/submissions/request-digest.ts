import { makeError } from "../errors/make-error.ts";

/** Writes a value as JSON with the names of each object in order. */
const inOrder = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inOrder).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${inOrder(item)}`).join()}}`;
};

/**
 * Digest of a method and the JSON value that it sends: SHA-256, the same whatever the order of the
 * fields. `undefined` where the platform has no SHA-256.
 */
export const digestOf = async (method: string, body: unknown): Promise<string | undefined> => {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return undefined;
  const bytes = new TextEncoder().encode(inOrder([method, body]));
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** The same for a call with an id of the caller: without a digest, no repeat can be told. */
export const requireDigest = async (method: string, body: unknown): Promise<string> => {
  const digest = await digestOf(method, body);
  if (digest !== undefined) return digest;
  throw makeError("config", "once needs SHA-256 (crypto.subtle): open the page over https", {
    outcome: "not-sent",
  });
};
