import type { JobStatus } from "../../src/contract/jobs.ts";
import { createDueJobs, type DueJobs } from "./due-jobs.ts";
import { expiresAt, isFinished, type JobRecord } from "./job-timeline.ts";
import { isGone, lookAt } from "./jobs.ts";
import type { AccountState, Context } from "./state.ts";

/** Count of jobs in each state. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

/** Counts of an account's jobs, kept so that no poll walks through the finished ones again. */
interface Census {
  /** Number of jobs that it knows. */
  known: number;
  readonly unfinished: Set<JobRecord>;
  readonly finished: { completed: number; failed: number };
  /** Finished jobs by the time at which they can no longer be found, where `expiry` says so. */
  readonly leaving: DueJobs;
}

/** Belongs to the state of an account: a reset or a restore makes a new state. */
const censuses = new WeakMap<AccountState, Census>();

const censusOf = (account: AccountState): Census => {
  const known = censuses.get(account);
  if (known !== undefined) return known;
  const made = {
    known: 0,
    unfinished: new Set<JobRecord>(),
    finished: { completed: 0, failed: 0 },
    leaving: createDueJobs(),
  };
  censuses.set(account, made);
  return made;
};

/** Adds the jobs that came since the last census, oldest first. */
const addNew = ({ jobs }: AccountState, census: Census): void => {
  const count = jobs.size - census.known;
  for (const job of jobs.list(count, (job) => job).reverse()) census.unfinished.add(job);
  census.known = jobs.size;
};

/** Counts an account's jobs by status, and tells which have not finished. It moves none on. */
export const takeCensus = (
  context: Context,
): { readonly counts: JobCounts; readonly unfinished: ReadonlySet<JobRecord> } => {
  const census = censusOf(context.account);
  addNew(context.account, census);
  const { unfinished, finished, leaving } = census;
  const count = (job: JobRecord, by: 1 | -1): void => {
    const state = lookAt(context, job);
    if (isFinished(state)) finished[state.status as keyof typeof finished] += by;
  };
  for (let job = leaving.take(context.now); job; job = leaving.take(context.now)) count(job, -1);
  const open = { queued: 0, processing: 0 };
  for (const job of unfinished) {
    const state = lookAt(context, job);
    const { status } = state;
    if (status === "queued" || status === "processing") open[status] += 1;
    else {
      // A finished job never changes. One that is gone is no job any more.
      unfinished.delete(job);
      if (isGone(context, job, state)) continue;
      count(job, 1);
      if (context.rules.expiry === "all-not-found") leaving.add(expiresAt(job), job);
    }
  }
  return { counts: { ...open, ...finished }, unfinished };
};
