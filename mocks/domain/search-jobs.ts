import type { Action } from "../../src/contract/actions.ts";
import type { JobStatus } from "../../src/contract/jobs.ts";
import { applyWhatIsDue } from "./apply-what-is-due.ts";
import { type JobCounts, takeCensus } from "./job-census.ts";
import type { JobRecord, JobState } from "./job-timeline.ts";
import { isGone, lookAt } from "./jobs.ts";
import type { Context } from "./state.ts";

/** Choice of jobs. A field that is left out fits every job. */
export interface JobChoice {
  readonly status?: JobStatus | readonly JobStatus[] | undefined;
  readonly action?: Action | undefined;
  /** Part of the id, the prompt, the brand's name or the error, in capitals or not. */
  readonly text?: string | undefined;
}

/** A job that fits, in the circumstances of its account. */
export interface FittingJob {
  readonly context: Context;
  readonly job: JobRecord;
  readonly state: JobState;
}

const isOneOf = (status: JobStatus, choice: JobChoice["status"]): boolean =>
  choice === undefined ||
  (typeof choice === "string" ? status === choice : choice.includes(status));

const hasText = ({ id, request, brand }: JobRecord, { error }: JobState, text: string): boolean =>
  [id, request["prompt"], brand?.name, error].some(
    (part) => typeof part === "string" && part.toLowerCase().includes(text),
  );

/** Makes the check of everything but the status. */
const createFit = ({ action, text }: JobChoice) => {
  const wanted = text?.toLowerCase();
  return (job: JobRecord, state: JobState): boolean =>
    (action === undefined || job.action === action) &&
    (wanted === undefined || hasText(job, state, wanted));
};

/** Counts the jobs that fit by their status, of which the choice may name any. */
export const countJobs = (contexts: readonly Context[], choice: JobChoice): JobCounts => {
  const counts = { queued: 0, processing: 0, completed: 0, failed: 0 };
  const isChosen = choice.action !== undefined || choice.text !== undefined;
  const fits = createFit(choice);
  for (const context of contexts) {
    applyWhatIsDue(context);
    if (isChosen) {
      for (const job of context.account.jobs.newest()) {
        const state = lookAt(context, job);
        if (!isGone(context, state) && fits(job, state)) counts[state.status] += 1;
      }
    } else {
      const own = takeCensus(context).counts;
      for (const status of Object.keys(counts) as JobStatus[]) counts[status] += own[status];
    }
  }
  return counts;
};

/** A place in a list of all jobs: that of a job. */
interface Cursor {
  readonly account: number;
  readonly job: JobRecord;
}

const findCursor = (contexts: readonly Context[], id: string | undefined): Cursor | undefined => {
  if (id === undefined) return undefined;
  for (const [account, context] of contexts.entries()) {
    const job = context.account.jobs.get(id);
    if (job !== undefined) return { account, job };
  }
  return undefined;
};

/** Reads the jobs of one account that fit, newest first, from the cursor on. */
function* readNewest(
  context: Context,
  place: number,
  choice: JobChoice,
  cursor: Cursor | undefined,
): Generator<FittingJob, undefined> {
  const fits = createFit(choice);
  const { unfinished } = takeCensus(context);
  const isUnfinishedOnly =
    !isOneOf("completed", choice.status) && !isOneOf("failed", choice.status);
  const start = cursor?.account === place ? cursor.job.id : undefined;
  for (const job of context.account.jobs.newest(start)) {
    // Of two jobs of one time, that of the earlier account comes first.
    if (cursor !== undefined && place < cursor.account && job.submittedAt >= cursor.job.submittedAt)
      continue;
    if (cursor !== undefined && place > cursor.account && job.submittedAt > cursor.job.submittedAt)
      continue;
    if (isUnfinishedOnly && !unfinished.has(job)) continue;
    const state = lookAt(context, job);
    if (isGone(context, state) || !isOneOf(state.status, choice.status)) continue;
    if (fits(job, state)) yield { context, job, state };
  }
  return undefined;
}

/** Finds the place of the newest job. */
const placeOfNewest = (heads: readonly (FittingJob | undefined)[]): number =>
  heads.reduce(
    (best, head, place) =>
      (head?.job.submittedAt ?? Number.NEGATIVE_INFINITY) >
      (heads[best]?.job.submittedAt ?? Number.NEGATIVE_INFINITY)
        ? place
        : best,
    0,
  );

/**
 * Lists the newest jobs of several accounts that fit. It moves none on.
 *
 * @param before - Id of a job: only the jobs that come after it in the list
 */
export const newestJobs = (
  contexts: readonly Context[],
  choice: JobChoice,
  limit: number,
  before?: string,
): FittingJob[] => {
  const cursor = findCursor(contexts, before);
  if (before !== undefined && cursor === undefined) return [];
  for (const context of contexts) applyWhatIsDue(context);
  const queues = contexts.map((context, place) => readNewest(context, place, choice, cursor));
  const heads = limit > 0 ? queues.map((queue) => queue.next().value) : [];
  const newest: FittingJob[] = [];
  for (;;) {
    const place = placeOfNewest(heads);
    const head = heads[place];
    if (head === undefined) return newest;
    newest.push(head);
    if (newest.length >= limit) return newest;
    heads[place] = queues[place]?.next().value;
  }
};
