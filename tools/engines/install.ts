import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readBlocks, recipeNameOf } from "../../test/helpers/doc-blocks.ts";
import { guides } from "../../test/helpers/documents.ts";
import type { Engine } from "./engine.ts";

const root = resolve(".tmp/engines");
const guide = guides.find(({ path }) => path === "docs/guides/durable-engines.md");

export const folderOf = ({ name }: Engine): string => join(root, name.replace(/\W+/g, "-"));

const npm = (args: readonly string[], cwd: string): string => {
  const path = process.env["npm_execpath"];
  if (path === undefined) throw new Error("Run this through npm: npm run test:engines");
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
  return stdout;
};

/** Packs the package of this checkout. */
export const pack = (): string => {
  mkdirSync(root, { recursive: true });
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", root];
  return join(root, JSON.parse(npm(args, process.cwd()))[0].filename);
};

/** Installs the engine unless it is there, and the package afresh. */
export const install = (engine: Engine, tarball: string): void => {
  const folder = folderOf(engine);
  const manifest = JSON.stringify({ private: true, type: "module", dependencies: engine.packages });
  const file = join(folder, "package.json");
  if (!existsSync(file) || readFileSync(file, "utf8") !== manifest) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify({ private: true }));
    const packages = Object.entries(engine.packages).map(([name, version]) => `${name}@${version}`);
    npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], folder);
    writeFileSync(file, manifest);
  }
  const own = join(folder, "node_modules/adgen-sdk");
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  spawnSync("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
};

const compilerOptions = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/** Writes the guide's programs and their host into the engine's folder. */
export const writePrograms = (engine: Engine): void => {
  const folder = folderOf(engine);
  const shared = { "submit-once.ts": "submit-once.ts", "decide.ts": "decide.ts" };
  const files = { ...("task" in engine.afterDoubt ? shared : {}), ...engine.files };
  for (const [name, place] of Object.entries(files)) {
    const block = guide && readBlocks(guide).find((found) => recipeNameOf(found) === name);
    if (block === undefined) throw new Error(`The guide has no ${name}`);
    const path = join(folder, place);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, block.code);
  }
  cpSync(join(import.meta.dirname, "hosts"), folder, { recursive: true });
  const { types } = engine;
  const options = { ...compilerOptions, lib: ["es2024", ...(types[0] === "node" ? ["dom"] : [])] };
  const project = { compilerOptions: { ...options, types }, files: Object.values(files) };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
};

/** Type-checks the programs against the engine's own types. */
export const typeCheck = (engine: Engine): void => {
  const tsc = resolve("node_modules/typescript7/bin/tsc");
  const args = [tsc, "--project", folderOf(engine)];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stdout);
};
