import type { Action } from "../../contract/actions.ts";
import { type RequestResult, toResult } from "../errors/result.ts";
import { describeValue } from "../errors/text.ts";
import { type JobRef, type PollClient, type ResultOf, usableIdOf } from "../http/job-ref.ts";
import { inSettleOrder } from "../internal/settle-order.ts";
import { linkSignal } from "../internal/sleep.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { checkFor, refuseArgument, wholeNumberRule } from "../options/rules.ts";
import { readerOf } from "./poll.ts";
import { waitForEnd } from "./poll-job.ts";
import { type PollOptions, resolvePollOptions } from "./poll-options.ts";
import { createWaitGroup } from "./wait.ts";

/**
 * Waits for many jobs at once like `pollJobs`, and yields each result as it comes: an async
 * iterator. All waits begin with the first step. Leaving the loop ends the waits that are left.
 *
 * @param client The client of `createClient`, by which the jobs are polled.
 * @param jobs Jobs as submitted or read, or their ids.
 * @param options Time limit, pace, observers and `signal` of each wait, and the number of polls at
 * once.
 * @throws `AdGenError`, at the call
 * - `invalid_request`: an option makes no sense, or `jobs` is not a list.
 * @see API v1, section 3 "States and transitions"
 * @example
 * for await (const { jobId, ok, data, error } of watchJobs(client, jobs)) {
 *   console.log(jobId, ok ? data.status : error.code);
 * }
 */
export const watchJobs = <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  jobs: object & Iterable<JobRef<A>>,
  options?: PollJobsOptions<ResultOf<S, A>>,
): AsyncGenerator<RequestResult<ResultOf<S, A>>, void, undefined> => {
  const waits = checkFor(watchJobs, () =>
    prepareWaits("watchJobs", client, jobs as Iterable<JobRef>, options),
  );

  const watch = async function* (): AsyncGenerator<RequestResult, void, undefined> {
    try {
      yield* inSettleOrder(waits.start());
    } finally {
      waits.end();
    }
  };
  // The client has checked the results by its schemas for the actions.
  return watch() as AsyncGenerator<RequestResult<ResultOf<S, A>>, void, undefined>;
};

/** Options of a wait for many jobs; everything in it is optional. */
export interface PollJobsOptions<R = unknown> extends PollOptions<R> {
  /**
   * Largest number of polls under way at once, a whole number from 1 to 100. If a service answers
   * in 100 ms, 20 polls at once reach each of 400 jobs within 2 seconds.
   * @default 20
   */
  concurrency?: number | undefined;
}

export const defaultPollConcurrency = 20;

const ownRules = () => ({ concurrency: wholeNumberRule(1, 100) });

const readJobs = <Job>(owner: string, jobs: Iterable<Job>): Job[] => {
  // A single id passed instead of a list could be iterated by its characters.
  if (typeof jobs !== "object" || typeof jobs?.[Symbol.iterator] !== "function") {
    refuseArgument(
      `${owner} takes a list of jobs or ids (of jobs.list(): its items; for one job: pollJob), ` +
        `got ${describeValue(jobs)}`,
    );
  }
  return Array.from(jobs);
};

/** Checks the input of a wait for many jobs. Nothing is sent yet. */
export const prepareWaits = (
  owner: string,
  client: PollClient,
  refs: Iterable<JobRef>,
  options: unknown,
) => {
  const config = resolvePollOptions(owner, options, refuseArgument, ownRules());
  const reader = readerOf(owner, client, "a list of jobs");
  // Read the whole list before the first wait begins, so that a list that throws leaves no wait
  // behind.
  const jobs = readJobs(owner, refs);
  const group = createWaitGroup(config.concurrency ?? defaultPollConcurrency);
  const { signal, end } = linkSignal(config.signal);
  return {
    /** Starts all waits, and returns one promise for each job, in the given order. */
    start: (): Promise<RequestResult>[] => {
      const wait = (job: JobRef) => waitForEnd(reader, job, { ...config, signal }, group);
      return jobs.map(async (job, index) => {
        const result = await toResult(wait(job));
        return { index, jobId: usableIdOf(job), ...result } as RequestResult;
      });
    },
    /** Aborts the remaining waits. */
    end,
  };
};

/**
 * Waits for many jobs at once. An error of one wait is the result of its job, and does not disturb
 * the other waits. To get each result as soon as its job has finished, use `watchJobs`.
 *
 * @param client The client of `createClient`, by which the jobs are polled.
 * @param jobs Jobs as submitted or read, or their ids.
 * @param options Time limit, pace, observers and `signal` of each wait, and the number of polls at
 * once.
 * @returns A {@link RequestResult} for each job, in the order given: a union on `ok`.
 * @throws `AdGenError`
 * - `invalid_request`: an option makes no sense, or `jobs` is not a list.
 * @see API v1, section 3 "States and transitions"
 * @example
 * for (const { jobId, ok, data, error } of await pollJobs(client, jobs)) {
 *   console.log(jobId, ok ? data.status : error.code);
 * }
 */
export const pollJobs = async <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  jobs: object & Iterable<JobRef<A>>,
  options?: PollJobsOptions<ResultOf<S, A>>,
): Promise<RequestResult<ResultOf<S, A>>[]> => {
  const waits = checkFor(pollJobs, () =>
    prepareWaits("pollJobs", client, jobs as Iterable<JobRef>, options),
  );
  try {
    // The client has checked the results by its schemas for the actions.
    return (await Promise.all(waits.start())) as RequestResult<ResultOf<S, A>>[];
  } finally {
    // Ends the other waits if one has thrown an error that isn't the library's.
    waits.end();
  }
};
