import type { FinishedJob } from "../../contract/jobs.ts";
import { type AnyAdGenError, isAdGenError } from "./errors.ts";

/** A value, or the error of the call that should have returned it. */
export type Result<Data> =
  | { readonly ok: true; readonly data: Data; readonly error?: undefined }
  | { readonly ok: false; readonly error: AnyAdGenError; readonly data?: undefined };

/** The result of one of many requests or jobs: its finished job, or the error. */
export type RequestResult<R = unknown> =
  | {
      /** Place of the request, or of the job, in the list that was given, from 0. */
      readonly index: number;
      /** Id of the job. */
      readonly jobId: string;
      readonly ok: true;
      /** The completed or failed job. A failed job is an answer, not an error. */
      readonly data: FinishedJob<R>;
      readonly error?: undefined;
    }
  | {
      /** Place of the request, or of the job, in the list that was given, from 0. */
      readonly index: number;
      /** Id of the job, if it is known. You can wait for the job with `pollJob`. */
      readonly jobId?: string | undefined;
      readonly ok: false;
      /**
       * The error of the submission, which has an `outcome`, or of the wait, which has no
       * `outcome`.
       */
      readonly error: AnyAdGenError;
      readonly data?: undefined;
    };

/**
 * Turns a promise of this library into one that resolves with a {@link Result}. It still rejects
 * with any other error, which is a bug somewhere.
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
