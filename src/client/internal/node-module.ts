interface NodeModules {
  readonly "node:crypto": typeof import("node:crypto");
  readonly "node:fs/promises": typeof import("node:fs/promises");
}

/**
 * Returns a module of Node, which Bun and Deno have as well, and `undefined` if the runtime has no such module.
 * No import names it: bundlers for browsers refuse some of them.
 */
export const findNodeModule = <Name extends keyof NodeModules>(
  name: Name,
): NodeModules[Name] | undefined => {
  try {
    return globalThis.process?.getBuiltinModule?.(name);
  } catch {
    return undefined; // In Next.js's edge runtime the function is there, and throws.
  }
};
