import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const { platform, arch } = process;

/** Finds a file of `tools/other-runtimes`. The PATH may have other versions. */
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

/** The library of an older TypeScript; `undefined` where it isn't installed. */
export const olderTypeScript = (name: "typescript54" | "typescript59"): string | undefined =>
  find(`${name}/lib/typescript.js`);

/** Cloudflare's workerd, where npm installed it; `undefined` elsewhere. */
export const workerdPath = find(
  `@cloudflare/workerd-${platform}-${arch === "x64" ? "64" : arch}/bin/workerd`,
);

/** Reason to print when a runtime is missing. */
export const runtimeMissing = (name: string): string =>
  `Without ${name} its tests are skipped: npm ci --prefix tools/other-runtimes`;

const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
const places = folders.map((folder) => join(folder, "redis-server"));

/** The system's Redis, for the tests of a fleet; REDIS_SERVER_PATH decides when it is set. */
export const redisPath: string | undefined = [
  ...(process.env["REDIS_SERVER_PATH"] ? [process.env["REDIS_SERVER_PATH"]] : places),
].find((path) => existsSync(path));

/** Reason why the tests of a fleet cannot run, and the way to run them. */
export const redisMissing =
  "There is no redis-server: install Redis, or set REDIS_SERVER_PATH, for the tests of a fleet.";
