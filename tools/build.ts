/**
 * Builds `dist`: empties it, runs tsup, then does what tsup cannot.
 * `--js-only` stops after the ES modules: enough to run the examples.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { bundled } from "./bundled.ts";
import { writeCommonJs } from "./common-js.ts";
import { nameChunks } from "./declaration-chunks.ts";
import {
  importTypesOfEsmPackages,
  nameBytes,
  nameTwins,
  referToLibraries,
} from "./declarations.ts";
import { entries, standIns } from "./entries.ts";
import { sayWhatToInstall } from "./missing-tool.ts";

/** The licences of what our files contain, from the very versions that were bundled. */
const thirdPartyLicenses = (): string =>
  bundled
    .map(({ name, license, where }) => {
      const folder = `node_modules/${name}`;
      const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      const text = readFileSync(`${folder}/${license}`, "utf8").trim();
      return `${where} of this package contain ${name} ${version}.\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);

/** Writes the declarations anew, under names that stay from build to build. */
const writeDeclarations = (): void => {
  const built = globSync("**/*.d.ts", { cwd: "dist" });
  const declarations = new Map(built.map((path) => [path, readFileSync(`dist/${path}`, "utf8")]));
  for (const path of built) rmSync(`dist/${path}`);
  const ofEntries = Object.keys(entries).map((name) => `${name}.d.ts`);
  for (const [path, text] of nameChunks(declarations, ofEntries)) {
    mkdirSync(dirname(`dist/${path}`), { recursive: true });
    writeFileSync(`dist/${path}`, nameBytes(referToLibraries(text)));
  }
};

const build = async (jsOnly: boolean): Promise<number> => {
  rmSync("dist", { recursive: true, force: true });
  const tsup = ["node_modules/tsup/dist/cli-default.js", "--silent"];
  if (jsOnly) tsup.push("--no-dts");
  const { status } = spawnSync(process.execPath, tsup, { stdio: "inherit" });
  if (status !== 0) return status ?? 1;
  if (jsOnly) return 0;
  await writeCommonJs(
    Object.keys({ ...entries, ...standIns }).map((name) => `${name}.js`),
    ["adgen-sdk", "bullmq", "msw", "node:*"],
  );
  writeDeclarations();
  sayWhatToInstall();
  for (const fileName of globSync("dist/**/*.d.ts")) {
    const twin = fileName.replace(/\.d\.ts$/, ".d.cts");
    const text = nameTwins(readFileSync(fileName, "utf8"));
    writeFileSync(twin, importTypesOfEsmPackages(twin, text));
  }
  writeFileSync("dist/THIRD-PARTY-LICENSES.txt", thirdPartyLicenses());
  const openApi = ["tools/openapi.ts", "dist"];
  return spawnSync(process.execPath, openApi, { stdio: "inherit" }).status ?? 1;
};

process.exitCode = await build(process.argv.includes("--js-only"));
