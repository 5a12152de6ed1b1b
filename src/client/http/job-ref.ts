import type { Action } from "../../contract/actions.ts";
import type { Job, JobId } from "../../contract/jobs.ts";
import { actionOf } from "../internal/job-memory.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { problemOfId } from "../options/ids.ts";
import type { StandardSchema } from "../options/standard-schema.ts";

/** The type of an action's result: your schema's, or `unknown` where there is none. */
export type ResultOf<S extends ClientSchemas, A extends Action> = [A] extends [never]
  ? unknown
  : A extends Action
    ? S extends { results: { [K in A]: StandardSchema<unknown, infer Output> } }
      ? Output
      : unknown
    : never;

/**
 * Names a job: its id, or anything that holds it. With the action, its result is typed and
 * checked. The client knows the action of a job as submitted, and of the last 10,000 ids.
 */
export type JobRef<A extends Action = Action> =
  | string
  | JobId<A>
  | {
      readonly job_id: string | JobId<A>;
      readonly action?: A | undefined;
      /** Never there: a promise of a job is no job. Await it. */
      readonly then?: never;
    };

/** The parts of a {@link JobRef}, unchecked: the call refuses an id that is none. */
export const readJobRef = (ref: unknown): { id: unknown; action: unknown } => {
  // An object without a job_id is refused as what it is.
  if (typeof ref !== "object" || ref === null || !("job_id" in ref)) {
    return { id: ref, action: undefined };
  }
  const { job_id: id, action } = ref as { job_id?: unknown; action?: unknown };
  return { id, action: action ?? actionOf(ref) };
};

/** Id of a job for its errors; `undefined` where the reference holds none that can be used. */
export const usableIdOf = (ref: unknown): string | undefined => {
  const { id } = readJobRef(ref);
  return problemOfId(id) === undefined ? String(id) : undefined;
};

declare const schemasOfClient: unique symbol;

/** The part of a client that a wait needs. A test can write one by hand. */
export interface PollClient<S extends ClientSchemas = ClientSchemas> {
  /** The jobs of the client, which the wait gets one by one. */
  readonly jobs: {
    /**
     * Never there at run time. Types read the client's schemas from here: `pollJob(client, job)`
     * finds `S` in its client, and from it the type of the job's result.
     */
    readonly [schemasOfClient]?: S;
    /** Gets a job as it is now. */
    get(job: JobRef, options?: CallOptions): Promise<Job>;
  };
}

/** The part of `client.jobs` that a wait needs. */
export type JobReader<S extends ClientSchemas = ClientSchemas> = PollClient<S>["jobs"];
