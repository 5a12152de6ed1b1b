import type { Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { JobReader } from "../resources/job-ref.ts";
import type { Clock } from "./clock.ts";

/** Limits of the list. The largest that the service allows is not documented. @assumed A4 */
const [smallestLimit, usualLimit, largestLimit] = [20, 1_000, 10_000];

/** A reader that may also list jobs, as `client.jobs` does. */
interface JobLister extends JobReader {
  list?(query: { limit?: number }, options: CallOptions): Promise<Page<Job>>;
}

/** Jobs, as one list shows them. */
export interface ListedJobs {
  readonly jobs: ReadonlyMap<unknown, Job>;
  /** A list with a larger limit may show more. */
  readonly wasCut: boolean;
  readonly retryAfterMs: number | undefined;
}

/** Reads the list with a limit by which it shows all jobs that are waited for. */
export const createJobList = (reader: JobReader, clock: Clock) => {
  const lister: JobLister = reader;
  /** It does not shrink while waits end, because the last of them may be for the oldest jobs. */
  let limit = smallestLimit;
  /** The largest limit that was not refused; 0 where the service takes none. */
  let most = largestLimit;

  /** Tells whether a list failed by its limit. The next one is smaller, or has none. */
  const mayShrink = (error: AnyAdGenError): boolean => {
    const isRefused = error.code === "bad_request";
    const isTooLarge = error.code === "decode" && error.reason === "too-large";
    if (most === 0 || !(isRefused || isTooLarge)) return false;
    const isSmallest = limit <= smallestLimit;
    most = isRefused ? 0 : Math.max(smallestLimit, Math.floor(limit / 4));
    return isRefused || !isSmallest;
  };

  const read = async (waits: number, endsAt: number, signal: AbortSignal): Promise<ListedJobs> => {
    limit = Math.min(Math.max(limit, Math.min(2 * waits, usualLimit)), most || limit);
    let retryAfterMs: number | undefined;
    try {
      const { items } = await (lister as Required<JobLister>).list(most > 0 ? { limit } : {}, {
        signal,
        totalTimeoutMs: Math.max(1, endsAt - clock.now()),
        maxRetries: 0,
        onResponse: (response) => {
          retryAfterMs = response.retryAfterMs;
        },
      });
      // The first of several with one id is the newest.
      const jobs = new Map([...items].reverse().map((job) => [job.job_id, job]));
      return { jobs, wasCut: most > limit && items.length >= limit, retryAfterMs };
    } catch (error) {
      if (!isAdGenError(error) || signal.aborted || !mayShrink(error)) throw error;
      return read(waits, endsAt, signal);
    }
  };

  return {
    isThere: () => typeof lister.list === "function",
    read,
    grow: (): void => {
      limit = Math.min(4 * limit, most);
    },
    /** Begins anew with small lists, because nothing waits any more. */
    reset: (): void => {
      limit = smallestLimit;
    },
  };
};
