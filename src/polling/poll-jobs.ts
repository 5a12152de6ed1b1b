import type { ClientSchemas } from "../config.ts";
import type { Action } from "../contract/actions.ts";
import type { FinishedJob } from "../contract/jobs.ts";
import { checkNumber, refuseArgument } from "../refuse.ts";
import type { JobRef, ResultOf } from "../resources/job-ref.ts";
import { type Result, toResult } from "../result.ts";
import { maxTimerMs } from "../sleep.ts";
import { pollJob } from "./poll-job.ts";
import { type PollOptions, resolvePollOptions } from "./poll-options.ts";
import type { PollClient } from "./watch-job.ts";

/** How to wait for many jobs; everything in it is optional. */
export interface PollJobsOptions<R = unknown> extends PollOptions<R> {
  /** How many looks may be under way at once, 1 to 100. @default 6 */
  concurrency?: number | undefined;
}

/** Lets `limit` tasks run at once; the others wait in line. */
const createGate = (limit: number) => {
  const line: (() => void)[] = [];
  let free = limit;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((enter) => line.push(enter));
    try {
      return await task();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
};

/**
 * Waits for many jobs at once. Each wait ends for itself: an error of one is its place in the
 * answer, and loses nothing of the others.
 *
 * @returns A result for each job, in the order given.
 * @throws {@link AdGenError}: `invalid_request` for bad options, or for something else than a list.
 * @see API v1, section 3 "States and transitions"
 * @example
 * for (const result of await pollJobs(client, jobs)) {
 *   if (result.ok) console.log(result.data.status);
 *   else console.log(result.error.code);
 * }
 */
export const pollJobs = async <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  jobs: object & Iterable<JobRef<A>>,
  options: PollJobsOptions<ResultOf<S, A>> = {},
): Promise<Result<FinishedJob<ResultOf<S, A>>>[]> => {
  const { concurrency = 6, ...pollOptions } = options;
  checkNumber("concurrency", concurrency, 1, 100, refuseArgument);
  resolvePollOptions(pollOptions);
  // One id in the list's place is iterable too, as its characters.
  if (typeof jobs !== "object" || !jobs?.[Symbol.iterator]) refuseArgument("jobs must be a list");
  const enter = createGate(concurrency);
  const get: PollClient["jobs"]["get"] = (job, look) => {
    const calledAt = performance.now();
    return enter(() => {
      // The time spent in line counts, or a silent service would hold the last in it for hours.
      const leftMs = (look?.totalTimeoutMs ?? maxTimerMs) - (performance.now() - calledAt);
      return client.jobs.get(job, { ...look, totalTimeoutMs: Math.max(1, leftMs) }) as never;
    });
  };
  const gated = { jobs: { get } } as PollClient<S>;
  return Promise.all(Array.from(jobs, (job) => toResult(pollJob(gated, job, pollOptions))));
};
