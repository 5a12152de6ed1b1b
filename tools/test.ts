/**
 * `npm test` runs every check, and then prints how many tests passed, failed and were skipped. A
 * check without tests of its own (lint, build) counts as a failed test if it fails, and isn't
 * counted if it passes.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chromiumMissing, chromiumPath } from "./chromium.ts";
import type { TestCounts } from "./count-reporter.ts";
import { redisMissing, redisPath } from "./runtimes.ts";

/** Arguments of npm. */
type Command = readonly string[];

interface Ended {
  readonly title: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly counts?: TestCounts;
  /** Output, to be printed at the end. */
  readonly said?: string;
}

/** Checks without tests. They run beside the build and the tests, one after the other. */
const checks: readonly Command[] = [
  ["run", "--silent", "docs", "--", "--skipErrorChecking", "--out", ".tmp/site"],
  ["run", "--silent", "lint"],
];
const build: Command = ["run", "--silent", "build"];
const vitest: Command = ["exec", "--", "vitest", "run"];

const countsFile = ".tmp/test-counts.json";

mkdirSync(".tmp", { recursive: true });

const npm = process.env["npm_execpath"];
if (npm === undefined) throw new Error("Run this through npm: npm test");

/** Runs a command; with "pipe", keeps its output until all checks and tests have ended. */
const run = async (command: Command, output: "pipe" | "inherit"): Promise<Ended> => {
  const startedAt = performance.now();
  const title = command.find((word) => !/^(run|exec|-.*)$/.test(word)) ?? "";
  const line = `\n=== npm ${command.join(" ")}`;
  if (output === "inherit") console.log(line);
  const child = spawn(process.execPath, [npm, ...command], {
    stdio: ["ignore", output, output],
    env: { ...process.env, ADGEN_TEST_COUNTS: countsFile },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  }
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const said = `${line}\n${Buffer.concat(chunks).toString().trimEnd()}`;
  const seconds = (performance.now() - startedAt) / 1000;
  return { title, ok: status === 0, seconds, ...(output === "pipe" && { said }) };
};

const runChecks = async (): Promise<Ended[]> => {
  const ended: Ended[] = [];
  for (const command of checks) ended.push(await run(command, "pipe"));
  return ended;
};

const readCounts = (): TestCounts | undefined => {
  try {
    return JSON.parse(readFileSync(countsFile, "utf8"));
  } catch {
    return undefined;
  }
};

/** Runs vitest, which writes its counts to the file named in ADGEN_TEST_COUNTS. */
const runTests = async (command: Command): Promise<Ended> => {
  rmSync(countsFile, { force: true });
  const ended = await run(command, "inherit");
  const counts = readCounts();
  return counts
    ? { ...ended, ok: ended.ok && counts.failed === 0, counts }
    : { ...ended, ok: false };
};

const checking = runChecks();
const built = await run(build, "pipe");
const tested = await runTests(built.ok ? vitest : [...vitest, "--project=!packaging"]);
const checked = [built, ...(await checking)];
for (const { said } of checked) console.log(said);

const all = [...checked, tested];
console.log();
for (const { title, ok, seconds } of all) {
  console.log(`${title.padEnd(8)} ${ok ? "ok" : "FAILED"} (${seconds.toFixed(1)} s)`);
}
if (!built.ok)
  console.log("The tests of the published files did not run, because the build failed.");
const { passed = 0, skipped = 0 } = tested.counts ?? {};
if (chromiumPath === undefined) console.log(chromiumMissing);
if (redisPath === undefined) console.log(redisMissing);
else if (chromiumPath !== undefined && skipped > 0)
  console.log("The warnings above name the runtime that skipped tests need.");

/** A check that failed without a failed test counts as one, because the exit code decides. */
const failed = all
  .filter(({ ok }) => !ok)
  .reduce((sum, { counts }) => sum + Math.max(counts?.failed ?? 0, 1), 0);
const closingLine = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
// For .ci/run, which must know whether all this came to an end.
writeFileSync(".tmp/closing-line", `${closingLine}\n`);
console.log(closingLine);
process.exitCode = failed === 0 ? 0 : 1;
