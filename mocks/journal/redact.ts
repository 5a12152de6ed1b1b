import { hashText } from "../domain/ids.ts";

/** Names and values of headers. @inline */
export type HeaderPairs = Iterable<readonly [string, string]> | Readonly<Record<string, string>>;

/** Masks a key for logs and the journal: its prefix, and a hash of four characters. */
export const maskKey = (key: string): string => {
  const [prefix = ""] = /^[a-z0-9]{1,12}-/i.exec(key) ?? [];
  return `${prefix}…${hashText(key).toString(36).padStart(4, "0").slice(-4)}`;
};

/** Names of headers that hold keys or what stands for a person. */
const secret = /auth|cookie|credential|jwt|key|pass|secret|session|signature|token/i;

/** Copies the headers of a request, by names in lower case, and leaves keys out. */
export const redactHeaders = (headers: HeaderPairs = {}): Readonly<Record<string, string>> => {
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  return Object.fromEntries(
    Array.from(pairs, ([given, value]) => {
      const name = given.toLowerCase();
      // The standard's own name: it tells two submissions apart, and opens nothing.
      const isHidden = secret.test(name) && name !== "idempotency-key";
      return [name, isHidden ? "[redacted]" : value];
    }),
  );
};
