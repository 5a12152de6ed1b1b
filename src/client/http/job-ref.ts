import type { Action } from "../../contract/actions.ts";
import type { Job, JobId } from "../../contract/jobs.ts";
import { actionOf } from "../internal/job-memory.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { usableId } from "../options/rules.ts";
import type { StandardSchema } from "../options/standard-schema.ts";

/** The type of an action's result: the output of your schema, or `unknown` without a schema. */
export type ResultOf<S extends ClientSchemas, A extends Action> = [A] extends [never]
  ? unknown
  : A extends Action
    ? S extends { results: { [K in A]: StandardSchema<unknown, infer Output> } }
      ? Output
      : unknown
    : never;

/**
 * A reference to a job: its id, or an object that holds it. If the action is known, the result is
 * typed and checked. The client knows the action of a job object that `submit` returned, and of the
 * last 10,000 ids that it submitted.
 */
export type JobRef<A extends Action = Action> =
  | string
  | JobId<A>
  | {
      readonly job_id: string | JobId<A>;
      readonly action?: A | undefined;
      /**
       * Always absent, so that the compiler refuses the promise of a job, which must be awaited
       * first.
       */
      readonly then?: never;
    };

/** Reads a {@link JobRef} without checking it. The call itself refuses an unusable id. */
export const readJobRef = (ref: unknown): { id: unknown; action: unknown } => {
  // An object without a `job_id` is passed on, so that the refusal describes the object.
  if (typeof ref !== "object" || ref === null || !("job_id" in ref)) {
    return { id: ref, action: undefined };
  }
  const { job_id: id, action } = ref as { job_id?: unknown; action?: unknown };
  return { id, action: action ?? actionOf(ref) };
};

/** Returns the id of a job for its errors, or `undefined` if the reference holds no usable id. */
export const usableIdOf = (ref: unknown): string | undefined => usableId(readJobRef(ref).id);

declare const schemasOfClient: unique symbol;

/** The part of a client that a wait needs. In tests, you can write one by hand. */
export interface PollClient<S extends ClientSchemas = ClientSchemas> {
  /** Gets the jobs, one by one. */
  readonly jobs: {
    /**
     * Absent at run time. It carries the client's schemas in its type, so that `pollJob(client,
     * job)` can infer the type of the job's result.
     */
    readonly [schemasOfClient]?: S;
    /** Gets a job as it is now. */
    get(job: JobRef, options?: CallOptions): Promise<Job>;
  };
}

/** The part of `client.jobs` that a wait needs. */
export type JobReader<S extends ClientSchemas = ClientSchemas> = PollClient<S>["jobs"];
