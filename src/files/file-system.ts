import { makeError } from "../errors/make-error.ts";

/**
 * The file system of Node, Bun and Deno. No import names its modules: bundlers for browsers refuse
 * some of them.
 *
 * @param user - Function that needs it
 */
export const requireFileSystem = (user: string) => {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (fs !== undefined) return fs;
  const where = "which Node 22.13, Bun and Deno have; elsewhere use openFile, or pass a Blob";
  throw makeError("config", `${user} needs a file system, ${where}`);
};
