import type { ClientSchemas } from "../config.ts";
import type { Action } from "../contract/actions.ts";
import type { JobId } from "../contract/jobs.ts";
import type { SchemaOutput, StandardSchema } from "../standard-schema.ts";

/** The type of an action's result: your schema's, or `unknown` where there is none. */
export type ResultOf<S extends ClientSchemas, A extends Action> = [A] extends [never]
  ? unknown
  : A extends Action
    ? S extends { results: { [K in A]: infer R extends StandardSchema } }
      ? SchemaOutput<R>
      : unknown
    : never;

/**
 * Names a job: its id, or anything that holds it. With the action, its result is typed and
 * checked; jobs that this client submitted are known to it.
 */
export type JobRef<A extends Action = Action> =
  | string
  | JobId<A>
  | { readonly job_id: string | JobId<A>; readonly action?: A | undefined };
