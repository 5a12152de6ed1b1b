import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, inject, test } from "vitest";

const { tarball } = inject("packed");
const folder = mkdtempSync(join(tmpdir(), "adgen-installs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const writeManifest = (place: string, manifest: Readonly<Record<string, unknown>>): void => {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
};

/** Packs a package that has a tool's name and version, and no files. */
const packStub = (name: string, version: string): string => {
  const place = join(folder, `${name}-${version}`);
  writeManifest(join(place, "package"), { name, version });
  execFileSync("tar", ["-czf", join(place, "stub.tgz"), "-C", place, "package"]);
  return `file:${join(place, "stub.tgz")}`;
};

/** Runs npm without the network, and gives the names of the packages that are installed then. */
const runNpm = async (app: string, ...command: readonly string[]): Promise<string[]> => {
  const npm = process.env["npm_execpath"] ?? "";
  const quiet = ["--offline", "--no-audit", "--no-fund", "--cache", join(folder, "cache")];
  const env = { PATH: process.env["PATH"], HOME: folder };
  await promisify(execFile)(process.execPath, [npm, ...command, ...quiet], { cwd: app, env });
  const installed = readFileSync(join(app, "node_modules/.package-lock.json"), "utf8");
  const names = Object.keys(JSON.parse(installed).packages);
  return names.map((path) => path.replace("node_modules/", "")).sort();
};

test.concurrent.each<Record<string, string>>([
  {},
  { msw: "1.3.5", bullmq: "5.40.0", "@playwright/test": "1.40.0" },
  { msw: "2.10.0", bullmq: "6.0.0" },
  { msw: "3.0.0" },
])("npm installs it beside %o", async (tools) => {
  const app = mkdtempSync(join(folder, "app-"));
  const names = Object.keys(tools);
  const stubs = Object.entries(tools).map(([name, version]) => [name, packStub(name, version)]);
  const dependencies = { "adgen-sdk": `file:${tarball}` };
  writeManifest(app, { private: true, dependencies, devDependencies: Object.fromEntries(stubs) });
  expect(await runNpm(app, "install")).toEqual(["adgen-sdk", ...names].sort());
  // In production, nothing else. Every app's is the same.
  if (names.length === 3) expect(await runNpm(app, "ci", "--omit=dev")).toEqual(["adgen-sdk"]);
});
