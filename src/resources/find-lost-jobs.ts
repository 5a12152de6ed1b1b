import { candidatesOf, type Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import type { CallOptions } from "../options/call-options.ts";
import {
  abortSignal,
  checkOptions,
  milliseconds,
  refuseArgument,
  wholeNumber,
} from "../options/rules.ts";
import { memoryOf } from "../request/job-memory.ts";
import type { ListQuery } from "../request/url.ts";
import { sleep, waitAtMost } from "../sleep.ts";

/** Jobs that a lost submission may have made. */
export interface LostJobs {
  /** Jobs that may be the lost one, in the service's order. There may be none, or strangers. */
  readonly candidates: readonly Job[];
}

/** First pause between two polls. Each is twice the one before, up to the longest. */
const firstPauseMs = 500;
const longestPauseMs = 4_000;

/** Codes of calls that sent nothing, because an earlier one with their id may have. */
const ofStore: readonly string[] = ["store", "in_doubt", "under_way"];

const rules = () => ({
  withinMs: milliseconds(0),
  limit: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  signal: abortSignal(),
});

/** Refuses what no submission of unknown outcome has thrown. */
const requireLost = (error: unknown): AnyAdGenError => {
  if (!isAdGenError(error)) {
    return refuseArgument(
      `findLostJobs takes a client, then the error that jobs.submit threw; got ${describeValue(error)}`,
    );
  }
  const { outcome, code, path } = error;
  const isOfStore = ofStore.includes(code);
  if (outcome === "unknown" && error.action !== undefined && !isOfStore) return error;
  const why = isOfStore
    ? `this call sent nothing (${code}): submit again with the same id, or decide about error.doubt`
    : error.action === undefined
      ? `the ${code} error of ${path ?? "a wait"} is none of a submission`
      : `this submission has the outcome ${describeValue(outcome)}, so that it made no job`;
  return refuseArgument(`findLostJobs looks for jobs of unknown outcome: ${why}`);
};

/**
 * Looks for the job of a submission whose answer was lost: `error.outcome` is `"unknown"`. It lists
 * the recent jobs again and again, until there is a candidate or its time is over.
 *
 * Candidates are jobs of the same action, where the list shows one. Left out are those that this
 * client has seen before the submission, or has submitted itself. So it first waits for submissions
 * that are on their way. Where a broken success (2xx) named the job, it is the
 * only candidate. It cannot know the jobs of other processes with the same key, nor old jobs that
 * this client never saw. So list the jobs once when a process starts, and compare before you take a
 * candidate for yours. Without a candidate, the job may not exist, or not be listed yet.
 *
 * @throws {@link AdGenError}: `invalid_request` for another error or bad options, `aborted`,
 * `unauthorized`, and whatever a call can meet, once no poll has succeeded in time.
 * @example
 * await client.jobs.list(); // at the start of the process: jobs of earlier are no candidates
 * const { candidates } = await findLostJobs(client, error);
 */
export const findLostJobs = async (
  client: {
    readonly jobs: {
      list(query?: ListQuery, options?: CallOptions): Promise<Page<Job>>;
      get(jobId: string, options?: CallOptions): Promise<Job>;
    };
  },
  error: unknown,
  options: {
    /**
     * Time in milliseconds for which it looks again while there is no candidate, 0 to 2147483647.
     * The last poll may take up to 5 seconds longer.
     * @default 15000
     */
    withinMs?: number | undefined;
    /**
     * Number of recent jobs to ask for, a whole number.
     * @default the service's own number
     */
    limit?: number | undefined;
    /** Ends the search with an `AbortedError`. */
    signal?: AbortSignal | undefined;
  } = {},
): Promise<LostJobs> => {
  const lost = requireLost(error);
  const given = checkOptions("findLostJobs", rules(), options, refuseArgument);
  const { limit, signal, withinMs = 15_000 } = given;
  const { jobs } = client;
  const memory = memoryOf(jobs);
  const failedAt = memory?.failures.get(lost) ?? 0;
  const endsAt = performance.now() + withinMs;
  const leftMs = () => endsAt - performance.now();

  /** Whether this client does not know the job as another one. */
  const isFree = ({ job_id: id }: Job): boolean =>
    memory === undefined ||
    (memory.submissionOf(id) === undefined && (memory.seenAt(id) ?? failedAt) >= failedAt);

  if (lost.jobId !== undefined) return { candidates: [await jobs.get(lost.jobId, { signal })] };
  // A submission that is on its way may have made one of the listed jobs.
  const open = Promise.allSettled(memory?.underWay ?? []);
  await waitAtMost({ sleep }, leftMs(), signal, open);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const { items } = await jobs.list(limit === undefined ? {} : { limit }, { signal });
    const candidates = candidatesOf(items, lost.action, isFree);
    if (candidates.length > 0 || leftMs() <= 0) return { candidates };
    await sleep(Math.min(pauseMs, Math.max(leftMs(), 1)), signal);
  }
};
