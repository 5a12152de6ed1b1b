import { expect, test } from "vitest";
import { listenCharging } from "./charging-service.ts";
import { bundleChild, runUntilKilled } from "./kill-process.ts";

/** `npm run test:crashes` kills 400 processes of this store. */
const kills = Number(process.env["CRASH_RUNS"] ?? 8);

test("no kill loses a job, makes one twice, or forgets one that was safe", {
  timeout: 900_000,
}, async () => {
  const script = await bundleChild("submissions/children/submit-until-killed");
  const runLane = async (lane: string): Promise<void> => {
    const { url, charged, counts, problems } = await listenCharging();
    /** On a busy machine many are killed before their first request. */
    const hasMetEnough = (): boolean =>
      Math.min(charged.length, counts.recoveries, counts.unknown) > kills / 6;
    for (let run = 1; run <= kills / 2 || !hasMetEnough(); run++) {
      await runUntilKilled([script, "file", `${script}.${lane}`, url, `${lane}-${run}`]);
    }
    expect(problems).toEqual([]);
  };

  await Promise.all(["lane-a", "lane-b"].map(runLane));
});
