import type { Action } from "../../src/contract/actions.ts";
import type { JobStatus } from "../../src/contract/jobs.ts";
import { timestamp } from "./clock.ts";
import type { JobRecord, JobState } from "./job-timeline.ts";
import type { Context } from "./state.ts";

/** A job as the service shows it. @assumed A3 */
export interface JobView {
  /** Identifier of the job. */
  readonly job_id: string;
  /** Its state. */
  readonly status: JobStatus;
  /** Its action. */
  readonly action: Action;
  /** Time of its submission, in ISO 8601. */
  readonly created_at: string;
  /** Only of a completed job. @assumed A9 */
  readonly result?: unknown;
  /** Only of a failed job. @assumed A8 */
  readonly error?: string;
}

/** Finds the end with a result that a test has planned or forced. */
const findGiven = ({ forced, planned }: JobRecord): { readonly result?: unknown } | undefined => {
  if (forced && "result" in forced) return forced;
  return planned && "result" in planned ? planned : undefined;
};

/** Shows a job without its result, which takes time to draw. */
export const showWithoutResult = (job: JobRecord, { status, error }: JobState): JobView => {
  job.createdAt ??= timestamp(job.submittedAt);
  return {
    job_id: job.id,
    status,
    action: job.action,
    created_at: job.createdAt,
    ...(error !== undefined && { error }),
  };
};

/** Shows a job as an answer does. */
export const showJob = ({ makeResult }: Context, job: JobRecord, state: JobState): JobView => {
  const plain = showWithoutResult(job, state);
  if (state.status !== "completed") return plain;
  const given = findGiven(job);
  if (given !== undefined) return { ...plain, result: given.result };
  return { ...plain, result: makeResult(job) };
};
