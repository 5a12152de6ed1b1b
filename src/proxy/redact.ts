import { createRedact, type Redact } from "../errors/text.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { isObject } from "../options/rules.ts";

/** The most keys that are remembered, where a function gives them: earlier ones are on their way. */
const mostKeys = 10;

/** Remembers the keys that the service is sent, and may echo. */
export const createKeyMemory = () => {
  const keys = new Set<string>();
  let redact = createRedact(keys);
  return {
    /** Remembers a key, and gives it. */
    keep(key: string): string {
      // The client refuses what is no key.
      if (typeof key !== "string" || key === "") return key;
      const isKnown = keys.delete(key);
      keys.add(key);
      forgetOldest(keys, mostKeys);
      if (!isKnown) redact = createRedact(keys);
      return key;
    },
    redact: ((text) => redact(text)) as Redact,
  };
};

/**
 * Cuts the keys out of all texts of a thing, or of each thing of a list, in place.
 *
 * @param idField - Field of a thing's own id. It stays: a key of a few letters may stand in it
 */
export const redactThings = (data: unknown, idField: string, redact: Redact): void => {
  const things = new Set<unknown>([data].flat());
  // A list instead of recursion: an answer may be nested deeper than the stack.
  const open = [...things];
  while (open.length > 0) {
    const value = open.pop();
    if (!isObject(value) && !Array.isArray(value)) continue;
    const fields = value as Record<string, unknown>;
    for (const [name, item] of Object.entries(fields)) {
      if (name === idField && typeof item === "string" && things.has(value)) continue;
      const shown = typeof item === "string" ? redact(item) : item;
      const shownName = redact(name);
      if (shownName !== name) delete fields[name];
      if (shownName !== name || shown !== item) fields[shownName] = shown;
      open.push(shown);
    }
  }
};
