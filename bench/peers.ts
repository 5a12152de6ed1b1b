/** Other clients that the benchmarks compare with, in a folder and lock of their own. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "peers");

/** Gives the path of a script that uses the other clients. */
export const peerFile = (name: string): string => join(folder, name);

const lockOf = (path: string): Record<string, { version: string }> => {
  const { packages } = JSON.parse(readFileSync(path, "utf8"));
  delete packages[""];
  return packages;
};

/** Tells whether the versions of the lock are installed. */
const isInstalled = (): boolean => {
  // npm writes this file after an install. The versions differ if the lock has changed since then.
  const installed = peerFile("node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  const there = lockOf(installed);
  const asked = Object.entries(lockOf(peerFile("package-lock.json")));
  return asked.every(([path, { version }]) => there[path]?.version === version);
};

/** Installs the other clients if they are missing: the main install leaves them out. */
export const installPeers = (): void => {
  if (isInstalled()) return;
  const npm = process.env["npm_execpath"];
  if (npm === undefined) throw new Error("Run this through npm: it installs the other clients.");
  console.log("Installing the other clients into bench/peers …");
  execFileSync(process.execPath, [npm, "ci"], { cwd: folder, stdio: "inherit" });
};
