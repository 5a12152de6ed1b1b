import { spawn } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";

/** Bundles a child's program: as one file it starts in a third of the time. */
export const bundleChild = async (
  name: string,
  folder: string,
  children = "test/submissions/children",
): Promise<string> => {
  const outfile = join(folder, `${name}.mjs`);
  const require = "import { createRequire } from 'node:module';";
  await build({
    entryPoints: [`${children}/${name}.ts`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    banner: { js: `${require} const require = createRequire(import.meta.url);` },
  });
  return outfile;
};

/**
 * Runs a program that submits, and kills it: at times while it recovers, most often at one of its
 * requests, each of which it prints.
 */
export const runUntilKilled = (...args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const killIn = (ms: number) => void setTimeout(() => child.kill("SIGKILL"), ms);
    if (Math.random() < 0.2) killIn(300 * Math.random());
    let left = Math.ceil(12 * Math.random());
    child.stdout.on("data", () => {
      if (--left === 0) killIn(20 * Math.random());
    });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (_, signal) => {
      if (signal === "SIGKILL") resolve();
      else reject(new Error(`It ended by itself: ${errors}`));
    });
  });
