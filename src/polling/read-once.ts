import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import type { CallOptions } from "../options/call-options.ts";
import { refuseArgument } from "../options/rules.ts";
import type { JobReader, PollClient } from "../request/job-ref.ts";

/** Gives the reader of a client's jobs; refuses what has no `jobs.get`. */
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

/** Reads once; what is no error of this library is thrown. */
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
