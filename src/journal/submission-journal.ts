import type { Action } from "../contract/actions.ts";
import type { Job, JobFields } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import type { ErrorCode } from "../errors/error-fields.ts";
import type { AnyAdGenError } from "../errors/errors.ts";

/** Facts about a submission that stand in the journal. */
export interface SubmissionOnRecord {
  /** Id of the submission in the journal. It is no job's id. */
  readonly id: string;
  /** Action that was asked for; absent where the record of the intent is damaged. */
  readonly action?: Action | undefined;
  /** Time just before the request was to leave: ISO 8601, by this machine's clock. */
  readonly submittedAt: string;
  /** Parameters to recognise the request by. Texts above 200 characters and long lists are cut. */
  readonly request: { readonly [name: string]: unknown };
  /**
   * SHA-256 of the whole JSON body as it was to be sent, in hexadecimal digits. Absent where the
   * platform has no `crypto.subtle`, as in a page without https.
   */
  readonly digest?: string | undefined;
  /** Origin of the service: `https://api.example.com`. */
  readonly origin?: string | undefined;
}

/** A submission whose job is still to be waited for. Hand it to `pollJob` or `pollJobs` as it is. */
export interface WaitingSubmission extends SubmissionOnRecord {
  /** Identifier of the job. */
  readonly job_id: string;
}

/** A submission whose job has been seen finished, and that was not acknowledged. */
export interface FinishedSubmission extends WaitingSubmission {
  /** Time of the poll that showed the job finished: ISO 8601. */
  readonly finishedAt: string;
}

/** A submission of which nobody on this side knows whether it made a job. */
export interface SubmissionInDoubt extends SubmissionOnRecord {
  /** Code of the error that `submit` threw; absent where the process ended before any answer. */
  readonly code?: ErrorCode | undefined;
  /** Id that a broken answer to the submission named. Then `candidates` holds no other job. */
  readonly jobId?: string | undefined;
  /**
   * Recent jobs of the service that this journal does not know, and that are of the same action
   * where the list shows one. One of them may be the job of this submission, or none. `undefined`
   * where the service could not be asked: see `candidatesError`.
   */
  readonly candidates: readonly Job[] | undefined;
  /**
   * Number of other submissions in this journal without an end: on their way, or unknown, too. Each
   * of them may have made one of the candidates.
   */
  readonly openElsewhere: number;
  /**
   * Tells that the service may still be making the job, or not list it yet: by default for
   * 75 seconds, see `settleMs`. Dismiss only what was recovered with `false`.
   */
  readonly mayStillArrive: boolean;
}

/** The submissions of a journal that are not over. */
export interface RecoveredSubmissions {
  /** Submissions whose jobs are still to be waited for, oldest first. */
  readonly waiting: readonly WaitingSubmission[];
  /** Submissions whose outcome is unknown, oldest first. Each stays until you decide. */
  readonly unknown: readonly SubmissionInDoubt[];
  /** Submissions whose jobs have finished and were not acknowledged, for a week or longer. */
  readonly finished: readonly FinishedSubmission[];
  /** Records that cannot be read. One of them may be an intent: compare with `jobs.list()`. */
  readonly damaged: readonly string[];
  /** Error of the service's list, because of which no submission has candidates. Recover again. */
  readonly candidatesError?: AnyAdGenError | undefined;
}

/** Options of `jobs.recover`. */
export interface RecoverOptions {
  /** Ends the call with an `AbortedError`. */
  signal?: AbortSignal | undefined;
  /**
   * Number of recent jobs to take candidates from, a whole number.
   * @default the service's own number
   */
  limit?: number | undefined;
  /**
   * Age in milliseconds from which a submission without an end counts as unknown. Processes that
   * share one store give the longest time that their submissions may take. A process knows its
   * own submissions that are under way without this.
   * @default 0
   */
  minAgeMs?: number | undefined;
  /**
   * Time in milliseconds for which `mayStillArrive` is true: the longest time of one attempt, and
   * the time until the service lists a new job. It counts from when this process first knew of the
   * doubt, and `minAgeMs` is added to it. Steps of the system's clock do not matter.
   * @default 75000
   */
  settleMs?: number | undefined;
}

/**
 * A record of submissions that outlives the process: see `createJournal`, `createMemoryJournal` and
 * `openFileJournal`. A journal belongs to one account of the service.
 */
export interface SubmissionJournal {
  /**
   * Reads the store, so that a broken one is found before the first submission. It also lets the
   * store forget submissions that ended more than a week ago. `recover` does the same.
   *
   * @throws `JournalError` when the store cannot be read.
   */
  load(): Promise<void>;
  /**
   * Decides that a job belongs to an unknown submission. From then on it is waited for. When the
   * answer to another submission names this job later, this one is unknown again.
   *
   * @throws `InvalidRequestError` when the journal has no unknown submission of this id;
   * `JournalError` when the store fails.
   */
  adopt(id: string, job: string | Pick<JobFields, "job_id">): Promise<void>;
  /**
   * Decides that an unknown submission made no job, or that its job does not matter.
   *
   * @throws `InvalidRequestError` when the journal has no unknown submission of this id;
   * `JournalError` when the store fails.
   */
  dismiss(id: string): Promise<void>;
  /**
   * Says that a job's result is saved, or no longer wanted: `recover` does not give it any more.
   *
   * @throws `InvalidRequestError` when the journal has no open submission with this job;
   * `JournalError` when the store fails.
   */
  acknowledge(job: string | Pick<JobFields, "job_id">): Promise<void>;
  /** Part for the client: puts one submission on record. */
  readonly track: (request: RequestToRecord) => TrackedSubmission;
  /** Part for the client: notes a job that a poll has shown. */
  readonly notePoll: (job: Job) => void;
  /** Part for the client: `jobs.recover`. */
  readonly recover: (
    options: RecoverOptions | undefined,
    jobs: RecentJobs,
  ) => Promise<RecoveredSubmissions>;
}

/** A submission, as the client hands it to its journal. */
export interface RequestToRecord {
  /** Copy of the request. */
  readonly body: { readonly [name: string]: unknown };
  /** The same as JSON, as it will be sent. */
  readonly json: string;
  /** Base URL of the service. */
  readonly url: string | undefined;
}

/** One submission in the client's hands. */
export interface TrackedSubmission {
  /** Puts the intent on record; rejects with a `JournalError` where that fails. */
  readonly begin: () => Promise<void>;
  /** Puts the job's id on record. It never rejects, and takes no longer than it may. */
  readonly accepted: (jobId: string, leftMs: number, signal?: AbortSignal) => Promise<void>;
  /** Puts a failure on record. It never rejects, and takes little time. */
  readonly failed: (error: unknown) => Promise<void>;
}

/** The part of a client that recovery needs. */
export interface RecentJobs {
  /** Lists recent jobs. */
  readonly list: (
    query?: { limit?: number },
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<Page<Job>>;
  /** Gets a job as it is now. */
  readonly get: (jobId: string, options?: { signal?: AbortSignal | undefined }) => Promise<Job>;
}
