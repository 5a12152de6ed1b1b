import { existsSync } from "node:fs";
import { resolve } from "node:path";

const { platform, arch } = process;

/** Finds a file of `tools/other-runtimes`; nothing on the PATH, which has its own version. */
const find = (file: string): string | undefined => {
  const path = resolve("tools/other-runtimes/node_modules", file);
  return existsSync(path) ? path : undefined;
};

/** The Bun that npm installed; `undefined` on platforms without one. */
export const bunPath = find(`@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}/bin/bun`);

/** The Deno that npm installed; `undefined` on platforms without one. */
export const denoPath = find(
  `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}/deno`,
);

/** The compiler of an older TypeScript; `undefined` where it is not installed. */
export const olderTypeScript = (name: "typescript54" | "typescript59"): string | undefined =>
  find(`${name}/lib/typescript.js`);

/** Cloudflare's workerd, where npm installed it; `undefined` elsewhere. */
export const workerdPath = find(
  `@cloudflare/workerd-${platform}-${arch === "x64" ? "64" : arch}/bin/workerd`,
);

/** Reason to print when a runtime is missing. */
export const runtimeMissing = (name: string): string =>
  `Without ${name} its tests are skipped: npm ci --prefix tools/other-runtimes`;
