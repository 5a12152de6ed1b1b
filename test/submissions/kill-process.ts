import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

/**
 * Bundles a child's program into a folder of the test's own: as one file it starts in a third of
 * the time.
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
  /** Time for which it stands still at some of its requests, in milliseconds. */
  readonly stopMs?: number;
  /** The most requests that it makes before its end. */
  readonly maxRequests?: number;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
  /** Runtime to run it in. Default: this one */
  readonly runtime?: string;
}

/**
 * Runs a program that submits, and kills it: at times while it recovers, most often at one of its
 * requests, each of which it prints.
 */
export const runUntilKilled = (
  args: readonly string[],
  {
    stopMs = 0,
    maxRequests: mostRequests = 12,
    signal,
    runtime = process.execPath,
  }: KillOptions = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(runtime, args, { stdio: ["ignore", "pipe", "pipe"] });
    const kill = (): void => void child.kill("SIGKILL");
    signal?.addEventListener("abort", kill);
    const lives = () => Math.ceil(mostRequests * Math.random());
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
