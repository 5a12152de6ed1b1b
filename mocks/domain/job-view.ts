import type { Action } from "../../src/contract/actions.ts";
import type { JobStatus } from "../../src/contract/jobs.ts";
import { inlineUrl } from "../seeded/artwork.ts";
import { makeResult } from "../seeded/results.ts";
import { timestamp } from "./clock.ts";
import { isFinished, type JobRecord, type JobState } from "./job-timeline.ts";
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

/** Finds a result that a test has planned or forced. */
const givenResult = ({ forced, planned }: JobRecord): { readonly result?: unknown } | undefined => {
  if (forced && "result" in forced) return forced;
  return planned && "result" in planned ? planned : undefined;
};

/** Makes a store of what was made of jobs. It forgets all of them when it is full. */
const createStore = <Kept>(maxPictures: number) => {
  // A weak map, because the views of a world that was reset must not outlive its jobs.
  let kept = new WeakMap<JobRecord, Kept>();
  let pictures = 0;
  return {
    get: (job: JobRecord): Kept | undefined => kept.get(job),
    set: (job: JobRecord, value: Kept): void => {
      if (pictures >= maxPictures) {
        kept = new WeakMap();
        pictures = 0;
      }
      pictures += job.variations;
      kept.set(job, value);
    },
  };
};

/** Addresses that hold the pictures themselves: few, because each takes up to 20 kB. */
const inlineUrls = createStore<string[]>(200);

/** Makes such an address once, because painting takes longer than all else in an answer. */
const inlineUrlOf = ({ rules }: Context, job: JobRecord): ((variation: number) => string) => {
  const made = inlineUrls.get(job) ?? [];
  if (made.length === 0) inlineUrls.set(job, made);
  return (variation) => {
    const url = made[variation] ?? inlineUrl(job, variation, rules.pictureFormat);
    made[variation] = url;
    return url;
  };
};

const resultOf = (context: Context, job: JobRecord): unknown => {
  const { pictureUrl } = context;
  const given = givenResult(job);
  // A copy: a caller that changes the view must not change the job.
  if (given !== undefined) return structuredClone(given.result);
  const urlOf = pictureUrl && ((variation: number) => pictureUrl(job, variation));
  return makeResult(job, urlOf ?? inlineUrlOf(context, job));
};

/**
 * Shows a job by a view that the caller may change.
 *
 * @param hasResult - `false` leaves out what the job made, which takes time to draw
 */
export const showJob = (
  context: Context,
  job: JobRecord,
  { status, error }: JobState,
  hasResult = true,
): JobView => ({
  job_id: job.id,
  status,
  action: job.action,
  created_at: timestamp(job.submittedAt),
  ...(status === "completed" && hasResult && { result: resultOf(context, job) }),
  ...(error !== undefined && { error }),
});

/** View of a finished job, which never changes, with picture URLs of one origin. */
interface KeptView {
  readonly origin: string;
  readonly view: JobView;
}

/** Views with inline pictures: few, because each picture takes up to 20 kB with its text. */
const inlineViews = createStore<KeptView>(200);

/** Views with the URLs of served pictures. */
const servedViews = createStore<KeptView>(4_000);

const viewsOf = ({ pictureUrl }: Context) => (pictureUrl === undefined ? inlineViews : servedViews);

/** Finds the kept view of a finished job, for an answer of the API. */
export const findKept = (context: Context, job: JobRecord): JobView | undefined => {
  const { answerOrigin } = context;
  const kept = answerOrigin === undefined ? undefined : viewsOf(context).get(job);
  return kept?.origin === answerOrigin ? kept?.view : undefined;
};

/** Shows a job. Freezes and keeps the view of a finished one, unless a test gave its result. */
export const showAndKeep = (context: Context, job: JobRecord, state: JobState): JobView => {
  const view = showJob(context, job, state);
  const { answerOrigin: origin } = context;
  if (origin === undefined || !isFinished(state) || givenResult(job)) return view;
  viewsOf(context).set(job, { origin, view: Object.freeze(view) });
  return view;
};
