import { makeError } from "../client/errors/make-error.ts";

/**
 * The file system of Node, Bun and Deno. No import names its modules: bundlers for browsers refuse
 * some of them.
 *
 * @param user - Function that needs it
 * @param otherwise - What to do where there is none
 */
export const requireFileSystem = (user: string, otherwise: string) => {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (fs !== undefined) return fs;
  const where = "which Node 22.13, Bun and Deno have";
  throw makeError("config", `${user} needs a file system, ${where}; elsewhere ${otherwise}`);
};
