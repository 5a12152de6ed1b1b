import * as z from "zod/mini";
import type { Action, CopyAction, ImageAction, VideoAction } from "./actions.ts";

/** Documented: section 8. */
export const maxVariations = 10;

/** Documented: section 8. A job that has not finished by then never will. */
export const jobExpiryMs = 30 * 60_000;

/** The documented job states, in the order a job goes through them. */
export const jobStatuses = ["queued", "processing", "completed", "failed"] as const;

/** @see API v1, section 3 "States and transitions" */
export type JobStatus = (typeof jobStatuses)[number];

interface JobParameters {
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

/** @assumed A1 A2 */
export const jobRequestSchema = z.looseObject({
  action: z.string(),
  prompt: z.optional(z.string()),
  images: z.optional(z.array(z.string())),
  variations: z.optional(z.number()),
  duration: z.optional(z.number()),
});

/**
 * Documented: section 4. `status` is read as any string: a paid job must not be lost
 * because the service starts to answer with a state that the document does not name.
 */
export const submittedJobSchema = z.looseObject({
  job_id: z.string(),
  status: z.string(),
});

/** @assumed A3: the answer is the job itself, and `job_id` may be left out. */
export const jobSchema = z.looseObject({
  job_id: z.optional(z.string()),
  status: z.string(),
});

/** @assumed A4: listed jobs carry their id, or nobody could ask for them. */
export const jobListSchema = z.looseObject({
  jobs: z.array(submittedJobSchema),
});

declare const actionOfJob: unique symbol;

/** The id of a job. A plain string at run time; it remembers the action for the types. */
export type JobId<A extends string = Action> = string & { readonly [actionOfJob]?: A };
