import type { ClientSchemas } from "../config.ts";
import type { Action } from "../contract/actions.ts";
import type { JobId, JobStatus } from "../contract/jobs.ts";
import type { SchemaOutput, StandardSchema } from "../standard-schema.ts";

/** The type of an action's result: your schema's, or `unknown` where there is none. */
export type ResultOf<S extends ClientSchemas, A extends Action> = [A] extends [never]
  ? unknown
  : A extends Action
    ? S extends { results: { [K in A]: infer R extends StandardSchema } }
      ? SchemaOutput<R>
      : unknown
    : never;

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

/**
 * Names a job: its id, or anything that holds it. With the action, its result is typed and
 * checked; jobs that this client submitted are known to it.
 */
export type JobRef<A extends Action = Action> =
  | string
  | JobId<A>
  | { readonly job_id: string | JobId<A>; readonly action?: A };
