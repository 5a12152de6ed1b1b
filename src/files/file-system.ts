import { makeError } from "../client/errors/make-error.ts";
import { findNodeModule } from "../client/internal/platform.ts";

/**
 * The file system of Node, Bun and Deno.
 *
 * @param user - Function that needs it
 * @param otherwise - What to do where there is none
 */
export const requireFileSystem = (user: string, otherwise: string) => {
  const fs = findNodeModule("node:fs/promises");
  if (fs !== undefined) return fs;
  const where = "which Node 22.13, Bun and Deno have";
  throw makeError("config", `${user} needs a file system, ${where}; elsewhere ${otherwise}`);
};
