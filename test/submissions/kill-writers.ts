import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect } from "vitest";
import type { RecordStore } from "../../src/submissions/record-store.ts";
import { stepOf } from "./written-steps.ts";

/** Bundles the child: as one file it starts in a third of the time. */
export const bundleWriter = async (folder: string): Promise<string> => {
  const outfile = join(folder, "writer.mjs");
  await build({
    entryPoints: ["test/submissions/children/swap-until-killed.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
};

/** Writes that processes have called safe before they were killed. */
export interface Written {
  /** Number of steps of each record. */
  readonly steps: Map<string, number>;
  /** Numbers that the count had, one for each addition. */
  readonly counts: string[];
}

/** Runs a process and kills it, at a random moment: most often while it writes. */
export const runAndKill = (args: readonly string[], { steps, counts }: Written): Promise<void> =>
  new Promise((resolve, reject) => {
    const report = `${args[0]}.${args.at(-1)}`;
    const child = spawn(process.execPath, [...args, report], { stdio: ["ignore", "pipe", "pipe"] });
    const kill = () => void child.kill("SIGKILL");
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    if (Math.random() < 0.1) setTimeout(kill, 200 * Math.random());
    child.stdout.once("data", () => setTimeout(kill, 100 * Math.random()));
    child.on("error", reject);
    child.on("close", (_, signal) => {
      const told = existsSync(report) ? readFileSync(report, "utf8") : "";
      for (const line of told.split("\n")) {
        const [what, name = "", step = "0"] = line.split(" ");
        if (what === "wrote") steps.set(name, Number(step));
        if (what === "counted") counts.push(name);
      }
      if (signal === "SIGKILL" && errors === "") resolve();
      else reject(new Error(`It ended by ${signal}: ${errors}`));
    });
  });

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
    const isThere = may.find((next) => next?.rev === there?.rev);
    expect(
      may.map((next) => next?.rev),
      id,
    ).toContain(there?.rev);
    expect([id, there?.text, open.has(id)]).toEqual([id, isThere?.text, isThere?.list === "open"]);
  }
  const sum = Number((await store.get("count"))?.text ?? 0);
  expect(new Set(counts).size).toBe(counts.length);
  expect(sum).toBeGreaterThanOrEqual(counts.length);
  return expect(sum).toBeLessThanOrEqual(counts.length + 2 * kills);
};
