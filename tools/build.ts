/**
 * Builds `dist`: empties it, runs tsup, then does what tsup can't do.
 * `--js-only` stops after the ES modules: enough to run the examples.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { sayWhatToInstall, writeCommonJs } from "./common-js.ts";
import { bundledPackages, declarationsFolder, entries, standIns } from "./entries.ts";

/** The licences of what our files contain, from the very versions that were bundled. */
const thirdPartyLicenses = (): string =>
  bundledPackages
    .map(({ name, license, where }) => {
      const folder = `node_modules/${name}`;
      const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      const text = readFileSync(`${folder}/${license}`, "utf8").trim();
      return `${where} of this package contain ${name} ${version}.\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);

/**
 * Writes the declaration of each source file, for tsup to bundle. TypeScript 7 does it in a second;
 * tsup would use an older TypeScript, which takes ten.
 */
const writeDeclarations = (): boolean => {
  rmSync(declarationsFolder, { recursive: true, force: true });
  const tsc = ["node_modules/typescript7/bin/tsc", "--project", "tsconfig.docs.json"];
  const output = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--stripInternal"];
  const folders = ["--rootDir", ".", "--outDir", declarationsFolder];
  const args = [...tsc, ...output, ...folders, "--singleThreaded"];
  return spawnSync(process.execPath, args, { stdio: "inherit" }).status === 0;
};

/** Changes the bundled declarations, so that the compilers of consumers accept them. */
const fitDeclarations = (): void => {
  for (const path of globSync("dist/**/*.d.{ts,cts}")) {
    // Rollup names a shared file after a declaration: `jobs.d-4x7kQz1B.d.ts`.
    const name = path.replace(".d-", "-");
    if (name !== path) renameSync(path, name);
    let text = readFileSync(name, "utf8")
      .replaceAll(/(?<=(?:from|import) '\.[^']*)\.d(?=-[^']*\.c?js')/g, "")
      // `Uint8Array` has no parameter before TypeScript 5.7.
      .replaceAll("Uint8Array<ArrayBuffer>", 'ReturnType<Uint8ArrayConstructor["of"]>');
    // msw has ES modules only. Without this, TypeScript refuses it in CommonJS: TS1479.
    if (path.endsWith(".d.cts")) {
      const fromMsw = /^import (\{.*\} from 'msw(?:\/\w+)?');$/gm;
      text = text.replace(fromMsw, 'import type $1 with { "resolution-mode": "import" };');
    }
    // `await using` is newer than what consumers compile for.
    if (/\bAsyncDisposable\b/.test(text)) {
      text = `/// <reference lib="esnext.disposable" />\n${text}`;
    }
    writeFileSync(name, text);
  }
};

const build = async (jsOnly: boolean): Promise<number> => {
  rmSync("dist", { recursive: true, force: true });
  const tsup = ["node_modules/tsup/dist/cli-default.js", "--silent"];
  if (jsOnly) tsup.push("--no-dts");
  else if (!writeDeclarations()) return 1;
  const { status } = spawnSync(process.execPath, tsup, { stdio: "inherit" });
  if (status !== 0) return status ?? 1;
  if (jsOnly) return 0;
  await writeCommonJs(
    Object.keys({ ...entries, ...standIns }).map((name) => `${name}.js`),
    ["adgen-sdk", "bullmq", "msw", "node:*"],
  );
  fitDeclarations();
  sayWhatToInstall();
  writeFileSync("dist/THIRD-PARTY-LICENSES.txt", thirdPartyLicenses());
  const openApi = ["tools/openapi.ts", "dist"];
  return spawnSync(process.execPath, openApi, { stdio: "inherit" }).status ?? 1;
};

process.exitCode = await build(process.argv.includes("--js-only"));
