import type { Action } from "../contract/actions.ts";
import type { FinishedJob } from "../contract/jobs.ts";
import { describeValue } from "../errors/text.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { refuseArgument, wholeNumber } from "../options/rules.ts";
import { type JobRef, type PollClient, type ResultOf, usableIdOf } from "../resources/job-ref.ts";
import { type Result, toResult } from "../result.ts";
import { maxTimerMs } from "../sleep.ts";
import { lookOf } from "./look.ts";
import { waitForEnd } from "./poll-job.ts";
import { type PollOptions, resolvePollOptions } from "./poll-options.ts";
import type { Look } from "./watch.ts";

/** Options of a wait for many jobs; everything in it is optional. */
export interface PollJobsOptions<R = unknown> extends PollOptions<R> {
  /** Largest number of looks under way at once, a whole number from 1 to 100. @default 6 */
  concurrency?: number | undefined;
}

const ownRules = () => ({ concurrency: wholeNumber(1, 100) });

const defaultConcurrency = 6;

type Gate = <T>(task: () => Promise<T>) => Promise<T>;

/** Lets `limit` tasks run at once; the others wait in line. */
const createGate = (limit: number): Gate => {
  const line: (() => void)[] = [];
  let free = limit;
  return async (task) => {
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

/** Makes a look that waits for its turn. The time in line is part of the look's time. */
const lookInTurn =
  (look: Look, enter: Gate): Look =>
  (options) => {
    const calledAt = performance.now();
    return enter(() => {
      // Without this, a silent service would hold the last in line for hours.
      const leftMs = (options.totalTimeoutMs ?? maxTimerMs) - (performance.now() - calledAt);
      return look({ ...options, totalTimeoutMs: Math.max(1, leftMs) });
    });
  };

const readJobs = <Job>(jobs: Iterable<Job>): Job[] => {
  // One id in the list's place can be iterated too, by its characters.
  if (typeof jobs !== "object" || typeof jobs?.[Symbol.iterator] !== "function") {
    refuseArgument(
      "pollJobs takes a list of jobs or ids (of jobs.list(): its items; for one job: pollJob), " +
        `got ${describeValue(jobs)}`,
    );
  }
  return Array.from(jobs);
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
  options?: PollJobsOptions<ResultOf<S, A>>,
): Promise<Result<FinishedJob<ResultOf<S, A>>>[]> => {
  const config = resolvePollOptions("pollJobs", options, refuseArgument, ownRules());
  const enter = createGate(config.concurrency ?? defaultConcurrency);
  const stop = new AbortController();
  const { signal } = stop;
  const onAbort = () => stop.abort(config.signal?.reason);
  // All are read before the first wait begins: a list that throws midway leaves no wait behind.
  const looks = readJobs(jobs).map((job) => ({
    look: lookInTurn(lookOf("pollJobs", client, job as JobRef), enter),
    id: usableIdOf(job),
  }));
  config.signal?.addEventListener("abort", onAbort);
  if (config.signal?.aborted) onAbort();
  const waits = looks.map(({ look, id }) => toResult(waitForEnd(look, id, { ...config, signal })));
  try {
    // The client has checked the results by its schemas for the actions.
    return (await Promise.all(waits)) as Result<FinishedJob<ResultOf<S, A>>>[];
  } finally {
    config.signal?.removeEventListener?.("abort", onAbort);
    // Ends the other waits where one has thrown an error that is none of this library's.
    stop.abort();
  }
};
