import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFileStore } from "../../src/submissions-file.ts";
import { bundleWriter, checkWritten, runAndKill, type Written } from "./kill-writers.ts";

/** `npm run test:crashes` kills 400 processes. */
const kills = Number(process.env["CRASH_RUNS"] ?? 12);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "adgen-crashes-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("no kill loses a record of a file that was safe", { timeout: 900_000 }, async () => {
  const script = await bundleWriter(folder);
  const runLane = async (lane: string): Promise<Written> => {
    const path = join(folder, lane);
    const written: Written = { steps: new Map(), counts: [] };
    for (let run = 1; run <= kills / 2; run++) {
      await runAndKill([script, "file", path, `${lane}${run}`], written);
      // Every other process opens the file as its predecessor has left it.
      if (run % 2 === 1 && run < kills / 2 - 1) continue;
      const store = await openFileStore(path);
      await checkWritten(store, written, run);
      expect((await store.list("open", 999)).filter(({ isLeft }) => !isLeft)).toEqual([]);
      await store.close();
    }
    return written;
  };

  const lanes = await Promise.all(["a", "b"].map(runLane));

  const sums = lanes.map(({ steps, counts }) => [
    steps.size,
    [...steps.values()].reduce((sum, step) => sum + step, 0),
    counts.length,
  ]);
  if (process.env["CRASH_RUNS"]) console.log(`${kills} kills, records, steps, counts:`, ...sums);
  expect(sums.flat().reduce((sum, number) => sum + number, 0)).toBeGreaterThan(10 * kills);
});
