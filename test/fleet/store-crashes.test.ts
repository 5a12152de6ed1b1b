import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { createRedisStore } from "../../src/submissions/redis-store.ts";
import { bundleChild } from "../submissions/kill-process.ts";
import { checkWritten, runWriter, type Written } from "../submissions/kill-writers.ts";
import { startRedis } from "./redis-server.ts";

/** `npm run test:crashes` kills 400 processes. */
const kills = Number(process.env["CRASH_RUNS"] ?? 10);

test("no kill of a process or of Redis loses a safe record", { timeout: 900_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-crashes-"));
  const script = await bundleChild("swap-until-killed", folder);
  const redis = await startRedis();
  const written: Written = { steps: new Map(), counts: [] };
  let [killed, crashes] = [0, 0];
  let isOver = false;

  const runLane = async (lane: string): Promise<void> => {
    while (killed < kills) {
      killed++;
      await runWriter([script, "redis", String(redis.port), `${lane}${killed}`], written);
    }
  };
  const crashRedis = async (): Promise<void> => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 400 * Math.random()));
      await redis.crash();
      crashes++;
    }
  };
  const crashing = crashRedis();
  await Promise.all(["a", "b"].map(runLane));
  isOver = true;
  await crashing;

  const client = new Redis(redis.connection);
  const store = createRedisStore((...words) => client.call(...words), { warnOfDurability: false });
  await checkWritten(store, written, kills + 2 * crashes);
  client.disconnect();
  await redis.close();
  rmSync(folder, { recursive: true, force: true });
  const steps = [...written.steps.values()].reduce((sum, step) => sum + step, 0);
  if (process.env["CRASH_RUNS"]) {
    console.log(
      `${killed} kills, ${crashes} crashes of Redis, ${steps} steps`,
      written.counts.length,
    );
  }
  expect(crashes).toBeGreaterThan(0);
  expect(steps + written.counts.length).toBeGreaterThan(10 * kills);
});
