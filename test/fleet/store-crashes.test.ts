import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { ownClock } from "../../src/submissions/clock.ts";
import { createSubmissionsWith } from "../../src/submissions/create-submissions.ts";
import { createRedisStore } from "../../src/submissions/redis-store.ts";
import { type ChargingAccounts, listenToAccounts } from "../submissions/charging-accounts.ts";
import { bundleChild, killWhileSubmitting, runUntilKilled } from "../submissions/kill-process.ts";
import { checkWritten, runWriter, sumOf, type Written } from "../submissions/kill-writers.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** `npm run test:crashes` kills 400 processes. */
const kills = Number(process.env["CRASH_RUNS"] ?? 8);

/** Crashes Redis again and again, until the work has ended. Gives the number of crashes. */
const crashDuring = async (redis: RedisServer, work: Promise<unknown>): Promise<number> => {
  let crashes = 0;
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 100 + 400 * Math.random()));
    await redis.crash();
    crashes++;
  }
  await ended;
  return crashes;
};

test.concurrent("no kill of a process or of Redis loses a safe record", {
  timeout: 900_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-crashes-"));
  const script = await bundleChild("swap-until-killed", folder);
  const redis = await startRedis();
  const written: Written = { steps: new Map(), counts: [] };
  let killed = 0;
  const runLane = async (lane: string): Promise<void> => {
    // On a busy machine many are killed before their first write.
    while (killed < kills || sumOf(written) <= kills) {
      killed++;
      await runWriter([script, "redis", String(redis.port), `${lane}${killed}`], written);
    }
  };
  const crashes = await crashDuring(redis, Promise.all(["a", "b"].map(runLane)));

  const client = new Redis(redis.connection);
  const store = createRedisStore((...words) => client.call(...words), { warnOfDurability: false });
  await checkWritten(store, written, kills + 2 * crashes);
  client.disconnect();
  await redis.close();
  rmSync(folder, { recursive: true, force: true });
  if (process.env["CRASH_RUNS"]) {
    console.log(`${killed} kills, ${crashes} crashes of Redis, ${sumOf(written)} steps`);
  }
  expect(crashes).toBeGreaterThan(0);
});

/** Recovers after the last process, when each lease is over, and checks what that tells. */
const checkAtLast = async (redis: RedisServer, service: ChargingAccounts): Promise<void> => {
  const client = new Redis(redis.connection);
  const store = createRedisStore((...words) => client.call(...words), { warnOfDurability: false });
  let now = 0;
  const clock = { ...ownClock, now: () => now };
  const submissions = createSubmissionsWith(clock, store);
  const { charged } = service.accountOf("fleet");
  const jobs = {
    list: async () => ({ items: charged, meta: {} }),
    get: () => Promise.reject(new Error("no answer names a job that is not listed")),
  };
  await submissions.listOpen();
  now = 60_000;
  const { waiting, unknown, underWay, damaged } = await submissions.recover({}, jobs as never);
  service.check("fleet", charged.length, {
    waiting: waiting.map(({ job_id: jobId }) => jobId),
    unknown: unknown.map(({ request, candidates = [] }) => ({
      prompt: request["prompt"],
      candidates: candidates.map(({ job_id: jobId }) => jobId),
    })),
    underWay: [],
    damaged,
  });
  expect(underWay).toEqual([]);
  client.disconnect();
};

test.concurrent("two processes on one Redis make each job once", { timeout: 900_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-crashes-"));
  const script = await bundleChild("submit-until-killed", folder);
  const [redis, service] = [await startRedis(), await listenToAccounts()];
  const account = service.accountOf("fleet");
  let killed = 0;
  const runLane = async (lane: string): Promise<void> => {
    // On a busy machine many are killed before their first request.
    while (killed < kills || account.charged.length <= kills / 2) {
      killed++;
      const args = [script, "redis", String(redis.port), service.url, "fleet", `${lane}-${killed}`];
      await runUntilKilled(args, killWhileSubmitting);
    }
  };

  const crashes = await crashDuring(redis, Promise.all(["a", "b"].map(runLane)));
  await checkAtLast(redis, service);
  await redis.close();
  rmSync(folder, { recursive: true, force: true });

  const { charged, problems } = account;
  if (process.env["CRASH_RUNS"]) {
    console.log(`${killed} kills, ${crashes} crashes of Redis, ${charged.length} charged`);
    console.log(service.counts);
  }
  expect(problems).toEqual([]);
  expect(crashes).toBeGreaterThan(0);
});
