import { isFinished, type Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { isAdGenError } from "../errors/errors.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { JobReader } from "../request/job-ref.ts";
import { sleep } from "../sleep.ts";

/** What a list moves of a wait. */
export interface ListedWait {
  readonly jobId: string | undefined;
  readonly polledAt: number;
  pollAt: number;
  /** Has the wait look at its times again. */
  readonly resume: () => void;
}

interface JobLister extends JobReader {
  list?(query: { limit?: number }, options: CallOptions): Promise<Page<Job>>;
}

/** Sharing begins at so many waits, and goes on until few are left: the end of a large batch. */
const manyWaits = 20;
const fewWaits = 4;

const paceMs = 1_000;
const patienceMs = 10_000;

/** A list may lag or be wrong: each wait also polls its job once in this time. */
const trustMs = 8_000;

/** A list that fails is not asked for again in this time. */
const restMs = 60_000;

/** Lists the jobs of many waits. A list only moves their polls: sooner at the end of a job, else later. */
export const createListing = (lister: JobLister, onRateLimit: (retryAfterMs?: number) => void) => {
  const waits = new Set<ListedWait>();
  let restUntil = 0;
  let listing: AbortController | undefined;

  const listInTurn = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const options = { signal, timeoutMs: patienceMs, maxRetries: 0 };
      const page = await lister.list?.({ limit: Math.max(20, 2 * waits.size) }, options);
      const states = new Map(page?.items.map(({ job_id, status }) => [job_id, status]));
      for (const wait of waits) {
        const status = wait.jobId && states.get(wait.jobId);
        if (!status) continue;
        const isOver = isFinished(status);
        wait.pollAt = isOver
          ? Math.min(wait.pollAt, wait.polledAt + paceMs)
          : Math.max(wait.pollAt, wait.polledAt + trustMs);
        if (isOver) wait.resume();
      }
      await sleep(paceMs, signal);
    }
  };

  return {
    join: (wait: ListedWait): void => {
      waits.add(wait);
      const isWanted = waits.size >= manyWaits && performance.now() >= restUntil;
      if (!isWanted || listing !== undefined || lister.list === undefined) return;
      const controller = new AbortController();
      listing = controller;
      const rest = (error: unknown): void => {
        if (listing !== controller) return;
        restUntil = performance.now() + restMs;
        listing = undefined;
        if (isAdGenError(error) && error.status === 429) onRateLimit(error.retryAfterMs);
      };
      listInTurn(controller.signal).catch(rest);
    },
    leave: (wait: ListedWait): void => {
      waits.delete(wait);
      if (waits.size >= fewWaits) return;
      listing?.abort();
      listing = undefined;
    },
  };
};
