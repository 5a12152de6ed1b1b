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

/** Stands in the log for what it may not show. */
const hidden = "[redacted]";

/** Names of headers that hold keys or what stands for a person. */
const secret = /auth|cookie|credential|jwt|key|pass|secret|session|signature|token/i;

/** Characters of a header that the log keeps, so that long ones fill no memory. */
const longestValue = 1_000;

/** A shorter key may be part of a usual word, so it is hidden only where it stands by itself. */
const shortestPart = 8;

/** Parts of a value that may be a key: words, and what stands between the marks of a URL or JSON. */
const parts = [/\S+/g, /[^\s"'\\<>()[\]{}&?,;:/#@=]+=*/g];

/** The API keys of all accounts. */
export type Keys = Pick<ReadonlySet<string>, "has">;

/**
 * Copies the headers of a request for the log, by names in lower case, and leaves keys out.
 *
 * @param own - Key of the request, which may be the key of no account
 */
export const redactHeaders = (
  headers: HeaderPairs = {},
  own = "",
  keys: Keys,
): Readonly<Record<string, string>> => {
  const hide = (part: string): string =>
    keys.has(part) || shortenKey(part) === own ? hidden : part;
  const redact = (name: string, value: string): string => {
    // The standard's own name: it tells two submissions apart, and opens nothing.
    if (secret.test(name) && name !== "idempotency-key") return hidden;
    const withoutTokens = value.replace(/\b(Bearer\s+)\S+/gi, `$1${hidden}`);
    const shown = parts.reduce(
      (text, part) => text.replace(part, hide),
      own.length < shortestPart ? withoutTokens : withoutTokens.replaceAll(own, hidden),
    );
    return shown.length > longestValue ? `${shown.slice(0, longestValue)}…` : shown;
  };
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  const kept: Record<string, string> = {};
  for (const [name, value] of pairs as Iterable<readonly [string, string]>) {
    kept[name.toLowerCase()] = redact(name.toLowerCase(), value);
  }
  return kept;
};
