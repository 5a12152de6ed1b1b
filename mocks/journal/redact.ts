import { hashText } from "../domain/ids.ts";

/** Masks a key for logs and the journal. Its prefix stays, followed by a hash of four characters. */
export const maskKey = (key: string): string => {
  const [prefix = ""] = /^[a-z0-9]{1,12}-/i.exec(key) ?? [];
  return `${prefix}…${hashText(key).toString(36).padStart(4, "0").slice(-4)}`;
};

/** Matches the names of headers that contain secrets. */
const secret = /auth|cookie|credential|jwt|key|pass|secret|session|signature|token/i;

/** Copies the headers of a request, by names in lower case, and redacts secrets. */
export const redactHeaders = (
  headers: Iterable<readonly [string, string]> = [],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(headers, ([given, value]) => {
      const name = given.toLowerCase();
      // This name contains "key", but the header identifies a call and gives no access.
      const isHidden = secret.test(name) && name !== "idempotency-key";
      return [name, isHidden ? "[redacted]" : value];
    }),
  );
