/** One measurement, a line of the printed table. */
export interface Finding {
  readonly what: string;
  /** Text of the measurement, for people. */
  readonly measured: string;
  /** Text of the limit; absent when the measurement is for information only. */
  readonly limit?: string;
  readonly ok: boolean;
  /** Spread of the measurements. */
  readonly noise?: string;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** The median and the quartiles of measurements. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: at(sorted, 0.5), low: at(sorted, 0.25), high: at(sorted, 0.75) };
};

export const showSpread = ({ low, high }: Spread, digits = 2): string =>
  `${low.toFixed(digits)} to ${high.toFixed(digits)}`;

/** Makes this many runs, one after the other, and gives the mean microseconds of a run. */
export const costOf = async (runs: number, run: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  for (let count = 0; count < runs; count += 1) await run();
  return ((performance.now() - startedAt) * 1000) / runs;
};

interface Comparison {
  /** Ratio of the two times. Its median is the ratio of the two medians. */
  readonly ratio: Spread;
  /** Microseconds for each run. */
  readonly one: Spread;
  readonly other: Spread;
}

/** Runs before the measurement, because the engine still compiles the code. */
const warmUpRuns = 4_000;

const rounds = 2_000;
/** Runs of a function in one round: few, so that most rounds end before another process runs. */
const runs = 2;

/**
 * Measures how much longer `one` takes than `other`. They run in turn, in many short rounds, so
 * that other work on the machine meets both alike.
 */
export const compareCosts = async (
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<Comparison> => {
  for (const run of [one, other]) await costOf(warmUpRuns, run);
  const [ones, others, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    // The garbage of the first function slows the second one, so they change places each round.
    const firstIsOne = round % 2 === 0;
    const first = await costOf(runs, firstIsOne ? one : other);
    const second = await costOf(runs, firstIsOne ? other : one);
    const [costOfOne, costOfOther] = firstIsOne ? [first, second] : [second, first];
    ones.push(costOfOne);
    others.push(costOfOther);
    ratios.push(costOfOne / costOfOther);
  }
  const [spread, otherSpread] = [spreadOf(ones), spreadOf(others)];
  const median = spread.median / otherSpread.median;
  return { ratio: { ...spreadOf(ratios), median }, one: spread, other: otherSpread };
};

/** Prints lines below their titles, each column as wide as its widest cell. */
export const printTable = (
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): void => {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [titles, ...rows]) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    console.log(cells.join("  ").trimEnd());
  }
};

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
