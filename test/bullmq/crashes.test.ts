import { expect, onTestFinished, test } from "vitest";
import { bundleChild, runUntilKilled } from "../submissions/kill-process.ts";
import { type AdJob, type Fleet, openFleet, until } from "./fleet.ts";

/** `npm run test:slow` plays it at its full size. */
const size = Number(process.env["ADGEN_FLEET_SIZE"] ?? 40);

/** Time for each stage, in milliseconds; a machine under load needs some of it. */
const patience = 60_000 + 600 * size;

const promptOf = (id = ""): string => `Summer sale of ${id}`;

/** Jobs that the service has charged for, by their prompt. */
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
  `${size} submissions survive killed and stopped workers and a crash of Redis: charged once, none lost`,
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
      // Longer than a lock, and than the time of a submission.
      const options = { stopMs: 2_000, maxRequests: 8, signal: end.signal };
      for (; !end.signal.aborted; starts++) await runUntilKilled(words, options);
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
    // The credits are used up midway; what was refused goes on when there are more.
    const refused = () => journal.find({ method: "POST", status: 402 });
    await until(() => expect(refused()).not.toEqual([]), patience, 50);
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
    // A charged job that nobody has is among the candidates of the submission that made it.
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
