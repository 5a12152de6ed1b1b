/**
 * Plays each line of the table in programs.ts: installs the packed package into an empty folder,
 * and runs the README's and the guides' own text. Needs `npm run build` and the network. Words
 * choose lines by their name or their part of the table; "all" chooses all.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, type Place, play, type Setting } from "./play-setting.ts";
import { killAll, runWell } from "./processes.ts";
import { parts } from "./programs.ts";

process.once("exit", () => void killAll());
process.once("SIGINT", () => process.exit(130));
const words = process.argv.slice(2);
if (words.length === 0) words.push("first hour");
const chosen = Object.entries(parts)
  .flatMap(([part, settings]) => settings.map((setting) => ({ part, setting })))
  .filter(({ part, setting }) =>
    words.every((word) => word === "all" || `${part}, ${setting.name}`.includes(word)),
  );
if (chosen.length === 0) throw new Error(`No part and no line of the table has ${words.join(" ")}`);

const root = mkdtempSync(join(tmpdir(), "adgen-first-hour-"));
const packed = await runWell(`npm pack --silent --pack-destination ${root}`, ".");
const tarball = join(root, packed.trim());
const counts = { passed: 0, failed: 0 };
const secondsSince = (time: number): string => ((performance.now() - time) / 1000).toFixed(1);

const check: Place["check"] = async (title, run) => {
  const startedAt = performance.now();
  try {
    await run();
    counts.passed += 1;
    console.log(`  ok      ${title} (${secondsSince(startedAt)} s)`);
  } catch (error) {
    counts.failed += 1;
    console.log(`  FAILED  ${title}`, error);
  }
};

/** Installs a setting and plays it; gives the line of the setting in the table of results. */
const judge = async (setting: Setting): Promise<readonly string[]> => {
  const versions = Object.entries(setting.packages ?? {}).map((pair) => pair.join(" "));
  console.log(`\n${[setting.name, ...versions].join(", ")}`);
  const folder = join(root, setting.name.replace(/\W+/g, "-"));
  mkdirSync(folder);
  const failed = counts.failed;
  let time = performance.now();
  await check("installs", () => install(folder, setting, tarball));
  const installed = secondsSince(time);
  time = performance.now();
  // The setting prints its own checks. This check catches what fails outside of them.
  if (counts.failed === failed)
    await check("is played to its end", () => play(folder, setting, check));
  await killAll();
  // Keep the folder of a failed setting, so that a person can look at it.
  if (counts.failed === failed) rmSync(folder, { recursive: true });
  else console.log(`  in ${folder}`);
  return [setting.name, counts.failed === failed ? "ok" : "FAILED", installed, secondsSince(time)];
};

const lines = [["setting", "", "install s", "run s"]];
for (const { setting } of chosen) lines.push([...(await judge(setting))]);
if (counts.failed === 0) rmSync(root, { recursive: true });
console.log();
for (const [name = "", end = "", installed = "", ran = ""] of lines) {
  console.log(name.padEnd(50), end.padEnd(8), installed.padStart(9), ran.padStart(8));
}
console.log(`\n${chosen.length} settings: ${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
