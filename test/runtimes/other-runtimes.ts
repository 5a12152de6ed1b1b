import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { entries, specifierOf } from "../../tools/entries.ts";
import { frozenAssets } from "../../tools/frozen-assets.ts";
import { bunPath, denoPath, runtimeMissing } from "../../tools/runtimes.ts";

/** Inside the repository, so that packages are found; ignored by git. One for each worker. */
export const folder = resolve(`.tmp/runtimes/${process.env["VITEST_POOL_ID"]}`);
mkdirSync(folder, { recursive: true });

const alias = Object.fromEntries(
  Object.entries(entries).map(([entry, source]) => [specifierOf(entry), resolve(source)]),
);

/** Bundles a program with the sources; msw, a runtime's own modules and Node's stay outside. */
export const bundleProgram = async (entry: string, outfile: string): Promise<string> => {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["msw", "bun:*"],
    alias,
    plugins: [frozenAssets()],
  });
  return outfile;
};

const denoFlags = ["--quiet", "--no-prompt", "--allow-all", "--node-modules-dir=manual"];

/** Bun and Deno, with what comes before the file to run or to test. */
const all = [
  { name: "Bun", path: bunPath, run: ["run"], test: ["test"] },
  {
    name: "Deno",
    path: denoPath,
    run: ["run", ...denoFlags],
    test: ["test", ...denoFlags, "--no-check"],
  },
];

/** Lists the runtimes that are there. @throws Error in CI when one is missing */
export const findOthers = () =>
  all.flatMap(({ path, ...other }) => {
    if (path !== undefined) return [{ ...other, path }];
    if (process.env["CI"]) throw new Error(runtimeMissing(other.name));
    console.warn(runtimeMissing(other.name));
    return [];
  });

/** Variables of this machine, such as a proxy's, would change the runtimes' `fetch`. */
const env = {
  DENO_DIR: `${folder}/deno`,
  DENO_NO_UPDATE_CHECK: "1",
  NODE_NO_WARNINGS: "1",
  NO_COLOR: "1",
};

/** Runs a program to its end, and gives all that it printed. @throws Error when it fails */
export const runProgram = async (path: string, args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(path, args, { env, timeout: 150_000 });
  return stdout + stderr;
};
