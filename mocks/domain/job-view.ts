import type { Action } from "../../src/contract/actions.ts";
import type { JobStatus } from "../../src/contract/jobs.ts";
import { inlineUrl } from "../seeded/artwork.ts";
import { makeResult } from "../seeded/results.ts";
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

/** View of a job, which changes with its status alone, with picture URLs of one origin. */
interface KeptView {
  readonly origin: string | undefined;
  readonly view: JobView;
  /** The same as JSON, once it was written. */
  text?: string;
}

/** Pictures in all views that are kept: each takes up to 20 kB. */
const mostPictures = 500;

// A weak map, because the views of a world that was reset must not outlive its jobs.
let keptViews = new WeakMap<JobRecord, KeptView>();
let pictures = 0;

/** Keeps a view, because painting takes longer than all else in an answer. */
const keep = (job: JobRecord, kept: KeptView): void => {
  if (pictures >= mostPictures) {
    keptViews = new WeakMap();
    pictures = 0;
  }
  pictures += job.variations;
  keptViews.set(job, kept);
};

/** Finds the end with a result that a test has planned or forced. */
const findGiven = ({ forced, planned }: JobRecord): { readonly result?: unknown } | undefined => {
  if (forced && "result" in forced) return forced;
  return planned && "result" in planned ? planned : undefined;
};

/** Shows a job without what it made, which takes time to draw. */
export const showWithoutResult = (job: JobRecord, { status, error }: JobState): JobView => ({
  job_id: job.id,
  status,
  action: job.action,
  created_at: timestamp(job.submittedAt),
  ...(error !== undefined && { error }),
});

/** Finds the view of a job in this state, when it was made before with these picture URLs. */
const findKept = (
  { pictureUrl, answerOrigin = "" }: Context,
  job: JobRecord,
  { status }: JobState,
): KeptView | undefined => {
  const kept = keptViews.get(job);
  const origin = pictureUrl && answerOrigin;
  return kept?.origin === origin && kept?.view.status === status ? kept : undefined;
};

/** Shows a job by a view for an answer, which nobody may change. */
export const showJob = (context: Context, job: JobRecord, state: JobState): JobView => {
  const kept = findKept(context, job, state);
  if (kept !== undefined) return kept.view;
  const plain = showWithoutResult(job, state);
  const isCompleted = state.status === "completed";
  const given = isCompleted ? findGiven(job) : undefined;
  if (given !== undefined) return { ...plain, result: given.result };
  const { pictureUrl, answerOrigin = "", rules } = context;
  const urlOf = (variation: number): string =>
    pictureUrl?.(job, variation) ?? inlineUrl(job, variation, rules.pictureFormat);
  const view = isCompleted ? { ...plain, result: makeResult(job, urlOf) } : plain;
  keep(job, { origin: pictureUrl && answerOrigin, view: Object.freeze(view) });
  return view;
};

/** Writes the view of a job as JSON: only once, as long as its state stays. */
export const writeJob = (context: Context, job: JobRecord, state: JobState): string => {
  const written = findKept(context, job, state)?.text;
  if (written !== undefined) return written;
  const text = JSON.stringify(showJob(context, job, state));
  const kept = findKept(context, job, state);
  if (kept !== undefined) kept.text = text;
  return text;
};
