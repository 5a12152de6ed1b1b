/**
 * Builds `dist`: empties it, runs tsup, then does what tsup cannot.
 * `--js-only` stops after the ES modules: enough to run the examples.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { importTypesOfEsmPackages } from "./declarations.ts";

/** The licence of what the CommonJS files contain, from the very version that was bundled. */
const thirdPartyLicenses = (): string => {
  const { version } = JSON.parse(readFileSync("node_modules/ky/package.json", "utf8"));
  const license = readFileSync("node_modules/ky/license", "utf8").trim();
  return `The CommonJS files (*.cjs) of this package contain ky ${version}.\n\n${license}\n`;
};

const build = (jsOnly: boolean): number => {
  rmSync("dist", { recursive: true, force: true });
  const tsup = ["node_modules/tsup/dist/cli-default.js", "--silent"];
  if (jsOnly) tsup.push("--no-dts");
  const { status } = spawnSync(process.execPath, tsup, { stdio: "inherit" });
  if (status !== 0) return status ?? 1;
  if (jsOnly) return 0;
  for (const fileName of globSync("dist/**/*.d.cts")) {
    writeFileSync(fileName, importTypesOfEsmPackages(fileName, readFileSync(fileName, "utf8")));
  }
  writeFileSync("dist/THIRD-PARTY-LICENSES.txt", thirdPartyLicenses());
  return 0;
};

process.exitCode = build(process.argv.includes("--js-only"));
