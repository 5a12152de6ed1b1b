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

/** Makes the check of everything but the status; `undefined` when it fits every job. */
const createFit = ({ action, text }: JobChoice) => {
  if (action === undefined && text === undefined) return undefined;
  const wanted = text?.toLowerCase();
  return (job: JobRecord, state: JobState): boolean =>
    (action === undefined || job.action === action) &&
    (wanted === undefined || hasText(job, state, wanted));
};

type Fit = ReturnType<typeof createFit>;

/** Jobs of one account, and their count in each state. */
interface Surveyed {
  readonly context: Context;
  readonly counts: JobCounts;
  readonly unfinished: ReadonlySet<JobRecord>;
}

const noJobs: JobCounts = { queued: 0, processing: 0, completed: 0, failed: 0 };

const add = (one: JobCounts, other: JobCounts): JobCounts => ({
  queued: one.queued + other.queued,
  processing: one.processing + other.processing,
  completed: one.completed + other.completed,
  failed: one.failed + other.failed,
});

/** Counts the jobs that fit by walking through all of an account. */
const countFitting = (context: Context, fits: NonNullable<Fit>): JobCounts => {
  const counts = { ...noJobs };
  for (const job of context.account.jobs.newest()) {
    const state = lookAt(context, job);
    if (!isGone(context, job, state) && fits(job, state)) counts[state.status] += 1;
  }
  return counts;
};

const survey = (context: Context, fits: Fit): Surveyed => {
  applyWhatIsDue(context);
  const { counts, unfinished } = takeCensus(context);
  return { context, unfinished, counts: fits ? countFitting(context, fits) : counts };
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

/** Tells whether a job of another account comes before the cursor in the list of all. */
const isBefore = (cursor: Cursor | undefined, account: number, job: JobRecord): boolean => {
  if (cursor === undefined || cursor.account === account) return false;
  const later = job.submittedAt - cursor.job.submittedAt;
  // Of two jobs of one time, that of the earlier account comes first.
  return account < cursor.account ? later >= 0 : later > 0;
};

/** Count of the jobs of each state that a list still has room for. */
type Room = Record<JobStatus, number>;

/** Reads the jobs of one account that fit, newest first, as long as the list has room for any. */
function* readNewest(
  { context, counts, unfinished }: Surveyed,
  account: number,
  room: Room,
  { fits, cursor }: { readonly fits: Fit; readonly cursor: Cursor | undefined },
): Generator<FittingJob, undefined> {
  const left = { ...counts };
  const canHave = (status: JobStatus): boolean => room[status] > 0 && left[status] > 0;
  const start = cursor?.account === account ? cursor.job.id : undefined;
  for (const job of context.account.jobs.newest(start)) {
    const isOpen = canHave("queued") || canHave("processing");
    if (!isOpen && !canHave("completed") && !canHave("failed")) return;
    if (isBefore(cursor, account, job) || (unfinished.has(job) && !isOpen)) continue;
    const state = lookAt(context, job);
    if (isGone(context, job, state) || (fits && !fits(job, state))) continue;
    left[state.status] -= 1;
    if (room[state.status] > 0) yield { context, job, state };
  }
}

const timeOf = (head: FittingJob | undefined): number =>
  head?.job.submittedAt ?? Number.NEGATIVE_INFINITY;

/** Finds the place of the newest job. */
const placeOfNewest = (heads: readonly (FittingJob | undefined)[]): number =>
  heads.reduce((best, head, place) => (timeOf(head) > timeOf(heads[best]) ? place : best), 0);

/** Extent of a list of jobs. */
interface Extent {
  /** Count of the jobs in all. */
  readonly limit: number;
  /** Count of the jobs of each state. @default limit */
  readonly each?: number | undefined;
  /** Id of a job: only the jobs that come after it in the list. */
  readonly before?: string | undefined;
}

const roomFor = ({ status }: JobChoice, { limit, each = limit }: Extent): Room => {
  const roomOf = (name: JobStatus): number => (isOneOf(name, status) ? each : 0);
  return {
    queued: roomOf("queued"),
    processing: roomOf("processing"),
    completed: roomOf("completed"),
    failed: roomOf("failed"),
  };
};

/** Lists the newest jobs of several accounts that fit, newest first. */
const listNewest = (
  surveyed: readonly Surveyed[],
  choice: JobChoice,
  extent: Extent,
): FittingJob[] => {
  if (extent.limit === 0) return [];
  const room = roomFor(choice, extent);
  const contexts = surveyed.map(({ context }) => context);
  const how = { fits: createFit(choice), cursor: findCursor(contexts, extent.before) };
  const queues = surveyed.map((one, account) => readNewest(one, account, room, how));
  const heads = queues.map((queue) => queue.next().value);
  const newest: FittingJob[] = [];
  for (;;) {
    const place = placeOfNewest(heads);
    const head = heads[place];
    if (head === undefined) return newest;
    // The room may have gone since this job was read.
    if (room[head.state.status] > 0) {
      newest.push(head);
      room[head.state.status] -= 1;
    }
    if (newest.length === extent.limit) return newest;
    heads[place] = queues[place]?.next().value;
  }
};

/**
 * Finds the newest jobs of several accounts that fit, and counts all of them by their status, of
 * which the choice may name any. It moves none on.
 */
export const searchJobs = (
  contexts: readonly Context[],
  choice: JobChoice,
  extent: Extent,
): { readonly counts: JobCounts; readonly newest: readonly FittingJob[] } => {
  const fits = createFit(choice);
  const surveyed = contexts.map((context) => survey(context, fits));
  return {
    counts: surveyed.reduce((sum, { counts }) => add(sum, counts), noJobs),
    newest: listNewest(surveyed, choice, extent),
  };
};
