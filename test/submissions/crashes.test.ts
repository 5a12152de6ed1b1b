import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFileStore } from "../../src/submissions-file.ts";
import { listenToAccounts } from "./charging-accounts.ts";
import { bundleChild, killWhileSubmitting, runUntilKilled } from "./kill-process.ts";
import { checkWritten, runWriter, sumOf, type Written } from "./kill-writers.ts";

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
    // On a busy machine many are killed before their first write.
    for (let run = 1; run <= kills / 2 || sumOf(written) <= kills / 2; run++) {
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

  if (process.env["CRASH_RUNS"]) console.log("steps and counts:", ...lanes.map(sumOf));
});

test("no kill loses a job, or makes one twice", { timeout: 900_000 }, async () => {
  const script = await bundleChild("submit-until-killed", folder);
  const service = await listenToAccounts();
  const chargedBy = () => [...service.accounts.values()].flatMap(({ charged }) => charged).length;
  /** On a busy machine many are killed before their first request. */
  const hasMetEnough = (): boolean =>
    chargedBy() > kills / 2 &&
    Math.min(service.counts.recoveries, service.counts.unknown) > kills / 3;
  const runLane = async (lane: string): Promise<void> => {
    const path = join(folder, lane);
    for (let run = 1; run <= kills / 2 || !hasMetEnough(); run++) {
      const args = [script, "file", path, service.url, lane, `${lane}-${run}`];
      await runUntilKilled(args, killWhileSubmitting);
    }
  };

  await Promise.all(["lane-a", "lane-b"].map(runLane));

  const accounts = [...service.accounts.values()];
  if (process.env["CRASH_RUNS"]) console.log(`${chargedBy()} charged`, service.counts);
  expect(accounts.flatMap(({ problems }) => problems)).toEqual([]);
});
