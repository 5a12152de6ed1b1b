// Functions for what some runtimes lack, or do in their own way.

/** Creates a random id of 32 hexadecimal digits. Pages without https lack `crypto.randomUUID`. */
export const createRandomId = (): string => {
  const numbers = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(numbers, (number) => number.toString(16).padStart(8, "0")).join("");
};

/** Parses a URL; returns `undefined` if it isn't valid. Older browsers lack `URL.parse`. */
export const parseUrl = (text: string, base?: string): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};

/**
 * Returns a module of Node, which Bun and Deno have as well, or `undefined` if the runtime has no
 * such module. It is not imported by name, because bundlers for browsers refuse some of Node's
 * modules.
 * @internal The return type has no name that a declaration could write.
 */
export const findNodeModule = <Name extends "node:crypto" | "node:fs/promises">(name: Name) => {
  try {
    return globalThis.process?.getBuiltinModule?.(name);
  } catch {
    return undefined; // In Next.js's edge runtime the function is there, and throws.
  }
};
