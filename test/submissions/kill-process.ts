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
 * Decides when a program is killed. It gets a function that kills it after a time, and one that calls
 * back at each output.
 */
type Kill = (killIn: (ms: number) => void, onOutput: (tell: () => void) => void) => void;

/** Kills a process that submits: at times while it recovers, most often at one of its requests. */
export const killWhileSubmitting: Kill = (killIn, onOutput) => {
  if (Math.random() < 0.2) killIn(300 * Math.random());
  let left = Math.ceil(12 * Math.random());
  onOutput(() => {
    if (--left === 0) killIn(20 * Math.random());
  });
};

/** Runs a program until it is killed. */
export const runUntilKilled = (args: readonly string[], kill: Kill): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    kill(
      (ms) => void setTimeout(() => child.kill("SIGKILL"), ms),
      (tell) => child.stdout.on("data", tell),
    );
    child.on("error", reject);
    child.on("close", (_, signal) => {
      if (signal === "SIGKILL") resolve();
      else reject(new Error(`It ended by itself: ${errors}`));
    });
  });
