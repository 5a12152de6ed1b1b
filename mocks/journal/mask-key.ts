import { hash } from "../seeded/ids.ts";

/**
 * A key as logs and the journal show it: its prefix, and four characters that tell it from
 * others and from which it cannot be made again.
 */
export const maskKey = (key: string): string => {
  const [prefix = ""] = /^[a-z0-9]{1,12}-/i.exec(key) ?? [];
  return `${prefix}…${hash(key).toString(36).padStart(4, "0").slice(-4)}`;
};
