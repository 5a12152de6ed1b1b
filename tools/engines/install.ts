import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readBlocks, recipeNameOf } from "../../test/helpers/doc-blocks.ts";
import { guides } from "../../test/helpers/documents.ts";
import { installApp, pack } from "../packed-package.ts";
import type { Engine } from "./engine.ts";

const root = resolve(".tmp/engines");
const guide = guides.find(({ path }) => path === "docs/guides/durable-engines.md");

export const folderOf = ({ name }: Engine): string => join(root, name.replace(/\W+/g, "-"));

/** Packs the package of this checkout. */
export const packHere = (): string => pack(root);

/** Installs the engine unless it is there, and the package afresh. */
export const install = (engine: Engine, tarball: string): void =>
  installApp(folderOf(engine), engine.packages, tarball, { manifest: { type: "module" } });

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
