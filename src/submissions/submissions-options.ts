import { describeValue } from "../client/errors/text.ts";
import {
  checkOptions,
  func,
  milliseconds,
  number,
  type Rule,
  refuseOption,
} from "../client/options/rules.ts";
import type { LateJob, LateWrite, SubmissionsOptions } from "./submissions.ts";
import { readLimits, type UsageLimits } from "./usage-limits.ts";

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
  budget: ((value, name, refuse) => readLimits(value, name, refuse)) satisfies Rule<UsageLimits>,
  storeTimeoutMs: milliseconds(),
  keepMs: number(hourMs, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
  settleMs: number(0, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
  onLateJob: func<(job: LateJob) => void>(),
  onLateWrite: func<(late: LateWrite) => void>(),
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
