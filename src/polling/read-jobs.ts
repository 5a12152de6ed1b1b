import type { Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import type { CallOptions } from "../options/call-options.ts";
import { refuseArgument } from "../options/rules.ts";
import type { JobReader, PollClient } from "../request/job-ref.ts";

/** Returns `client.jobs`, or refuses what has no `jobs.get`. */
export const readerOf = (owner: string, client: PollClient, then = "the job"): JobReader => {
  if (typeof client?.jobs?.get !== "function") {
    refuseArgument(`${owner} takes a client first, and then ${then}; got ${describeValue(client)}`);
  }
  return client.jobs;
};

export interface ReadOutcome<Value> {
  readonly value?: Value;
  readonly error?: AnyAdGenError;
  readonly retryAfterMs: number | undefined;
}

/** Sends one request. Throws what is no error of this library. */
export const readOnce = async <Value>(
  request: (options: CallOptions) => Promise<Value>,
  totalTimeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ReadOutcome<Value>> => {
  let retryAfterMs: number | undefined;
  const options: CallOptions = {
    signal,
    totalTimeoutMs: Math.max(1, totalTimeoutMs),
    maxRetries: 0,
    onResponse: (response) => {
      retryAfterMs = response.retryAfterMs;
    },
  };
  try {
    return { value: await request(options), retryAfterMs };
  } catch (error) {
    if (!isAdGenError(error)) throw error;
    return { error, retryAfterMs };
  }
};

/** Limits of the list. The largest that the service allows is not documented. @assumed A4 */
const [smallestLimit, largestLimit] = [20, 10_000];

/** Sends one request, which ends at a time. */
export type Read = <Value>(
  request: (options: CallOptions) => Promise<Value>,
  endsAt: number,
  signal: AbortSignal | undefined,
) => Promise<ReadOutcome<Value>>;

interface JobLister extends JobReader {
  list?(query: { limit?: number }, options: CallOptions): Promise<Page<Job>>;
}

export interface ListedJobs extends Omit<ReadOutcome<never>, "value"> {
  readonly jobs: ReadonlyMap<unknown, Job>;
  /** Makes the next list longer, where the limit may have cut off a job. */
  readonly grow: () => void;
}

/** Asks for lists long enough to show all jobs that are waited for. */
export const createJobList = (lister: JobLister, send: Read) => {
  /** It does not shrink while waits end, because the last of them may be for the oldest jobs. */
  let limit = 0;
  /** The largest limit that was not refused; 0 where the service takes none. */
  let most = largestLimit;

  const read = async (waits: number, endsAt: number, signal: AbortSignal): Promise<ListedJobs> => {
    limit = Math.min(Math.max(limit, 2 * waits, smallestLimit), most);
    const asked = limit;
    const { value, ...outcome } = await send(
      async (options) => lister.list?.(asked > 0 ? { limit: asked } : {}, options),
      endsAt,
      signal,
    );
    const { code, reason }: { code?: string; reason?: string } = outcome.error ?? {};
    const isRefused = code === "bad_request" && asked > 0;
    if (isRefused || (reason === "too-large" && asked > smallestLimit)) {
      most = isRefused ? 0 : Math.max(smallestLimit, Math.floor(asked / 4));
      return read(waits, endsAt, signal);
    }
    const items = value?.items ?? [];
    // The first of several with one id is the newest.
    const jobs = new Map([...items].reverse().map((job) => [job.job_id, job]));
    const grow = () => {
      if (items.length >= asked) limit = 4 * asked;
    };
    return { ...outcome, jobs, grow };
  };

  return {
    isThere: () => typeof lister.list === "function",
    read,
    /** Starts with short lists again. */
    reset: (): void => {
      limit = 0;
    },
  };
};
