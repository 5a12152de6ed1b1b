import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { entries, specifierOf } from "../../tools/entries.ts";
import { frozenAssets } from "../../tools/esbuild-plugins.ts";
import { bunPath, denoPath, runtimeMissing } from "../../tools/runtimes.ts";

/** Folder of a worker. It lies in the repository, so that packages are found; git ignores it. */
export const runtimesFolder = resolve(`.tmp/runtimes/${process.env["VITEST_POOL_ID"]}`);
mkdirSync(runtimesFolder, { recursive: true });

export const sourceAliases = Object.fromEntries(
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
    alias: sourceAliases,
    plugins: [frozenAssets()],
  });
  return outfile;
};

/** Bundles an entry of this folder with the client's sources, as a script for a page. */
export const bundleForPage = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/${entry}`],
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import"],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
};

/** A runtime, and its flags for a program on loopback, for one that imports packages, for tests. */
interface Runtime {
  readonly name: "Node" | "Bun" | "Deno";
  readonly path: string;
  readonly run: readonly string[];
  readonly runWithPackages: readonly string[];
  readonly test: readonly string[];
}

const quiet = ["--quiet", "--no-prompt"];
const withPackages = [...quiet, "--allow-all", "--node-modules-dir=manual"];
const loopbackOnly = ["--no-config", "--allow-net=127.0.0.1", "--allow-env"];

const all: readonly (Omit<Runtime, "path"> & { readonly path: string | undefined })[] = [
  { name: "Node", path: process.execPath, run: [], runWithPackages: [], test: [] },
  { name: "Bun", path: bunPath, run: ["run"], runWithPackages: ["run"], test: ["test"] },
  {
    name: "Deno",
    path: denoPath,
    run: ["run", ...quiet, ...loopbackOnly, "--unsafely-ignore-certificate-errors=127.0.0.1"],
    runWithPackages: ["run", ...withPackages],
    test: ["test", ...withPackages, "--no-check"],
  },
];

/** Runtimes that are installed. In CI, a missing runtime is an error. */
export const runtimes: readonly Runtime[] = all.flatMap(({ path, ...runtime }) => {
  if (path !== undefined) return [{ ...runtime, path }];
  if (process.env["CI"]) throw new Error(runtimeMissing(runtime.name));
  console.warn(runtimeMissing(runtime.name));
  return [];
});

/** Environment without this machine's variables: those of a proxy would change `fetch`. */
const env = {
  NODE_NO_WARNINGS: "1",
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  DENO_DIR: `${runtimesFolder}/deno`,
  DENO_NO_UPDATE_CHECK: "1",
  NO_COLOR: "1",
};

/** Runs a program to its end, and gives all that it printed. @throws Error when it fails */
export const runProgram = async (path: string, args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(path, args, { env, timeout: 150_000 });
  return stdout + stderr;
};

/** Reads the line of JSON among the printed ones. */
export const readPrinted = (printed: string): unknown =>
  JSON.parse(/^\{.*\}$/m.exec(printed)?.[0] ?? "");
