import type { Action, CopyAction, ImageAction, VideoAction } from "./actions.ts";
import { object, string } from "./schema.ts";

/** Documented: section 8. */
export const maxVariations = 10;

/** Documented: section 8. That a job which has not finished by then fails is assumed. @assumed A10 */
export const jobExpiryMs = 1_800_000;

/**
 * The state of a job: from queued to processing to completed or failed.
 *
 * @see API v1, section 3 "States and transitions"
 */
export type JobStatus = "queued" | "processing" | "completed" | "failed";

/** The documented job states, in the order a job goes through them. */
export const jobStatuses: readonly JobStatus[] = ["queued", "processing", "completed", "failed"];

export const isJobStatus = (value: unknown): value is JobStatus =>
  jobStatuses.includes(value as JobStatus);

/** Whether a job in this state will not change any more. */
export const isFinished = (status: JobStatus): boolean =>
  status === "completed" || status === "failed";

/** What a job of any action may carry. */
export interface JobParameters {
  /** What to make, in words. @assumed A2 */
  prompt?: string | undefined;
  /** Pictures to start from: URLs or data URLs. @assumed A2 */
  images?: readonly string[] | undefined;
  /** A parameter the API's document does not name; sent as given. */
  [parameter: string]: unknown;
}

/** A job that makes pictures. Costs one image credit for each variation. */
export interface ImageJobRequest<A extends ImageAction = ImageAction> extends JobParameters {
  /** Which generation to run. @assumed A1 */
  action: A;
  /** How many pictures, 1 to 10; the service makes 1 when absent. @assumed A2 */
  variations?: number | undefined;
}

/** A job that makes a video. Costs video credits by model and duration. */
export interface VideoJobRequest<A extends VideoAction = VideoAction> extends JobParameters {
  /** Which generation to run. @assumed A1 */
  action: A;
  /** Length in seconds. @assumed A2 */
  duration?: number | undefined;
}

/** A job that writes ad text. Free. */
export interface CopyJobRequest extends JobParameters {
  /** Which generation to run. @assumed A1 */
  action: CopyAction;
  /** How many texts, 1 to 10; the service writes 1 when absent. @assumed A2 */
  variations?: number | undefined;
}

/**
 * The body of a job submission: a union on `action`, so that each action knows its parameters.
 *
 * @see API v1, section 4 "Jobs"
 */
export type JobRequest = ImageJobRequest | VideoJobRequest | CopyJobRequest;

/**
 * Documented: section 4; a listed job is assumed to be no less. `status` is read as any string:
 * a paid job must not be lost because the service starts to answer with a state that the
 * document does not name.
 *
 * @assumed A4
 */
export const submittedJobSchema = object({
  job_id: string,
  status: string,
});

/**
 * `job_id` may be left out; where it is there, the client holds it against the id it asked for.
 *
 * @assumed A3
 */
export const jobSchema = object({ status: string });

declare const actionOfJob: unique symbol;

/** The id of a job. A plain string at run time; it remembers the action for the types. */
export type JobId<A extends string = Action> = string & { readonly [actionOfJob]?: A };

/** What every job carries. */
export interface JobFields {
  /** Identifier of the job. */
  job_id: string;
  /** Fields the API's document does not name, kept as received. */
  [field: string]: unknown;
}

/** A job as its submission answers it. */
export interface SubmittedJob<A extends Action = Action> extends JobFields {
  /** Identifier of the job; hand it, or the whole job, to `pollJob`. */
  job_id: JobId<A>;
  /** `"queued"`, by the API's document. */
  status: JobStatus;
}

/** A job that has not finished. */
export interface UnfinishedJob extends JobFields {
  /** Not finished. */
  status: "queued" | "processing";
}

/** A job that has finished well. */
export interface CompletedJob<R = unknown> extends JobFields {
  /** Finished, and there is a result. */
  status: "completed";
  /** What was made: typed and checked by your schema for the action. @assumed A9 */
  result: R;
}

/** A job that has finished badly. That is an answer, not an error. */
export interface FailedJob extends JobFields {
  /** Finished, without a result. */
  status: "failed";
  /** Why, where the service says so. @assumed A8 */
  error?: string;
}

/** A job that will not change any more. */
export type FinishedJob<R = unknown> = CompletedJob<R> | FailedJob;

/**
 * A job: a union on `status`. A status the API's document does not name is passed through
 * as received and reported to `hooks.onDrift`; it is neither a success nor a failure.
 */
export type Job<R = unknown> = UnfinishedJob | FinishedJob<R>;
