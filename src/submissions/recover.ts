import { candidatesOf, type Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import type { Doubt, SubmissionFacts } from "../errors/doubt.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import {
  abortSignal,
  checkOptions,
  number,
  refuseArgument,
  wholeNumber,
} from "../options/rules.ts";
import { describeAccount, differentAccountError, type OwnAccount } from "./submission-facts.ts";

/** The options of a call that recovery sets. */
interface ReadOptions {
  signal?: AbortSignal | undefined;
  totalTimeoutMs?: number;
}

/** The part of a client that recovery needs. */
export interface RecentJobs extends OwnAccount {
  /** Lists recent jobs. */
  readonly list: (query?: { limit?: number }, options?: ReadOptions) => Promise<Page<Job>>;
}

/** Options of `recoverJobs`. */
export interface RecoverOptions {
  /** Ends the call with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Number of recent jobs to take candidates from, a whole number. It must reach back to the oldest
   * doubt: a job that has left the list is no candidate.
   * @default the service's own number
   */
  readonly candidateLimit?: number | undefined;
  /**
   * Time in milliseconds for which `mayStillArrive` is true: the longest time of one attempt, and
   * the time until the service lists a new job. It counts from when this process first knew of the
   * doubt. Steps of the system's clock do not matter. After a crash it is no shorter than an attempt.
   * @default 75000, or the time of an attempt and 15 seconds where that is longer
   */
  readonly settleMs?: number | undefined;
}

/** The submissions that are not over, with candidates. */
export interface RecoveredSubmissions {
  /**
   * Submissions whose jobs were not acknowledged, oldest first. Hand them to `pollJobs` as they are,
   * or one to `pollJob`.
   */
  readonly waiting: readonly (SubmissionFacts & {
    /** Identifier of the job. */
    readonly job_id: string;
  })[];
  /** Submissions whose outcome is unknown, oldest first. Each stays until you decide. */
  readonly unknown: readonly Doubt[];
  /**
   * Submissions whose POST may be under way, in this process or in another one, oldest first. A lost one
   * becomes unknown in time: `leftMs` is the longest time until this process can tell.
   */
  readonly underWay: readonly (SubmissionFacts & {
    /** Longest time in milliseconds until this process can tell that it is lost. */
    readonly leftMs: number;
  })[];
  /**
   * Records that cannot be read, with the id of the submission or what is left of it. One may be of a
   * paid call: compare with `jobs.list()`.
   */
  readonly damaged: readonly {
    /** Id of its submission, or what is left of it. */
    readonly id: string;
    /** Text of the record as it stands in the store. */
    readonly text: string;
  }[];
  /**
   * Error of the service's list, because of which no submission has candidates: recover again. A
   * `config` error tells that the store has submissions of another service or account.
   */
  readonly candidatesError?: AnyAdGenError | undefined;
}

/** Checks the options of `recoverJobs`. */
export const checkRecoverOptions = (options: unknown) =>
  checkOptions(
    "recoverJobs",
    {
      signal: abortSignal(),
      candidateLimit: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      settleMs: number(0, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
    },
    options ?? {},
    refuseArgument,
  );

/**
 * Adds to each doubt its candidates: recent jobs that belong to no other submission. The doubts must
 * stand as such in the store already, so that no job of theirs can be made after the list.
 *
 * @param findOwner - Finds the id of the submission that a job belongs to
 */
export const addCandidates = async (
  doubts: readonly Doubt[],
  jobs: RecentJobs,
  findOwner: (jobId: string) => Promise<string | undefined>,
  { candidateLimit, signal }: Pick<RecoverOptions, "candidateLimit" | "signal"> = {},
): Promise<readonly Doubt[]> => {
  if (!doubts.some(({ method }) => method === "jobs.submit")) return doubts;
  const own = await describeAccount(jobs);
  for (const doubt of doubts) {
    const different = differentAccountError(doubt, own);
    if (different !== undefined) throw different;
  }
  const query = candidateLimit === undefined ? {} : { limit: candidateLimit };
  const { items } = await jobs.list(query, { signal });
  const owners = await Promise.all(items.map(({ job_id: jobId }) => findOwner(jobId)));
  return doubts.map((doubt) => {
    const isFree = (_: Job, index: number) => [undefined, doubt.id].includes(owners[index]);
    const mayHave = doubt.method === "jobs.submit";
    return { ...doubt, candidates: mayHave ? candidatesOf(items, doubt.action, isFree) : [] };
  });
};
