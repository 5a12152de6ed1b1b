/**
 * `npm test`: every check in order, each an npm script that can be run alone, then one line that
 * says how many tests passed and failed. A check without tests of its own (lint, build) adds one
 * failed when it fails and nothing when it passes.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { TestCounts } from "./count-reporter.ts";

interface Check {
  readonly script: string;
  /** Runs vitest, which writes what it counted to the file named in ADGEN_TEST_COUNTS. */
  readonly countsTests?: true;
  /** Makes no sense when that check failed. */
  readonly needs?: string;
}

const checks: readonly Check[] = [
  { script: "lint" },
  { script: "typecheck" },
  { script: "unused" },
  { script: "test:source", countsTests: true },
  { script: "docs:check" },
  { script: "build:dist" },
  { script: "test:packaging", countsTests: true, needs: "build:dist" },
];

const countsFile = ".tmp/test-counts.json";

mkdirSync(".tmp", { recursive: true });

const npm = process.env["npm_execpath"];
if (npm === undefined) throw new Error("Run this through npm: npm test");

const run = (script: string): boolean => {
  console.log(`\n=== npm run ${script}`);
  const { status } = spawnSync(process.execPath, [npm, "run", "--silent", script], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ADGEN_TEST_COUNTS: countsFile },
  });
  return status === 0;
};

const readCounts = (): TestCounts | undefined => {
  try {
    return JSON.parse(readFileSync(countsFile, "utf8"));
  } catch {
    return undefined;
  }
};

const total: TestCounts = { passed: 0, failed: 0, skipped: 0 };
const failedChecks = new Set<string>();
const report: string[] = [];

for (const { script, countsTests, needs } of checks) {
  if (needs !== undefined && failedChecks.has(needs)) {
    report.push(`${script.padEnd(16)} not run: ${needs} failed`);
    continue;
  }
  rmSync(countsFile, { force: true });
  const startedAt = performance.now();
  const succeeded = run(script);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const counts = countsTests ? readCounts() : undefined;
  const ok = succeeded && (!countsTests || (counts !== undefined && counts.failed === 0));
  total.passed += counts?.passed ?? 0;
  total.skipped += counts?.skipped ?? 0;
  // The exit code decides: a check that failed without a failed test still counts as one.
  total.failed += ok ? 0 : Math.max(counts?.failed ?? 0, 1);
  if (!ok) failedChecks.add(script);
  report.push(`${script.padEnd(16)} ${ok ? "ok" : "FAILED"} (${seconds} s)`);
}

console.log(`\n${report.join("\n")}`);
if (total.skipped > 0) console.log(`Skipped tests: ${total.skipped}`);
const closingLine = `${total.passed} passed, ${total.failed} failed`;
// For .ci/run, which must know whether all this came to an end.
writeFileSync(".tmp/closing-line", `${closingLine}\n`);
console.log(closingLine);
process.exitCode = failedChecks.size === 0 ? 0 : 1;
