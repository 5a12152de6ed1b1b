/**
 * Begins 10,000 waits in a process of its own with `--expose-gc`. It measures the heap that they
 * hold between two polls, and ends them by an abort. Tells its parent.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { pollJob, pollJobs } from "adgen-sdk";
import { type Crowd, createCrowd } from "./crowd.ts";

/** Findings for each way to wait. */
export type WaitingHeap = readonly {
  readonly what: string;
  readonly bytesEach: number;
  readonly abortMs: number;
}[];

const count = 10_000;
/** Long enough that no wait polls again while the heap is measured. */
const pace = { intervalMs: 600_000, maxIntervalMs: 600_000 };

const usedBytes = async (): Promise<number> => {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await sleep(20);
  }
  return process.memoryUsage().heapUsed;
};

/** Waits until no request has been sent for a while: all jobs have been polled. */
const allAtRest = async ({ requests }: Crowd): Promise<void> => {
  for (let before = -1; before !== requests(); ) {
    before = requests();
    await sleep(500);
  }
};

type BeginWaits = (crowd: Crowd, signal: AbortSignal) => readonly Promise<unknown>[];

const measure = async (what: string, begin: BeginWaits): Promise<WaitingHeap[number]> => {
  const crowd = createCrowd(new Array<number>(count).fill(Number.POSITIVE_INFINITY), 1);
  // What the first wait loads is no part of the others.
  const first = new AbortController();
  const [warmUp] = begin({ ...crowd, ids: crowd.ids.slice(0, 1) }, first.signal);
  await allAtRest(crowd);
  first.abort();
  await warmUp?.catch(() => {});

  const before = await usedBytes();
  const controller = new AbortController();
  const waits = begin(crowd, controller.signal);
  await allAtRest(crowd);
  const bytesEach = ((await usedBytes()) - before) / count;
  const settled = Promise.allSettled(waits);
  const abortedAt = performance.now();
  controller.abort();
  await settled;
  return { what, bytesEach, abortMs: performance.now() - abortedAt };
};

process.on("disconnect", () => process.exit());
const found: WaitingHeap = [
  await measure("10,000 calls of pollJob", ({ client, ids }, signal) =>
    ids.map((id) => pollJob(client, id, { ...pace, signal })),
  ),
  await measure("pollJobs with 10,000 jobs", ({ client, ids }, signal) => [
    pollJobs(client, ids, { ...pace, signal }),
  ]),
];
process.send?.(found);
