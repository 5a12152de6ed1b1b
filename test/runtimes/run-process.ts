import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { bunPath, denoPath } from "../../tools/runtimes.ts";
import { bundle } from "./bundle.ts";
import type { Ends, Scene } from "./play.ts";

export const runtimes = ["Node", "Bun", "Deno"] as const;

export type Runtime = (typeof runtimes)[number];

const denoFlags = [
  "run",
  "--quiet",
  "--no-prompt",
  "--no-config",
  "--allow-net=127.0.0.1",
  "--allow-env",
  "--unsafely-ignore-certificate-errors=127.0.0.1",
];

/** Command lines up to the script; `undefined` where the runtime is missing. */
const commands: Record<Runtime, readonly [file: string | undefined, ...flags: string[]]> = {
  Node: [process.execPath],
  Bun: [bunPath, "run"],
  Deno: [denoPath, ...denoFlags],
};

export const isMissing = (runtime: Runtime): boolean => commands[runtime][0] === undefined;

/** Inside the repository and ignored by git; one folder for each worker. */
const folder = resolve(`.tmp/runtimes/${process.env["VITEST_POOL_ID"]}`);

/** Variables of this machine, such as a proxy's, would change the runtimes' `fetch`. */
const env = {
  NODE_NO_WARNINGS: "1",
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  DENO_DIR: `${folder}/deno`,
  DENO_NO_UPDATE_CHECK: "1",
};

let bundled: Promise<string> | undefined;

const bundleOnce = async (): Promise<string> => {
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/play.mjs`;
  await bundle("play-in-process.ts", file);
  return file;
};

/** Runs a script with one argument in a process of the runtime, and reads the JSON that it prints. */
const runIn = async (runtime: Runtime, script: string, argument: string): Promise<unknown> => {
  const [file, ...flags] = commands[runtime];
  if (file === undefined) throw new Error(`${runtime} is missing.`);
  const args = [...flags, script, argument];
  const { stdout } = await promisify(execFile)(file, args, { env, timeout: 150_000 });
  return JSON.parse(stdout);
};

/** Plays the scenes in a process of the runtime. */
export const playIn = async (runtime: Runtime, scenes: readonly Scene[]): Promise<Ends[]> => {
  bundled ??= bundleOnce();
  return (await runIn(runtime, await bundled, JSON.stringify(scenes))) as Ends[];
};

/** Runs a program of `children`, which gets a URL, in a process of the runtime. */
export const runChild = async (runtime: Runtime, name: string, url: string): Promise<unknown> => {
  const file = `${folder}/${name}.mjs`;
  await bundle(`children/${name}.ts`, file);
  return runIn(runtime, file, url);
};
