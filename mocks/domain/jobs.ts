import type { JobStatus } from "../../src/contract/jobs.ts";
import { applyWhatIsDue, payBack } from "./apply-what-is-due.ts";
import {
  completed,
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

/** Number of jobs in a list that was asked for without a limit. @assumed A4 */
export const defaultListLength = 100;

/** Computes a job's state now, and refunds a failed job. It does not count as a poll. */
const stateNow = (context: Context, job: JobRecord): JobState => {
  const { rules, now } = context;
  job.seenAt = Math.max(job.seenAt, now);
  // States only move forwards, so this one was the last.
  if (job.shown === "completed") return completed;
  const state = jobStateAt(job, rules.paces[job.action], now);
  if (state.status !== (job.shown ?? "queued")) job.shown = state.status;
  if (state.status === "failed") payBack(context, job, now);
  return state;
};

/** Tells whether a job can no longer be found, by the option `expiry`. */
const isGone = ({ rules, now }: Context, job: JobRecord, { expired }: JobState): boolean => {
  if (rules.expiry === "failed") return false;
  const isOver = Math.max(now, job.seenAt) >= expiresAt(job);
  return expired === true || (isOver && rules.expiry === "all-not-found");
};

/** Counts a poll, and records the times of the two polls that advance a job. */
const countPoll = ({ rules, now }: Context, job: JobRecord): void => {
  job.polls += 1;
  if (!movesByPolls(job, rules.paces[job.action])) return;
  if (job.polls === 1) job.startedAt = now;
  if (job.polls === 2) job.finishedAt = now;
};

/** A job, and the milliseconds until its state may change; `undefined` when it has finished. */
export interface PolledJob {
  readonly data: JobView;
  readonly retryAfterMs: number | undefined;
}

/** Answers a poll, which advances the job on the "per-poll" timeline. */
export const answerPoll = (context: Context, id: string): PolledJob => {
  applyWhatIsDue(context);
  const job = context.account.jobs.get(id);
  if (job === undefined) throw new Refusal("not_found", assumedMessages.jobNotFound);
  // The poll counts first, so that the client sees the state that the poll has brought.
  let state = stateNow(context, job);
  if (!isFinished(state)) {
    countPoll(context, job);
    state = stateNow(context, job);
  }
  if (isGone(context, job, state)) throw new Refusal("not_found", assumedMessages.jobNotFound);
  return { data: showJob(context, job, state), retryAfterMs: state.nextChangeMs };
};

/** A job that can be found, in the circumstances of its account, and its state. */
export interface SeenJob {
  readonly context: Context;
  readonly job: JobRecord;
  readonly state: JobState;
}

/** Lists the jobs that can be found, newest first. It advances no job. */
export const seeJobs = (context: Context, limit = Number.POSITIVE_INFINITY): SeenJob[] => {
  applyWhatIsDue(context);
  const { jobsByAge } = context.account;
  const seen: SeenJob[] = [];
  for (let place = jobsByAge.length - 1; place >= 0 && seen.length < limit; place -= 1) {
    const job = jobsByAge[place] as JobRecord;
    const state = stateNow(context, job);
    if (!isGone(context, job, state)) seen.push({ context, job, state });
  }
  return seen;
};

/** Lists the newest jobs as an answer shows them. */
export const listJobs = (context: Context, limit: number): JobView[] =>
  seeJobs(context, limit).map(({ job, state }) => showJob(context, job, state));

/** Finds a job without moving it on, because its owner does not poll. */
export const seeJob = (context: Context, id: string): SeenJob | undefined => {
  const job = context.account.jobs.get(id);
  if (job === undefined) return undefined;
  applyWhatIsDue(context);
  const state = stateNow(context, job);
  return isGone(context, job, state) ? undefined : { context, job, state };
};

/** Count of jobs in each state. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

/** Counts jobs by their states. */
export const countJobs = (seen: readonly SeenJob[]): JobCounts => {
  const counts = { queued: 0, processing: 0, completed: 0, failed: 0 };
  for (const { state } of seen) counts[state.status] += 1;
  return counts;
};

/** Ends an unfinished job; returns `false` when no job has this id, or when it has finished already. */
export const endJob = (context: Context, id: string, end: ForcedEnd): boolean => {
  applyWhatIsDue(context);
  const job = context.account.jobs.get(id);
  if (job === undefined || isFinished(stateNow(context, job))) return false;
  job.forced = end;
  job.finishedAt = context.now;
  if (end.status !== "completed") payBack(context, job, context.now);
  return true;
};
