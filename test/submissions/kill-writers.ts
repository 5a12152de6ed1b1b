import { existsSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import type { RecordStore } from "../../src/submissions/record-store.ts";
import { runUntilKilled } from "./kill-process.ts";
import { stepOf } from "./written-steps.ts";

/** Writes that processes have called safe before they were killed. */
export interface Written {
  /** Number of steps of each record. */
  readonly steps: Map<string, number>;
  /** Numbers that the count had, one for each addition. */
  readonly counts: string[];
}

/** Number of all writes. */
export const sumOf = ({ steps, counts }: Written): number =>
  [...steps.values()].reduce((sum, step) => sum + step, counts.length);

/** Runs a writer and kills it, at a random moment: most often while it writes. */
export const runWriter = async (
  args: readonly string[],
  { steps, counts }: Written,
): Promise<void> => {
  const report = `${args[0]}.${args.at(-1)}`;
  await runUntilKilled([...args, report], (killIn, onOutput) => {
    if (Math.random() < 0.1) killIn(200 * Math.random());
    onOutput(() => killIn(100 * Math.random()));
  });
  const told = existsSync(report) ? readFileSync(report, "utf8") : "";
  for (const line of told.split("\n")) {
    const [what, name = "", step = "0"] = line.split(" ");
    if (what === "wrote") steps.set(name, Number(step));
    if (what === "counted") counts.push(name);
  }
};

/** Checks that a store holds what was safe, and no more than the write that was under way. */
export const checkWritten = async (
  store: RecordStore,
  { steps, counts }: Written,
  kills: number,
): Promise<void> => {
  const open = new Set((await store.list("open", Number.MAX_SAFE_INTEGER)).map(({ id }) => id));
  for (const [id, step] of steps) {
    const there = await store.get(id);
    const may = [stepOf(step), stepOf(step + 1)];
    const next = may.find((one) => one?.rev === there?.rev);
    expect(
      may.map((one) => one?.rev),
      id,
    ).toContain(there?.rev);
    expect([id, there?.text, open.has(id)]).toEqual([id, next?.text, next?.list === "open"]);
  }
  const sum = Number((await store.get("count"))?.text ?? 0);
  expect(new Set(counts).size).toBe(counts.length);
  expect(sum).toBeGreaterThanOrEqual(counts.length);
  expect(sum).toBeLessThanOrEqual(counts.length + 2 * kills);
};
