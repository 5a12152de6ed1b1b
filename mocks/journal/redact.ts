import { hash } from "../seeded/ids.ts";

/** Names and values of headers. @inline */
export type HeaderPairs = Iterable<readonly [string, string]> | Readonly<Record<string, string>>;

const longestKey = 1_000;

/** Shortens a key that is longer than any real one, so that it fills no memory. */
export const shortenKey = (key: string): string =>
  key.length > longestKey ? `${key.slice(0, longestKey - 20)}…${hash(key).toString(36)}` : key;

/** Masks a key for logs and the journal: its prefix, and a hash of four characters. */
export const maskKey = (key: string): string => {
  const [prefix = ""] = /^[a-z0-9]{1,12}-/i.exec(key) ?? [];
  return `${prefix}…${hash(shortenKey(key)).toString(36).padStart(4, "0").slice(-4)}`;
};

/** Names of headers that hold keys or what stands for a person. */
const secret = /auth|cookie|credential|jwt|key|pass|secret|session|signature|token/i;

/** Characters of a header that the log keeps, so that long ones fill no memory. */
const longestValue = 1_000;

const redact = (name: string, value: string): string => {
  // The standard's own name: it tells two submissions apart, and opens nothing.
  if (secret.test(name) && name !== "idempotency-key") return "[redacted]";
  return value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
};

/** Copies headers for the log, by names in lower case, and leaves keys out. */
export const redactHeaders = (headers: HeaderPairs = {}): Readonly<Record<string, string>> => {
  const kept: Record<string, string> = {};
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [given, value] of pairs as Iterable<readonly [string, string]>) {
    const name = given.toLowerCase();
    kept[name] = redact(name, value);
  }
  return kept;
};
