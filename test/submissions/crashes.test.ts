import { describe, expect, test } from "vitest";
import { runtimes } from "../runtimes/programs.ts";
import { bundleChild, listenCharging, runUntilKilled } from "./killed-processes.ts";

/** `npm run test:slow` kills 400 processes for each row, in each runtime. */
const kills = Number(process.env["CRASH_RUNS"] ?? 8);
const isLong = kills > 8;

describe.each(isLong ? runtimes : runtimes.slice(0, 1))("$name", ({ path, runWithPackages }) => {
  test.each(isLong ? [2, 4] : [2])(
    "killing any of %i processes on one file loses no job, and pays for none twice",
    { timeout: 1_800_000 },
    async (lanes) => {
      const script = await bundleChild("submissions/children/submit-until-killed");
      const { url, charged, counts, problems } = await listenCharging();
      let killed = 0;
      /** On a busy machine, many processes are killed before their first request. */
      const hasMetEnough = (): boolean =>
        Math.min(charged.length, counts.recoveries, counts.unknown) > kills / 6;
      const runLane = async (lane: number): Promise<void> => {
        while (killed < kills || !hasMetEnough()) {
          const args = [script, "file", `${script}.store`, url, `${lane}-${++killed}`];
          await runUntilKilled([...runWithPackages, ...args], { runtime: path });
        }
      };

      await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));

      expect(problems).toEqual([]);
      if (isLong) console.log(`${lanes} processes, ${killed} kills: ${JSON.stringify(counts)}`);
    },
  );
});
