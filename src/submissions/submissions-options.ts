import { describeValue } from "../client/errors/text.ts";
import {
  checkOptions,
  functionRule,
  millisecondsRule,
  numberRule,
  refuseOption,
} from "../client/options/rules.ts";
import { readLimits, type UsageLimits } from "./store/usage-limits.ts";

/**
 * A paid job whose answer came after a person had decided about its submission in another way, or
 * had adopted the job for another submission.
 */
export interface LateJob {
  /** Id of the submission that made the job. */
  readonly id: string;
  /** Id of the job, which is charged. */
  readonly jobId: string;
}

/** The end of a submission that the store did not record. */
export interface LateWrite {
  /** Id of the submission. */
  readonly id: string;
  /** Error with which the store failed. */
  readonly error: unknown;
  /** Resolves when the end is recorded, or after about an hour of failures. */
  readonly work: Promise<unknown>;
}

/** Options of `createSubmissions`. */
export interface SubmissionsOptions {
  /**
   * Limits what all jobs may use in each calendar day and month in UTC. The limits count the jobs
   * of all processes that share the store, with or without an id. A job that would exceed a limit
   * rejects with `payment_required` before anything is sent, and `limit` names the limit. A job of
   * unknown outcome stays counted.
   * @default no limit
   */
  readonly budget?: UsageLimits | undefined;
  /**
   * Limits the time of one command of the store, in milliseconds, 1 to 2147483647.
   * @default 10000
   */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Sets the time for which an answer is kept, in milliseconds, 3600000 or more. After that, **a
   * repeat of its id is sent and paid**. A submission in doubt is kept until you decide.
   * @default forever
   */
  readonly keepMs?: number | undefined;
  /**
   * Sets the time that the service may take, after a call has ended, to carry it out and to list
   * its job, in milliseconds. `mayStillArrive` is true until then.
   * @default 75000, or the time of an attempt and 15 seconds where that is longer
   */
  readonly lateArrivalMs?: number | undefined;
  /**
   * Is called when an answer names a paid job that its id can no longer have, because the id was
   * resubmitted or dropped meanwhile, or because the job was adopted for another id.
   * @default prints the job
   */
  readonly onLateJob?: ((job: LateJob) => void) | undefined;
  /**
   * Is called when the store fails to record the end of a submission, which is then written later.
   * A platform that ends idle processes must wait for that write: `({ work }) => waitUntil(work)`.
   * @default prints the error
   */
  readonly onLateWrite?: ((late: LateWrite) => void) | undefined;
}

/** Minimum time to keep records, so that a process that was down still finds its ids. */
const minKeepMs = 3_600_000;

const printLateJob = ({ id, jobId }: LateJob): void =>
  console.error(
    `adgen-sdk: the submission ${describeValue(id)} made the job ${describeValue(jobId)}, although ` +
      "you had decided otherwise: the job is charged, so use it or write it off",
  );

const printLateWrite = ({ id, error }: LateWrite): void =>
  console.error(
    `adgen-sdk: the store failed to record the end of the submission ${describeValue(id)}, which is ` +
      "written later: let this process run on",
    error,
  );

const submissionsRules = () => ({
  budget: readLimits,
  storeTimeoutMs: millisecondsRule(),
  keepMs: numberRule(minKeepMs, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
  lateArrivalMs: numberRule(0, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
  onLateJob: functionRule<(job: LateJob) => void>(),
  onLateWrite: functionRule<(late: LateWrite) => void>(),
});

/** Checks and fills the options of `createSubmissions`. */
export const resolveSubmissionsOptions = (options: SubmissionsOptions) =>
  checkOptions("createSubmissions", submissionsRules(), options, refuseOption, {
    storeTimeoutMs: 10_000,
    onLateJob: printLateJob,
    onLateWrite: printLateWrite,
  });

/** The options of submissions, checked and filled in. */
export type SubmissionsConfig = ReturnType<typeof resolveSubmissionsOptions>;
