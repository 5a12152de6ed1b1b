import { candidatesOf, type Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import * as codesThat from "../errors/code-table.ts";
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
  /**
   * Number of submissions of this client that were on their way at the last poll, and still are.
   * One of them may have made a candidate. Absent where there is none.
   */
  readonly openElsewhere?: number;
}

/** First pause between two polls. Each is twice the one before, up to the longest. */
const firstPauseMs = 500;
const longestPauseMs = 4_000;

/** Shortest time for one poll. */
const shortestPollMs = 5_000;

/** A broken list may come whole the next time, and a job that is not found may be listed later. */
const isPassing = (code: string): boolean =>
  codesThat.pass.includes(code) || code === "decode" || code === "not_found";

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
 * client has seen before the submission, or has submitted itself. So it waits for submissions that
 * are on their way, as long as it has time. Where a broken success (2xx) named the job, it is the
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

  const search = async (): Promise<LostJobs> => {
    const totalTimeoutMs = Math.max(leftMs(), shortestPollMs);
    const call = { signal, totalTimeoutMs, maxRetries: 0 };
    if (lost.jobId !== undefined) return { candidates: [await jobs.get(lost.jobId, call)] };
    const { items } = await jobs.list(limit === undefined ? {} : { limit }, call);
    const found = candidatesOf(items, lost.action, isFree);
    // A submission that is on its way may have made one of them.
    const open = [...((found.length > 0 && memory?.underWay) || [])];
    await waitAtMost({ sleep }, leftMs(), signal, Promise.allSettled(open));
    const openElsewhere = open.filter((submission) => memory?.underWay.has(submission)).length;
    return { candidates: found.filter(isFree), ...(openElsewhere > 0 && { openElsewhere }) };
  };

  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    let waitMs = pauseMs;
    try {
      const found = await search();
      const isOver = found.candidates.length > 0 || leftMs() <= 0;
      if (isOver && !signal?.aborted) return found;
    } catch (thrown) {
      if (!isAdGenError(thrown) || !isPassing(thrown.code)) throw thrown;
      const { code, retryAfterMs = 0 } = thrown;
      if (code === "not_found" && leftMs() <= 0) return { candidates: [] };
      // A wait that the service asks for is never cut short.
      if (leftMs() <= 0 || retryAfterMs > leftMs()) throw thrown;
      waitMs = Math.max(waitMs, retryAfterMs);
    }
    await sleep(Math.min(waitMs, Math.max(leftMs(), 1)), signal);
  }
};
