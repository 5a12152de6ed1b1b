import type { Action } from "../../src/contract/actions.ts";
import { type JobStatus, jobStatuses } from "../../src/contract/jobs.ts";
import { applyWhatIsDue } from "./apply-what-is-due.ts";
import type { JobRecord, JobState } from "./job-timeline.ts";
import { isGone, lookAt } from "./jobs.ts";
import type { Context } from "./state.ts";

/** Count of jobs in each state. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

/** Choice of jobs. A field that is left out fits every job. */
interface JobChoice {
  readonly status?: JobStatus | readonly JobStatus[] | undefined;
  readonly action?: Action | readonly Action[] | undefined;
  /** Part of the id, the action, the prompt, the brand's name or the error, in capitals or not. */
  readonly text?: string | undefined;
}

/** A job that can be found, in the circumstances of its account. */
interface FoundJob {
  readonly context: Context;
  readonly job: JobRecord;
  readonly state: JobState;
}

/** Extent of a list of jobs. */
interface Extent {
  /** Count of the jobs in all. */
  readonly limit: number;
  /** Count of the jobs of each state. @default limit */
  readonly each?: number | undefined;
  /** Id of a job: only the jobs that come after it in the list. */
  readonly before?: string | undefined;
}

const hasText = (
  { id, action, request, brand }: JobRecord,
  { error }: JobState,
  text: string,
): boolean =>
  [id, action, request["prompt"], brand?.name, error].some(
    (part) => typeof part === "string" && part.toLowerCase().includes(text),
  );

/** Makes the check of everything but the status. */
const createFit = ({ action, text }: JobChoice) => {
  const wanted = text?.toLowerCase();
  const wantedActions = action === undefined ? undefined : [action].flat();
  return ({ job, state }: FoundJob): boolean =>
    (wantedActions === undefined || wantedActions.includes(job.action)) &&
    (wanted === undefined || hasText(job, state, wanted));
};

/** Reads the jobs of an account that can be found, newest first. */
const readJobs = (context: Context): FoundJob[] => {
  applyWhatIsDue(context);
  return context.account.jobs.list(Number.POSITIVE_INFINITY, (job) => {
    const state = lookAt(context, job);
    return isGone(context, job, state) ? undefined : { context, job, state };
  });
};

const count = (found: readonly FoundJob[]): JobCounts => {
  const counts = { queued: 0, processing: 0, completed: 0, failed: 0 };
  for (const { state } of found) counts[state.status] += 1;
  return counts;
};

/** Counts an account's jobs by status. It moves none on. */
export const countJobs = (context: Context): JobCounts => count(readJobs(context));

/** Reads the jobs of several accounts, newest first. Of two of one time, that of the first account. */
const readAll = (contexts: readonly Context[]): FoundJob[] => {
  const all = contexts.flatMap(readJobs);
  if (contexts.length === 1) return all;
  return all.sort((one, other) => other.job.submittedAt - one.job.submittedAt);
};

/**
 * Finds the newest jobs of several accounts that fit, and counts all of them by their status, of
 * which the choice may name any. It moves none on.
 */
export const searchJobs = (
  contexts: readonly Context[],
  choice: JobChoice,
  { limit, each = limit, before }: Extent,
): { readonly counts: JobCounts; readonly newest: readonly FoundJob[] } => {
  const all = readAll(contexts);
  const fits = createFit(choice);
  const wanted = [choice.status ?? jobStatuses].flat();
  const listed = { queued: 0, processing: 0, completed: 0, failed: 0 };
  const start = before === undefined ? 0 : all.findIndex(({ job }) => job.id === before) + 1;
  const newest: FoundJob[] = [];
  for (const found of all.slice(start)) {
    if (newest.length >= limit) break;
    const { status } = found.state;
    if (!wanted.includes(status) || listed[status] >= each || !fits(found)) continue;
    listed[status] += 1;
    newest.push(found);
  }
  return { counts: count(all.filter(fits)), newest };
};
