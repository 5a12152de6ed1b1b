/**
 * Returns a module of Node, which Bun and Deno have as well, and `undefined` if the runtime has no such module.
 * No import names it: bundlers for browsers refuse some of them.
 * @internal The return type has no name that a declaration could write.
 */
export const findNodeModule = <Name extends "node:crypto" | "node:fs/promises">(name: Name) => {
  try {
    return globalThis.process?.getBuiltinModule?.(name);
  } catch {
    return undefined; // In Next.js's edge runtime the function is there, and throws.
  }
};
