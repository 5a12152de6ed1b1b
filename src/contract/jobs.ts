import type { Action, CopyAction, ImageAction, VideoAction } from "./actions.ts";
import { object, string } from "./schema.ts";

/** Documented: section 8. */
export const maxVariations = 10;

/** Documented: section 8. A job that has not finished by then never will. */
export const jobExpiryMs = 1_800_000;

/**
 * The state of a job: from queued to processing to completed or failed.
 *
 * @see API v1, section 3 "States and transitions"
 */
export type JobStatus = "queued" | "processing" | "completed" | "failed";

/** The documented job states, in the order a job goes through them. */
export const jobStatuses: readonly JobStatus[] = ["queued", "processing", "completed", "failed"];

/** Whether a job in this state will not change any more. */
export const isFinished = (status: JobStatus): boolean =>
  status === "completed" || status === "failed";

/** What a job of any action may carry. */
export interface JobParameters {
  /** What to make, in words. @assumed A2 */
  prompt?: string;
  /** Pictures to start from: URLs or data URLs. @assumed A2 */
  images?: readonly string[];
  /** A parameter the API's document does not name; sent as given. */
  [parameter: string]: unknown;
}

/** A job that makes pictures. Costs one image credit for each variation. */
export interface ImageJobRequest<A extends ImageAction = ImageAction> extends JobParameters {
  /** Which generation to run. @assumed A1 */
  action: A;
  /** How many pictures, 1 to 10; the service makes 1 when absent. @assumed A2 */
  variations?: number;
}

/** A job that makes a video. Costs video credits by model and duration. */
export interface VideoJobRequest<A extends VideoAction = VideoAction> extends JobParameters {
  /** Which generation to run. @assumed A1 */
  action: A;
  /** Length in seconds. @assumed A2 */
  duration?: number;
}

/** A job that writes ad text. Free. */
export interface CopyJobRequest extends JobParameters {
  /** Which generation to run. @assumed A1 */
  action: CopyAction;
  /** How many texts, 1 to 10; the service writes 1 when absent. @assumed A2 */
  variations?: number;
}

/**
 * The body of a job submission: a union on `action`, so that each action knows its parameters.
 *
 * @see API v1, section 4 "Jobs"
 */
export type JobRequest = ImageJobRequest | VideoJobRequest | CopyJobRequest;

/**
 * Documented: section 4; a listed job is assumed to be no less. `status` is read as any string: a paid job must not be lost
 * because the service starts to answer with a state that the document does not name.
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
