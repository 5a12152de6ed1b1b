import { hash } from "../seeded/ids.ts";

const longestKey = 1_000;

/** Shortens a key that is longer than any real one, so that it fills no memory. */
export const shortenKey = (key: string): string =>
  key.length > longestKey ? `${key.slice(0, longestKey - 20)}…${hash(key).toString(36)}` : key;

/** Masks a key for logs and the journal: its prefix, and a hash of four characters. */
export const maskKey = (key: string): string => {
  const [prefix = ""] = /^[a-z0-9]{1,12}-/i.exec(key) ?? [];
  return `${prefix}…${hash(shortenKey(key)).toString(36).padStart(4, "0").slice(-4)}`;
};
