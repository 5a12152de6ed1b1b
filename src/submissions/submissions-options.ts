import { describeValue } from "../client/errors/text.ts";
import {
  checkOptions,
  functionRule,
  millisecondsRule,
  numberRule,
  type OptionRule,
  refuseOption,
} from "../client/options/rules.ts";
import { readLimits, type UsageLimits } from "./store/usage-limits.ts";

/**
 * A paid job whose answer came when its id could not have it any more: a person had decided otherwise,
 * or had adopted the job for another submission.
 */
export interface LateJob {
  /** Id of its submission. */
  readonly id: string;
  /** Id of the job, which is charged. */
  readonly jobId: string;
}

/**
 * The end of a submission that the store has refused.
 */
export interface LateWrite {
  /** Id of the submission. */
  readonly id: string;
  /** Error of the store. */
  readonly error: unknown;
  /** Settles when the end is on record, or after about an hour of failures. */
  readonly work: Promise<unknown>;
}

/** Options of `createSubmissions`. */
export interface SubmissionsOptions {
  /**
   * Largest amounts that all jobs of the store may take, for each day and each month of the calendar in
   * UTC: of all its processes, with or without an id. A job that would exceed them rejects with
   * `payment_required`, whose `limit` says which, before anything is sent. A job of unknown outcome
   * stays counted.
   * @default no limit
   */
  readonly budget?: UsageLimits | undefined;
  /** Longest time of one command of the store in milliseconds, 1 to 2147483647. @default 10000 */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Time in milliseconds for which an answer is kept, 3600000 or more. After that, **a repeat of its id
   * is sent and paid**. A submission in doubt is kept until you decide.
   * @default forever
   */
  readonly keepMs?: number | undefined;
  /**
   * Time in milliseconds that the service may take after a call to carry it out, and to list its job:
   * `mayStillArrive` is true until then.
   * @default 75000, or the time of an attempt and 15 seconds where that is longer
   */
  readonly lateArrivalMs?: number | undefined;
  /**
   * Called when an answer names a paid job that its id cannot have any more: it was resubmitted or
   * dropped meanwhile, or the job adopted for another id.
   * @default prints it
   */
  readonly onLateJob?: ((job: LateJob) => void) | undefined;
  /**
   * Called when the store has refused the end of a submission, which is then written later. A
   * platform that ends idle processes must wait for that: `({ work }) => waitUntil(work)`.
   * @default prints the error
   */
  readonly onLateWrite?: ((late: LateWrite) => void) | undefined;
}

/** Shortest time to keep records: a process that was down must still find its ids. */
const hourMs = 3_600_000;

const printLateJob = ({ id, jobId }: LateJob): void =>
  console.error(
    `adgen-sdk: the job ${describeValue(jobId)} was made by the submission ${describeValue(id)}, ` +
      "after a decision against that: it is charged",
  );

const printLateWrite = ({ id, error }: LateWrite): void =>
  console.error(
    `adgen-sdk: the end of the submission ${describeValue(id)} is not on record yet`,
    error,
  );

const submissionsRules = () => ({
  budget: ((value, name, refuse) =>
    readLimits(value, name, refuse)) satisfies OptionRule<UsageLimits>,
  storeTimeoutMs: millisecondsRule(),
  keepMs: numberRule(hourMs, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
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

/** The options that submissions use: every one checked and filled in. */
export type SubmissionsConfig = ReturnType<typeof resolveSubmissionsOptions>;
