import { hash } from "../seeded/ids.ts";

/** Masks a key for logs and the journal: its prefix, and a hash of four characters. */
export const maskKey = (key: string): string => {
  const [prefix = ""] = /^[a-z0-9]{1,12}-/i.exec(key) ?? [];
  return `${prefix}…${hash(key).toString(36).padStart(4, "0").slice(-4)}`;
};
