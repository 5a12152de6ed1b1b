import { expect, test } from "vitest";
import { createSubmissionsWith } from "../../src/submissions/create-submissions.ts";
import { recoverJobs } from "../../src/submissions/recover-jobs.ts";
import { ownClock } from "../../src/submissions/store/clock.ts";
import { clientOf, pause } from "../helpers/client.ts";
import { listenCharging } from "../submissions/charging-service.ts";
import { bundleChild, runUntilKilled } from "../submissions/kill-process.ts";
import { openStore } from "./open-store.ts";
import { startRedis } from "./redis-server.ts";

/** `npm run test:slow` kills 400 processes of this store. */
const kills = Number(process.env["CRASH_RUNS"] ?? 8);

test("two processes on one Redis make each job once, and lose none", {
  timeout: 900_000,
}, async () => {
  const script = await bundleChild("submissions/children/submit-until-killed");
  const [redis, service] = [await startRedis(), await listenCharging()];
  const { url, charged, problems } = service;
  const place = String(redis.port);
  let killed = 0;
  const runLane = async (lane: string): Promise<void> => {
    // On a busy machine many are killed before their first request.
    while (killed < kills || charged.length <= kills / 2) {
      killed++;
      await runUntilKilled([script, "redis", place, url, `${lane}-${killed}`]);
    }
  };
  let crashes = 0;
  let isOver = false;
  const work = Promise.all(["a", "b"].map(runLane)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await pause(100 + 400 * Math.random());
    await redis.crash();
    crashes++;
  }
  await work;

  // It recovers after the last process, when each lease is over.
  const { store, ready, close } = openStore(redis.port);
  await ready;
  const later = { ...ownClock, wall: () => 20 * Date.now() + 60_000 };
  const submissions = createSubmissionsWith(later, store);
  const told = await recoverJobs(clientOf(service, { submissions, apiKey: "test-key" }));
  const answered: Record<string, string> = {};
  for (const { prompt } of charged) {
    const one = await submissions.find(prompt);
    if (one.state === "settled") answered[prompt] = one.job_id ?? "";
  }
  service.check({ charged: charged.length, got: 0 }, { ...told, answered });
  await Promise.all([close(), redis.close()]);

  expect(told.underWay).toEqual([]);
  expect(problems).toEqual([]);
  expect(crashes).toBeGreaterThan(0);
});
