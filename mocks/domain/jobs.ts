import { applyWhatIsDue, payBack } from "./apply-what-is-due.ts";
import {
  expiresAt,
  type ForcedEnd,
  isFinished,
  type JobRecord,
  type JobState,
  jobStateAt,
  movesByPolls,
} from "./job-timeline.ts";
import { findKept, type JobView, showAndKeep, showJob } from "./job-view.ts";
import { assumedMessages } from "./messages.ts";
import { Refusal } from "./refusal.ts";
import type { Context } from "./state.ts";

/** Number of jobs in a list that was asked for without a limit. @assumed A4 */
export const defaultListLength = 100;

/** A job, and the milliseconds until it may look different; absent when it has finished. */
export interface Look {
  readonly job: Pick<JobView, "job_id" | "status">;
  readonly nextChangeMs: number | undefined;
}

/** Looks at a job for its owner or for the mock. It pays a failed one back, and moves none on. */
export const lookAt = (context: Context, job: JobRecord): JobState => {
  const { rules, now, moves } = context;
  const state = jobStateAt(job, rules.paces[job.action], now);
  job.seenAt = Math.max(job.seenAt, now);
  if (state.status !== (job.shown ?? "queued")) {
    job.shown = state.status;
    moves.count += 1;
  }
  if (state.status === "failed") payBack(context, job, now);
  return state;
};

/** Tells whether the half hour of a job is over in which it can be found, finished or not. */
const isOver = ({ rules, now }: Context, job: JobRecord): boolean =>
  rules.expiry === "all-not-found" && Math.max(now, job.seenAt) >= expiresAt(job);

/** Tells whether a job has expired and can no longer be found, by the option `expiry`. */
export const isGone = (context: Context, job: JobRecord, { expired }: JobState): boolean =>
  (expired === true && context.rules.expiry !== "failed") || isOver(context, job);

/** Finds the kept view of a job that can still be found. */
const findView = (context: Context, job: JobRecord): JobView | undefined =>
  isOver(context, job) ? undefined : findKept(context, job);

/** Counts a poll, and notes the times of those that move a job on. */
const countPoll = ({ rules, now }: Context, job: JobRecord): void => {
  job.polls += 1;
  if (!movesByPolls(job, rules.paces[job.action])) return;
  if (job.polls === 1) job.startedAt = now;
  if (job.polls === 2) job.finishedAt = now;
};

/** Answers a poll. By the "per-poll" timeline that moves the job on. */
export const getJob = (context: Context, id: string): Look => {
  applyWhatIsDue(context);
  const job = context.account.jobs.get(id);
  if (job === undefined) throw new Refusal("not_found", assumedMessages.jobNotFound);
  const kept = findView(context, job);
  if (kept !== undefined) return { job: kept, nextChangeMs: undefined };
  // The poll counts first, and then it sees the state that it has moved the job to.
  if (!isFinished(lookAt(context, job))) countPoll(context, job);
  const state = lookAt(context, job);
  if (isGone(context, job, state)) throw new Refusal("not_found", assumedMessages.jobNotFound);
  return { job: showAndKeep(context, job, state), nextChangeMs: state.nextChangeMs };
};

/** Lists jobs, newest first; moves none on. */
export const listJobs = (context: Context, limit: number): JobView[] => {
  applyWhatIsDue(context);
  return context.account.jobs.list(limit, (job) => {
    const kept = findView(context, job);
    if (kept !== undefined) return kept;
    const state = lookAt(context, job);
    return isGone(context, job, state) ? undefined : showAndKeep(context, job, state);
  });
};

/** Finds a job without moving it on, because its owner does not poll. */
export const findJob = (context: Context, id: string): JobView | undefined => {
  const job = context.account.jobs.get(id);
  if (job === undefined) return undefined;
  applyWhatIsDue(context);
  const state = lookAt(context, job);
  return isGone(context, job, state) ? undefined : showJob(context, job, state);
};

/** Ends an unfinished job; `false` when there is none of this id, or when it has finished already. */
export const endJob = (context: Context, id: string, end: ForcedEnd): boolean => {
  applyWhatIsDue(context);
  const job = context.account.jobs.get(id);
  if (job === undefined || isFinished(lookAt(context, job))) return false;
  job.forced = end;
  job.finishedAt = context.now;
  if (end.status !== "completed") payBack(context, job, context.now);
  return true;
};
