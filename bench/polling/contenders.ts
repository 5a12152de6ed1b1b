/** Everything that waits in the tables, from plain intervals to our client. */
import { pollJob } from "adgen-sdk";
import { peerFile } from "../peers.ts";
import type { Wait } from "./effort.ts";
import { action, clientOf, createJobService, type JobService } from "./job-service.ts";
import { createRandom } from "./random.ts";
import { backOff, fixed, type Schedule } from "./schedules.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** Schedules that learn nothing, by name. */
export const plainSchedules = (): Map<string, Schedule> =>
  new Map([
    ["every 1 s", fixed(1_000)],
    ["every 2 s", fixed(2_000)],
    ["every 5 s", fixed(5_000)],
    [
      "×1.5, 1 to 10 s (version 0.5)",
      backOff({ factor: 1.5, fromMs: 1_000, toMs: 10_000, jitter: 0.2 }, createRandom(1)),
    ],
    ["×2, 1 to 30 s", backOff({ factor: 2, fromMs: 1_000, toMs: 30_000 }, createRandom(2))],
  ]);

/** The helpers of other clients: each submits a job and waits for it. */
export const loadHelpers = async (
  service: JobService,
): Promise<Map<string, () => Promise<unknown>>> => {
  const { waitsOn } = await import(peerFile("polling.mjs"));
  return new Map(Object.entries<() => Promise<unknown>>(waitsOn(service)));
};

/** Waits for jobs one after the other on the virtual clock. */
export const waitInTurn = async (
  clock: VirtualClock,
  service: JobService,
  durations: readonly number[],
  submitAndWait: () => Promise<unknown>,
): Promise<Wait[]> => {
  const waits: Wait[] = [];
  for (const durationMs of durations) {
    service.prepare(durationMs);
    await clock.run(submitAndWait);
    waits.push(service.lastWait());
  }
  return waits;
};

/** Submits a job and waits for it, until the default deadline. */
const oneWait =
  (service: JobService, client = clientOf(service)) =>
  async (): Promise<void> => {
    const job = await client.jobs.submit({ action, prompt: "Summer sale" });
    await pollJob(client, job);
  };

/** Our client, new for every job. */
export const waitCold = (clock: VirtualClock, durations: readonly number[]): Promise<Wait[]> => {
  const service = createJobService();
  return waitInTurn(clock, service, durations, () => oneWait(service)());
};

/** One client's waits for these jobs, after those of a history. */
export const waitWarm = async (
  clock: VirtualClock,
  history: readonly number[],
  durations: readonly number[],
): Promise<Wait[]> => {
  const service = createJobService();
  const wait = oneWait(service);
  await waitInTurn(clock, service, history, wait);
  return waitInTurn(clock, service, durations, wait);
};

/** Polls of our client at a job that never finishes, after a history. */
export const pollsUntilDeadline = async (
  clock: VirtualClock,
  history: readonly number[],
): Promise<number> => {
  const service = createJobService();
  const wait = oneWait(service);
  await waitInTurn(clock, service, history, wait);
  const [last] = await waitInTurn(clock, service, [Number.POSITIVE_INFINITY], async () => {
    const outcome = await wait().catch((error: { code?: unknown }) => error.code);
    if (outcome !== "poll_timeout") throw new Error(`The wait ended otherwise: ${outcome}`);
  });
  return last?.polls ?? Number.NaN;
};
