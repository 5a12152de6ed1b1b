/** The package of this checkout as its users get it: packed, and installed into apps below .tmp. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const npm = (args: readonly string[], cwd: string): string => {
  const path = process.env["npm_execpath"];
  if (path === undefined) throw new Error("Run this through npm: npm run …");
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed in ${cwd}: ${stderr}`);
  return stdout;
};

/** Packs the package into a folder, and returns the tarball's path. */
export const pack = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  return join(folder, JSON.parse(npm(args, process.cwd()))[0].filename);
};

interface InstallOptions {
  readonly manifest?: object;
  readonly npmOptions?: readonly string[];
}

/** Installs packages into a folder, unless they are there from the last run. */
export const installPackages = (
  folder: string,
  packages: Readonly<Record<string, string>>,
  { manifest = {}, npmOptions = [] }: InstallOptions = {},
): void => {
  const wanted = JSON.stringify(packages);
  const noted = join(folder, "node_modules/.installed.json");
  if (existsSync(noted) && readFileSync(noted, "utf8") === wanted) return;
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  rmSync(join(folder, "package-lock.json"), { force: true });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...manifest }));
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", ...npmOptions];
  if (names.length > 0) npm(["install", "--prefix", folder, ...options, ...names], folder);
  writeFileSync(noted, wanted);
};

/** Installs other packages unless they are there from the last run, and the packed one afresh. */
export const installApp = (
  folder: string,
  packages: Readonly<Record<string, string>>,
  tarball: string,
  options?: InstallOptions,
): void => {
  installPackages(folder, packages, options);
  const own = join(folder, "node_modules/adgen-sdk");
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  spawnSync("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
};
