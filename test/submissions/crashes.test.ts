import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFileStore } from "../../src/submissions-file.ts";
import { listenToAccounts } from "./charging-accounts.ts";
import { bundleChild, killWhileSubmitting, runUntilKilled } from "./kill-process.ts";
import { checkWritten, runWriter, type Written } from "./kill-writers.ts";

/** `npm run test:crashes` kills 400 processes. */
const kills = Number(process.env["CRASH_RUNS"] ?? 8);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "adgen-crashes-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("no kill loses a record of a file that was safe", { timeout: 900_000 }, async () => {
  const script = await bundleChild("swap-until-killed", folder);
  const runLane = async (lane: string): Promise<Written> => {
    const path = join(folder, lane);
    const written: Written = { steps: new Map(), counts: [] };
    for (let run = 1; run <= kills / 2; run++) {
      await runWriter([script, "file", path, `${lane}${run}`], written);
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
  expect(sums.flat().reduce((sum, number) => sum + number, 0)).toBeGreaterThan(kills);
});

test("no kill loses a job, or makes one twice", { timeout: 900_000 }, async () => {
  const script = await bundleChild("submit-until-killed", folder);
  const service = await listenToAccounts();
  const runLane = async (lane: string): Promise<void> => {
    const path = join(folder, lane);
    for (let run = 1; run <= kills / 2; run++) {
      const args = [script, "file", path, service.url, lane, `${lane}-${run}`];
      await runUntilKilled(args, killWhileSubmitting);
    }
  };

  await Promise.all(["lane-a", "lane-b"].map(runLane));

  const accounts = [...service.accounts.values()];
  const charged = accounts.reduce((sum, account) => sum + account.charged.length, 0);
  if (process.env["CRASH_RUNS"]) console.log(`${kills} kills, ${charged} charged`, service.counts);
  expect(accounts.flatMap(({ problems }) => problems)).toEqual([]);
  expect(charged).toBeGreaterThan(kills / 2);
  expect(service.counts.recoveries).toBeGreaterThan(kills / 3);
  expect(service.counts.unknown).toBeGreaterThan(kills / 3);
});
