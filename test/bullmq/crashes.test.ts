import { expect, onTestFinished, test } from "vitest";
import { createSubmissionsWith } from "../../src/submissions/create-submissions.ts";
import { recoverJobs } from "../../src/submissions/recover-jobs.ts";
import { ownClock } from "../../src/submissions/store/clock.ts";
import { clientOf, pause } from "../helpers/client.ts";
import { bundleChild, listenCharging, runUntilKilled } from "../submissions/killed-processes.ts";
import { type AdJob, type Fleet, openFleet, until } from "./fleet.ts";
import { openStore } from "./open-store.ts";
import { startRedis } from "./redis-server.ts";

/** `npm run test:slow` plays it at its full size. */
const size = Number(process.env["ADGEN_FLEET_SIZE"] ?? 16);

/**
 * With few jobs, kills must come early to hit a worker. They are few, because each leaves leases of
 * ten seconds.
 */
const isShort = size < 40;
const maxKills = isShort ? 6 : Number.POSITIVE_INFINITY;
const maxRequests = isShort ? 4 : 8;

/** Longest time of each stage, in milliseconds, with a reserve for a busy machine. */
const patience = 60_000 + 600 * size;

const promptOf = (id = ""): string => `Summer sale of ${id}`;

/** Returns the jobs that the service has charged for, by their prompts. */
const chargedJobs = ({ server }: Fleet): Map<unknown, string[]> => {
  const jobs = new Map<unknown, string[]>();
  for (const { reason, jobId = "" } of server.service.account("test-key").ledger) {
    if (reason !== "charge") continue;
    const prompt = server.service.jobs.inspect(jobId)?.request["prompt"];
    jobs.set(prompt, [...(jobs.get(prompt) ?? []), jobId]);
  }
  return jobs;
};

test(
  `${size} submissions are charged once and none is lost when workers are killed and Redis crashes`,
  async () => {
    const fleet = await openFleet({
      accounts: { "test-key": { credits: { image: { monthly: Math.ceil(size / 2) } } } },
      timeline: { queuedMs: { min: 50, max: 300 }, processingMs: { min: 50, max: 500 } },
    });
    const { add, get, queue, resultOf, server, redis, name, submissions } = fleet;
    const { faults, journal } = server.service;
    // A slow answer widens the moment in which a killed worker leaves an unknown outcome.
    const slow = { kind: "latency", ms: { min: 20, max: 250 } } as const;
    faults.play(slow, { operation: "jobs.submit", times: 10 * size });
    faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit", times: 2 });

    const script = await bundleChild("bullmq/children/worker");
    const words = [script, name, String(redis.port), server.url];
    const end = new AbortController();
    let starts = 0;
    const runLane = async (): Promise<void> => {
      for (; !end.signal.aborted; starts++) {
        // A worker is stopped for longer than its lock, and than the timeout of a submission.
        const options = { stopMs: 2_000, maxRequests: starts < maxKills ? maxRequests : 10_000 };
        await runUntilKilled(words, { ...options, signal: end.signal });
      }
    };
    const lanes = Promise.all([1, 2, 3].map(runLane));
    onTestFinished(async () => {
      end.abort();
      await lanes;
    });

    const ids = Array.from({ length: size }, (_, index) => `order-${index}`);
    await Promise.all(ids.map((id) => add(id, { action: "generate-ad", prompt: promptOf(id) })));
    const ended = async () => (await queue.getCompletedCount()) + (await queue.getFailedCount());
    await until(async () => expect(await ended()).toBeGreaterThan(size / 3), patience, 50);
    await redis.crash(300);
    // Until its connection is back, the store of this process refuses commands.
    await until(() => submissions.listOpen());
    // The credits run out midway, unless the kills on a busy machine have left more than half of the
    // submissions in doubt. Refused submissions are tried again when there are new credits.
    const refused = () => journal.find({ method: "POST", status: 402 });
    const isMidway = async () => refused().length > 0 || (await ended()) === size;
    await until(async () => expect(await isMidway()).toBe(true), patience, 50);
    server.service.account("test-key").grant({ image: { monthly: 10 * size } });
    await until(async () => expect(await ended()).toBe(size), patience, 100);

    const charged = chargedJobs(fleet);
    const all = await Promise.all(ids.map(get));
    const twice = [...charged.values()].filter((jobs) => jobs.length > 1);
    const collected = all.filter(({ returnvalue }) => returnvalue);
    const doubtful = all.filter(({ data }) => data.doubt !== undefined);

    expect(starts).toBeGreaterThan(0);
    expect(twice).toEqual([]);
    expect(collected.length + doubtful.length).toBe(size);
    for (const { id, returnvalue } of collected) {
      expect(charged.get(promptOf(id))).toEqual([returnvalue.job_id]);
      expect(returnvalue.status).toBe("completed");
    }
    // A charged job that no worker has received must be a candidate of its submission.
    const decide = async (job: AdJob): Promise<void> => {
      const { doubt } = job.data;
      if (doubt === undefined) return;
      const jobs = charged.get(promptOf(doubt.id)) ?? [];
      const candidates = doubt.candidates?.map(({ job_id }) => job_id);
      expect(candidates).toEqual(expect.arrayContaining(jobs));
      const [jobId] = jobs;
      await submissions.decide(doubt, jobId === undefined ? "drop" : { adopt: jobId });
      if (jobId === undefined) return;
      await job.retry();
      expect(await resultOf(doubt.id)).toMatchObject({ job_id: jobId, status: "completed" });
    };
    await Promise.all(doubtful.map(decide));
    expect(await submissions.listOpen()).toMatchObject({ unknown: [], underWay: [] });
    expect(chargedJobs(fleet).size).toBe(charged.size);
  },
  4 * patience,
);

/** `npm run test:slow` kills 400 processes of this store. */
const kills = Number(process.env["CRASH_RUNS"] ?? 8);

test("two killed processes on one Redis lose no job, and pay for none twice", {
  timeout: 900_000,
}, async () => {
  const script = await bundleChild("submissions/children/submit-until-killed");
  const [redis, service] = [await startRedis(), await listenCharging()];
  const { url, charged, problems } = service;
  const place = String(redis.port);
  let killed = 0;
  const runLane = async (lane: string): Promise<void> => {
    // On a busy machine, many processes are killed before their first request.
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

  // This recovery comes after the last process, when each lease is over.
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
