import { isAdGenError } from "../errors/errors.ts";
import type { JobReader, JobRef } from "../resources/job-ref.ts";
import type { Seen } from "./advance.ts";

/** Gets a job once; what is no error of this library is thrown. */
export const readJob = async (
  reader: JobReader,
  ref: JobRef,
  {
    askedAt,
    ...limits
  }: { askedAt: number; signal?: AbortSignal | undefined; totalTimeoutMs: number },
): Promise<Seen> => {
  let retryAfterMs: number | undefined;
  try {
    const job = await reader.get(ref, {
      ...limits,
      maxRetries: 0,
      onResponse: (response) => {
        retryAfterMs = response.retryAfterMs;
      },
    });
    return { job, retryAfterMs, askedAt };
  } catch (error) {
    if (!isAdGenError(error)) throw error;
    return { error, retryAfterMs, askedAt };
  }
};

/** The longest time of the last poll, which begins at the deadline. */
export const lastPollMs = (timeoutMs: number): number =>
  Math.min(5_000, Math.max(500, timeoutMs / 4));
