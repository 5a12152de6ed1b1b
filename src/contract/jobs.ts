import {
  type Action,
  type CopyAction,
  type ImageAction,
  isAction,
  type VideoAction,
} from "./actions.ts";

/** Documented: section 8. */
export const maxVariations = 10;

/**
 * Section 8 of the API's document names this time. We assume that an unfinished job then fails.
 * @assumed A10
 */
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
export const isFinishedStatus = (status: JobStatus): boolean =>
  status === "completed" || status === "failed";

/**
 * Parameters that you send and that the API's document does not name. The interface is empty:
 * declare your parameters, and every request accepts them.
 *
 * @example
 * import "adgen-sdk"; // without an import, the declaration would replace the package's types
 * declare module "adgen-sdk" {
 *   interface ExtraJobParameters {
 *     style?: string;
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: users add to it
export interface ExtraJobParameters {}

/** The parameters of a job of any action. */
export interface JobParameters extends ExtraJobParameters {
  /** Description of what to make. @assumed A2 */
  prompt?: string | undefined;
  /** Pictures to start from: URLs or data URLs. @assumed A2 */
  images?: readonly string[] | undefined;
  /** Brand that the ad is for, by its id. @assumed A2 */
  brand_id?: string | undefined;
}

/** The parameters of a job that makes pictures. It costs one image credit for each variation. */
export interface ImageJobParameters extends JobParameters {
  /** Number of pictures, 1 to 10; the service makes 1 when absent. @assumed A2 */
  variations?: number | undefined;
}

/** The parameters of a job that makes one video. It costs video credits by model and duration. */
export interface VideoJobParameters extends JobParameters {
  /** Length in seconds. @assumed A2 A11 */
  duration?: number | undefined;
}

/** The parameters of a job that writes ad text. It is free. */
export interface CopyJobParameters extends JobParameters {
  /** Number of texts, 1 to 10; the service writes 1 when absent. @assumed A2 */
  variations?: number | undefined;
}

/** The parameters of each action. */
interface ParametersByAction
  extends Record<ImageAction, ImageJobParameters>,
    Record<VideoAction, VideoJobParameters>,
    Record<CopyAction, CopyJobParameters> {}

/**
 * The body of a job submission: a union on `action`, so that each action knows its parameters.
 * `JobRequest<"video-a-2">` is the request for that action.
 *
 * A parameter that the API's document does not name is sent as given. Its type comes from
 * {@link ExtraJobParameters}, or from a cast.
 *
 * @see API v1, section 4 "Jobs"
 */
export type JobRequest<A extends Action = Action> = {
  [Each in A]: {
    /**
     * Generation to run. `copy-ad`, `generate-ad`, `edit-ad`, `image-a-2` and `image-a-pro` make
     * pictures, `video-a-2`, `video-a-2-pro` and `video-b-3-0` a video. `generate-ad-copy` writes
     * ad text, and is free. @assumed A1
     */
    action: Each;
  } & ParametersByAction[Each];
}[A];

/**
 * Section 4 of the API's document shows these fields. We assume that listed jobs have them as well.
 * `status` may be any string, because a paid job must not be lost when the service starts to answer
 * with a new state.
 *
 * @assumed A4
 */
export const submittedJobFields = { job_id: "string", status: "string" } as const;

/**
 * The service may leave `job_id` out. If it sends one, the client compares it with the id that it
 * asked for.
 *
 * @assumed A3
 */
export const jobFields = { status: "string" } as const;

declare const actionOfJob: unique symbol;

/** The id of a job. At run time it is a plain string; its type remembers the action. */
export type JobId<A extends string = Action> = string & { readonly [actionOfJob]?: A };

/**
 * Fields of a job that you read and that the API's document does not name. They are kept as
 * received. The interface is empty: declare the fields that you know, and every job has them.
 *
 * @example
 * import "adgen-sdk"; // without an import, the declaration would replace the package's types
 * declare module "adgen-sdk" {
 *   interface ExtraJobFields {
 *     created_at?: string;
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: users add to it
export interface ExtraJobFields {}

/** The fields that every job has. */
export interface JobFields extends ExtraJobFields {
  /** Identifier of the job. */
  job_id: string;
}

/** A job as the response to its submission shows it. */
export interface SubmittedJob<A extends Action = Action> extends JobFields {
  /** Identifier of the job; hand it, or the whole job, to `pollJob`. */
  job_id: JobId<A>;
  /** State of the new job: `"queued"`, by the API's document. */
  status: JobStatus;
}

/** A job that has not finished. */
export interface UnfinishedJob extends JobFields {
  /** State of the job: not finished. */
  status: "queued" | "processing";
  /** Always absent. It lets you read `job.error` before you check `job.status`. */
  error?: undefined;
}

/** A job that has finished with a result. */
export interface CompletedJob<R = unknown> extends JobFields {
  /** State of the job: finished, with a result. */
  status: "completed";
  /** What the job generated, typed and checked by your schema for the action. @assumed A9 */
  result: R;
  /** Always absent. It lets you read `job.error` before you check `job.status`. */
  error?: undefined;
}

/** A job that has failed. The call that returns it has succeeded: nothing is thrown. */
export interface FailedJob extends JobFields {
  /** State of the job: finished, without a result. */
  status: "failed";
  /** Reason of the failure, if the service gives one. @assumed A8 */
  error?: string;
}

/** A job that will not change any more. */
export type FinishedJob<R = unknown> = CompletedJob<R> | FailedJob;

/**
 * A job: a union on `status`. A status the API's document does not name is passed through
 * as received and reported to `hooks.onDrift`; it is neither a success nor a failure.
 */
export type Job<R = unknown> = UnfinishedJob | FinishedJob<R>;

const localPictures = [
  /^(\.{0,2}[/\\]|~|[a-z]:|file:|blob:)/i, // "./x.png", "C:\\x.png", "file:…"
  /^[^:]+\.(png|jpe?g|webp|gif|avif|heic|bmp|tiff?|svg)$/i, // "x.png"
  /^[\w+/=\s]{100,}$/, // base64 without "data:image/png;base64," before it
];

/**
 * Whether an entry of `images` can only be a file's path or bare base64. The service can't read
 * either one, and would generate something else for the same price.
 */
export const isLocalPicture = (text: string): boolean =>
  // A data URL may have megabytes, and its first characters decide.
  localPictures.some((pattern) => pattern.test(text.slice(0, 1_000)));

/**
 * Returns the listed jobs that a lost submission may have made: jobs that `isFree` accepts and
 * whose action may match. A list need not show actions, or may use names we don't know.
 */
export const candidatesOf = (
  listed: readonly Job[],
  action: unknown,
  isFree: (job: Job, index: number) => boolean,
): readonly Job[] =>
  listed.filter((job, index) => {
    const { action: shown } = job as { readonly action?: unknown };
    return (!isAction(shown) || action === undefined || shown === action) && isFree(job, index);
  });
