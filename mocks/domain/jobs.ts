import type { JobStatus } from "../../src/contract/jobs.ts";
import { applyWhatIsDue, payBack } from "./apply-what-is-due.ts";
import {
  completedState,
  expiresAt,
  type ForcedEnd,
  isFinished,
  type JobRecord,
  type JobState,
  jobStateAt,
  movesByPolls,
} from "./job-timeline.ts";
import { type JobView, showJob } from "./job-view.ts";
import { assumedMessages, Refusal } from "./messages.ts";
import type { Context } from "./state.ts";

/** Number of jobs in a list without a `limit`. @assumed A4 */
export const defaultListLength = 100;

/** Computes a job's current state, and refunds it if it has failed. This doesn't count as a poll. */
const stateNow = (context: Context, job: JobRecord): JobState => {
  const { rules, now } = context;
  job.seenAt = Math.max(job.seenAt, now);
  // A completed job stays completed.
  if (job.shown === "completed") return completedState;
  const state = jobStateAt(job, rules.paces[job.action], now);
  if (state.status !== (job.shown ?? "queued")) job.shown = state.status;
  if (state.status === "failed") payBack(context, job, now);
  return state;
};

/** Returns whether the option `expiry` hides a job. */
const isGone = ({ rules, now }: Context, job: JobRecord, { expired }: JobState): boolean => {
  if (rules.expiry === "failed") return false;
  const isOver = Math.max(now, job.seenAt) >= expiresAt(job);
  return expired === true || (isOver && rules.expiry === "all-not-found");
};

/** Counts a poll, and records the time if it advances the job. */
const countPoll = ({ rules, now }: Context, job: JobRecord): void => {
  job.polls += 1;
  if (!movesByPolls(job, rules.paces[job.action])) return;
  if (job.polls === 1) job.startedAt = now;
  if (job.polls === 2) job.finishedAt = now;
};

/**
 * Answers a poll, which advances the job on the "per-poll" timeline.
 *
 * @returns the job, and the milliseconds until its state may change; `undefined` if it has finished
 */
export const answerPoll = (context: Context, id: string) => {
  applyWhatIsDue(context);
  const job = context.account.jobs.get(id);
  if (job === undefined) throw new Refusal("not_found", assumedMessages.jobNotFound);
  // Count the poll first, so that its own answer shows the new state.
  let state = stateNow(context, job);
  if (!isFinished(state)) {
    countPoll(context, job);
    state = stateNow(context, job);
  }
  if (isGone(context, job, state)) throw new Refusal("not_found", assumedMessages.jobNotFound);
  return { data: showJob(context, job, state), retryAfterMs: state.nextChangeMs };
};

/** A job that isn't hidden, with its state and the context it was found in. */
export interface FoundJob {
  readonly context: Context;
  readonly job: JobRecord;
  readonly state: JobState;
}

/** Lists the jobs that aren't hidden, newest first, without advancing any. */
export const findJobs = (context: Context, limit = Number.POSITIVE_INFINITY): FoundJob[] => {
  applyWhatIsDue(context);
  const { jobsByAge } = context.account;
  const seen: FoundJob[] = [];
  for (let place = jobsByAge.length - 1; place >= 0 && seen.length < limit; place -= 1) {
    const job = jobsByAge[place] as JobRecord;
    const state = stateNow(context, job);
    if (!isGone(context, job, state)) seen.push({ context, job, state });
  }
  return seen;
};

/** Lists the newest jobs, as the service shows them. */
export const listJobs = (context: Context, limit: number): JobView[] =>
  findJobs(context, limit).map(({ job, state }) => showJob(context, job, state));

/** Finds a job without advancing it. */
export const findJob = (context: Context, id: string): FoundJob | undefined => {
  const job = context.account.jobs.get(id);
  if (job === undefined) return undefined;
  applyWhatIsDue(context);
  const state = stateNow(context, job);
  return isGone(context, job, state) ? undefined : { context, job, state };
};

/** Counts jobs by state. */
export const countJobs = (seen: readonly FoundJob[]): Record<JobStatus, number> => {
  const counts = { queued: 0, processing: 0, completed: 0, failed: 0 };
  for (const { state } of seen) counts[state.status] += 1;
  return counts;
};

/** Ends an unfinished job. Returns `false` if no job has this id, or the job has already finished. */
export const endJob = (context: Context, id: string, end: ForcedEnd): boolean => {
  applyWhatIsDue(context);
  const job = context.account.jobs.get(id);
  if (job === undefined || isFinished(stateNow(context, job))) return false;
  job.forced = end;
  job.finishedAt = context.now;
  if (end.status !== "completed") payBack(context, job, context.now);
  return true;
};
