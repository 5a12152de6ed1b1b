import type { Action } from "../../src/contract/actions.ts";
import type { JobStatus } from "../../src/contract/jobs.ts";
import { makeResult } from "../seeded/results.ts";
import { applyWhatIsDue, payBack } from "./apply-what-is-due.ts";
import { timestamp } from "./clock.ts";
import {
  type ForcedEnd,
  isFinished,
  type JobRecord,
  type JobState,
  jobStateAt,
} from "./job-timeline.ts";
import { createKeptViews } from "./kept-views.ts";
import { assumedMessages } from "./messages.ts";
import { Refusal } from "./refusal.ts";
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

/** A job, and the milliseconds until it may look different; absent when it has finished. */
export interface Look {
  readonly job: Pick<JobView, "job_id" | "status">;
  readonly nextChangeMs: number | undefined;
}

const lookAt = (context: Context, job: JobRecord): JobState => {
  const { rules, now } = context;
  const state = jobStateAt(job, rules.paces[job.action], now);
  job.seenAt = Math.max(job.seenAt, now);
  if (state.status === "failed") payBack(context, job, now);
  return state;
};

/** Finds a result that a test has planned or forced. */
const givenResult = ({ forced, planned }: JobRecord): { readonly result?: unknown } | undefined => {
  if (forced && "result" in forced) return forced;
  return planned && "result" in planned ? planned : undefined;
};

const resultOf = ({ pictureUrl }: Context, job: JobRecord): unknown => {
  const given = givenResult(job);
  // A copy: a caller that changes the view must not change the job.
  if (given !== undefined) return structuredClone(given.result);
  return makeResult(job, pictureUrl && ((variation) => pictureUrl(job, variation)));
};

const showJob = (context: Context, job: JobRecord, { status, error }: JobState): JobView => ({
  job_id: job.id,
  status,
  action: job.action,
  created_at: timestamp(job.submittedAt),
  ...(status === "completed" && { result: resultOf(context, job) }),
  ...(error !== undefined && { error }),
});

/** Pictures of the kept views: a view with its text takes up to 4 kB for each inline one. */
const keptViews = createKeptViews<JobView>(2_000);

const findKept = ({ answerOrigin }: Context, job: JobRecord): JobView | undefined =>
  answerOrigin === undefined ? undefined : keptViews.get(job, answerOrigin);

/** Shows a job; the view of a finished one is frozen and kept. Results of tests may be huge. */
const showAndKeep = (context: Context, job: JobRecord, state: JobState): JobView => {
  const view = showJob(context, job, state);
  const { answerOrigin } = context;
  if (answerOrigin === undefined || !isFinished(state) || givenResult(job)) return view;
  keptViews.set(job, answerOrigin, Object.freeze(view));
  return view;
};

const isGone = ({ rules }: Context, { expired }: JobState): boolean =>
  expired === true && rules.expiry === "not-found";

/** Looks at a job. By the "per-look" timeline that moves the job on. */
export const getJob = (context: Context, id: string): Look => {
  applyWhatIsDue(context);
  const job = context.account.jobs.get(id);
  if (job === undefined) throw new Refusal("not_found", assumedMessages.jobNotFound);
  const kept = findKept(context, job);
  if (kept !== undefined) return { job: kept, nextChangeMs: undefined };
  if (!isFinished(lookAt(context, job))) job.looks += 1;
  const state = lookAt(context, job);
  if (isGone(context, state)) throw new Refusal("not_found", assumedMessages.jobNotFound);
  return { job: showAndKeep(context, job, state), nextChangeMs: state.nextChangeMs };
};

/** Lists jobs, newest first; moves none on. */
export const listJobs = (context: Context, limit: number): JobView[] => {
  applyWhatIsDue(context);
  return context.account.jobs.list(limit, (job) => {
    const kept = findKept(context, job);
    if (kept !== undefined) return kept;
    const state = lookAt(context, job);
    return isGone(context, state) ? undefined : showAndKeep(context, job, state);
  });
};

/** Finds a job without moving it on, because its owner does not look. */
export const findJob = (context: Context, id: string): JobView | undefined => {
  const job = context.account.jobs.get(id);
  if (job === undefined) return undefined;
  applyWhatIsDue(context);
  const state = lookAt(context, job);
  return isGone(context, state) ? undefined : showJob(context, job, state);
};

/** Ends an unfinished job; `false` when it has finished already. */
export const endJob = (context: Context, job: JobRecord, end: ForcedEnd): boolean => {
  applyWhatIsDue(context);
  if (isFinished(lookAt(context, job))) return false;
  job.forced = end;
  if (end.status !== "completed") payBack(context, job, context.now);
  return true;
};
