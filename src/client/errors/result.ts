import type { FinishedJob } from "../../contract/jobs.ts";
import { type AnyAdGenError, isAdGenError } from "./errors.ts";

/** A value, or the error that stands in its place. */
export type Result<Data> =
  | { readonly ok: true; readonly data: Data; readonly error?: undefined }
  | { readonly ok: false; readonly error: AnyAdGenError; readonly data?: undefined };

/**
 * The end of one of many requests or jobs: its finished job, or the error that stands in its place.
 */
export type RequestResult<R = unknown> =
  | {
      /** Place of the request, or of the job, in the list that was given, from 0. */
      readonly index: number;
      /** Id of the job. */
      readonly jobId: string;
      readonly ok: true;
      /** The completed or failed job: a failed one is an answer, not an error. */
      readonly data: FinishedJob<R>;
      readonly error?: undefined;
    }
  | {
      /** Place of the request, or of the job, in the list that was given, from 0. */
      readonly index: number;
      /** Id of the job, where there is one that is known: wait for it with `pollJob`. */
      readonly jobId?: string | undefined;
      readonly ok: false;
      /** The failed submission, which has an `outcome`, or the wait that gave up, which has none. */
      readonly error: AnyAdGenError;
      readonly data?: undefined;
    };

/**
 * Turns a promise of this library into one that does not reject with an error of this library.
 * Any other error is a bug somewhere, and rejects as before.
 *
 * @example
 * const result = await toResult(client.jobs.get(id));
 * if (result.ok) use(result.data);
 * else console.log(result.error.code);
 */
export const toResult = async <Data>(promise: PromiseLike<Data>): Promise<Result<Data>> => {
  try {
    return { ok: true, data: await promise };
  } catch (error) {
    if (isAdGenError(error)) return { ok: false, error };
    throw error;
  }
};
