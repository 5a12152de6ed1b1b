import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

/**
 * Bundles a child's program into a temporary folder, because one file starts in a third of the time.
 */
export const bundleChild = async (program: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-child-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "child.mjs");
  const require = "import { createRequire } from 'node:module';";
  await build({
    entryPoints: [`test/${program}.ts`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    banner: { js: `${require} const require = createRequire(import.meta.url);` },
  });
  return outfile;
};

interface KillOptions {
  /** Time for which the process is stopped at some of its requests, in milliseconds. Default: 0 */
  readonly stopMs?: number;
  /** Maximum number of requests before the kill. Default: 12 */
  readonly maxRequests?: number;
  /** Kills the process at once. */
  readonly signal?: AbortSignal;
  /** Path of the runtime. Default: the runtime of this process */
  readonly runtime?: string;
}

/**
 * Runs a program that submits and prints each of its requests, and kills it. Most kills come at one of
 * the requests, and some while the program recovers.
 */
export const runUntilKilled = (
  args: readonly string[],
  { stopMs = 0, maxRequests = 12, signal, runtime = process.execPath }: KillOptions = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(runtime, args, { stdio: ["ignore", "pipe", "pipe"] });
    const kill = (): void => void child.kill("SIGKILL");
    signal?.addEventListener("abort", kill);
    const lives = () => Math.ceil(maxRequests * Math.random());
    let left = lives();
    const goOn = (): void => {
      child.kill("SIGCONT");
      left = lives();
    };
    if (Math.random() < 0.2) setTimeout(kill, 300 * Math.random());
    child.stdout.on("data", () => {
      if (--left !== 0) return;
      if (stopMs === 0 || Math.random() < 0.7) setTimeout(kill, 20 * Math.random());
      else if (child.kill("SIGSTOP")) setTimeout(goOn, stopMs);
    });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (_, name) => {
      if (name === "SIGKILL") resolve();
      else reject(new Error(`It ended by itself: ${errors}`));
    });
  });
