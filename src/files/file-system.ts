import { makeError } from "../client/errors/make-error.ts";
import { findNodeModule } from "../client/internal/platform.ts";

/**
 * Returns the file system of Node, Bun and Deno. Throws a `config` error elsewhere.
 *
 * @param user - Function that needs the file system
 * @param otherwise - What the caller can do without a file system
 */
export const requireFileSystem = (user: string, otherwise: string) => {
  const fs = findNodeModule("node:fs/promises");
  if (fs !== undefined) return fs;
  const where = "which Node 22.13, Bun and Deno have";
  throw makeError("config", `${user} needs a file system, ${where}; elsewhere ${otherwise}`);
};
