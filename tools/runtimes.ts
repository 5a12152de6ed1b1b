import { existsSync } from "node:fs";
import { resolve } from "node:path";

const { platform, arch } = process;

/** Finds a binary of `tools/other-runtimes`; never one on the PATH, which has its own version. */
const findBinary = (file: string): string | undefined => {
  const path = resolve("node_modules", file);
  return existsSync(path) ? path : undefined;
};

/** The Bun that npm installed; `undefined` on platforms without one. */
export const bunPath = findBinary(
  `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}/bin/bun`,
);

/** The Deno that npm installed; `undefined` on platforms without one. */
export const denoPath = findBinary(
  `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}/deno`,
);

/** Cloudflare's workerd, where npm installed it; `undefined` elsewhere. */
export const workerdPath = findBinary(
  `@cloudflare/workerd-${platform}-${arch === "x64" ? "64" : arch}/bin/workerd`,
);

/** Reason to print when a runtime is missing. */
export const runtimeMissing = (name: string): string =>
  `npm installed no ${name} for ${platform}-${arch}, so its tests are skipped.`;
