import type { Submission } from "adgen-sdk/bullmq";
import { expect, test } from "vitest";
import { type Fleet, until, useFleets } from "./fleet.ts";
import { createRandom, startWorkers } from "./worker-processes.ts";

const openFleet = useFleets();

/** `npm run test:fleet` plays it at its full size. */
const size = Number(process.env["ADGEN_FLEET_SIZE"] ?? 40);
const seed = Number(process.env["ADGEN_FLEET_SEED"] ?? 20_261_122);

const workerCount = 3;

/** Time for each stage, in milliseconds; a machine under load needs some of it. */
const patience = 60_000 + 600 * size;

/** States in which nothing more happens by itself. */
const atRest = ["completed", "failed", "held", "refused", "given-up", "dropped"];

const promptOf = (id: string): string => `Summer sale of ${id}`;

/** Jobs that the service has charged for, by their prompt. */
const chargedJobs = ({ server }: Fleet): Map<unknown, string[]> => {
  const jobs = new Map<unknown, string[]>();
  const { ledger } = server.service.account("test-key");
  for (const { reason, jobId } of ledger) {
    if (reason !== "charge" || jobId === undefined) continue;
    const prompt = server.service.jobs.inspect(jobId)?.request["prompt"];
    jobs.set(prompt, [...(jobs.get(prompt) ?? []), jobId]);
  }
  return jobs;
};

const readAll = async ({ queue }: Fleet, ids: readonly string[]): Promise<Submission[]> => {
  const all = await Promise.all(ids.map((id) => queue.get(id)));
  return all.filter((submission) => submission !== undefined);
};

test(
  `${size} submissions survive killed workers and a crash of Redis: charged once, none lost`,
  async () => {
    const random = createRandom(seed);
    const fleet = await openFleet({
      accounts: { "test-key": { credits: { image: { monthly: 10 * size } } } },
      timeline: { queuedMs: { min: 50, max: 300 }, processingMs: { min: 50, max: 500 } },
    });
    const { queue, server, redis, name } = fleet;
    const { faults } = server.service;
    // A slow answer widens the moment in which a killed worker leaves an unknown outcome.
    const slow = { kind: "latency", ms: { min: 20, max: 250 } } as const;
    faults.play(slow, { operation: "jobs.submit", times: 10 * size });
    const reset = { kind: "reset", accepted: true } as const;
    faults.play(reset, { operation: "jobs.submit", times: 2 });

    const ids = Array.from({ length: size }, (_, index) => `order-${index}`);
    const kills = { most: Math.ceil(size / 8), nextMs: () => 100 + 900 * random() };
    const workers = startWorkers(workerCount, [name, String(redis.port), server.url], kills);
    try {
      await Promise.all(
        ids.map((id) => queue.add(id, { action: "generate-ad", prompt: promptOf(id) })),
      );
      const done = async () =>
        (await queue.looks.getCompletedCount()) + (await queue.listHeld()).length;
      await until(async () => expect(await done()).toBeGreaterThan(size / 3), patience, 200);
      await redis.crash(300);
      const settled = async () => {
        const states = (await readAll(fleet, ids)).map(({ state }) => state);
        return states.filter((state) => atRest.includes(state)).length;
      };
      await until(async () => expect(await settled()).toBe(size), patience, 500);

      const charged = chargedJobs(fleet);
      const all = await readAll(fleet, ids);
      const twice = [...charged.values()].filter((jobs) => jobs.length > 1);
      const collected = all.filter(({ state }) => state === "completed");
      const held = await queue.listHeld();
      console.log(
        `seed ${seed}: ${size} submissions, ${workers.killed()} workers killed, Redis crashed once; ` +
          `${charged.size} charged, ${twice.length} twice; ${collected.length} results collected, ` +
          `${held.length} unknown and named`,
      );

      expect(twice).toEqual([]);
      expect(collected.length + held.length).toBe(size);
      for (const { id, jobId, job } of collected) {
        expect(charged.get(promptOf(id))).toEqual([jobId]);
        expect(job).toMatchObject({ job_id: jobId, status: "completed" });
      }
      // A charged job that nobody has is among the candidates of the submission that made it.
      for (const { id, candidates = [] } of held) {
        const jobs = charged.get(promptOf(id)) ?? [];
        expect(candidates.map(({ job_id }) => job_id)).toEqual(expect.arrayContaining(jobs));
        const [jobId] = jobs;
        await queue.decide(id, jobId === undefined ? "drop" : { jobId });
      }
      const kept = held.filter(({ id }) => charged.has(promptOf(id)));
      await Promise.all(kept.map(({ id }) => queue.waitForResult(id)));
      expect(await queue.listHeld()).toEqual([]);
      expect(chargedJobs(fleet).size).toBe(charged.size);
    } finally {
      await workers.close();
    }
  },
  4 * patience,
);
