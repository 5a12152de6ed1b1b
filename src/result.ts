import { type AnyAdGenError, isAdGenError } from "./errors/errors.ts";

/** A value, or the error that stands in its place. */
export type Result<Data> =
  | { readonly ok: true; readonly data: Data; readonly error?: undefined }
  | { readonly ok: false; readonly error: AnyAdGenError; readonly data?: undefined };

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
