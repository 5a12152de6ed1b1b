import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const { platform, arch } = process;

/** Package that holds the binary for this machine, and the binary's place in it. */
const denoFiles: Record<string, string> = {
  "darwin-arm64": "@deno/darwin-arm64/deno",
  "darwin-x64": "@deno/darwin-x64/deno",
  "linux-arm64": "@deno/linux-arm64-glibc/deno",
  "linux-x64": "@deno/linux-x64-glibc/deno",
};
const bunFiles: Record<string, string> = {
  "darwin-arm64": "@oven/bun-darwin-aarch64/bin/bun",
  "darwin-x64": "@oven/bun-darwin-x64/bin/bun",
  "linux-arm64": "@oven/bun-linux-aarch64/bin/bun",
  "linux-x64": "@oven/bun-linux-x64/bin/bun",
};

/** Finds a binary of `tools/other-runtimes`; never one on the PATH, which has its own version. */
const findBinary = (files: Record<string, string>): string | undefined => {
  const file = files[`${platform}-${arch}`];
  if (file === undefined) return undefined;
  const path = resolve(join("node_modules", file));
  return existsSync(path) ? path : undefined;
};

/** The Bun that npm installed; `undefined` on platforms without one. */
export const bunPath = findBinary(bunFiles);

/** The Deno that npm installed; `undefined` on platforms without one. */
export const denoPath = findBinary(denoFiles);

/** Reason to print when a runtime is missing. */
export const runtimeMissing = (name: string): string =>
  `npm installed no ${name} for ${platform}-${arch}, so its tests are skipped.`;
