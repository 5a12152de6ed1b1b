import type { Action } from "../../src/contract/actions.ts";
import type { JobStatus } from "../../src/contract/jobs.ts";
import { isoTime } from "./clock.ts";
import type { JobRecord, JobState } from "./job-timeline.ts";
import type { Context } from "./state.ts";

/** A job as the service shows it. @assumed A3 */
export interface JobView {
  /** Id of the job. */
  readonly job_id: string;
  /** Its state. */
  readonly status: JobStatus;
  /** Its action. */
  readonly action: Action;
  /** Time of its submission, in ISO 8601. */
  readonly created_at: string;
  /** Only a completed job has a result. @assumed A9 */
  readonly result?: unknown;
  /** Only a failed job has an error. @assumed A8 */
  readonly error?: string;
}

/** Finds the scheduled or forced end in which a test has given a result. */
const findGiven = ({
  forced,
  scheduledEnd,
}: JobRecord): { readonly result?: unknown } | undefined => {
  if (forced && "result" in forced) return forced;
  return scheduledEnd && "result" in scheduledEnd ? scheduledEnd : undefined;
};

/** Shows a job as the service does. */
export const showJob = (
  { makeResult }: Context,
  job: JobRecord,
  { status, error }: JobState,
): JobView => {
  job.createdAt ??= isoTime(job.submittedAt);
  const view = {
    job_id: job.id,
    status,
    action: job.action,
    created_at: job.createdAt,
    ...(error !== undefined && { error }),
  };
  if (status !== "completed") return view;
  const given = findGiven(job);
  return { ...view, result: given === undefined ? makeResult(job) : given.result };
};
