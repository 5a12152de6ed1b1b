import { isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import type { CallOptions } from "../options/call-options.ts";
import { refuseArgument } from "../options/rules.ts";
import type { JobReader, JobRef, PollClient } from "../request/job-ref.ts";
import type { PollResult } from "./advance.ts";

/** Returns `client.jobs`, or refuses what has no `jobs.get`. */
export const readerOf = (owner: string, client: PollClient, then = "the job"): JobReader => {
  if (typeof client?.jobs?.get !== "function") {
    refuseArgument(`${owner} takes a client first, and then ${then}; got ${describeValue(client)}`);
  }
  return client.jobs;
};

/** Gets a job once, and returns what came of it. Throws what is no error of this library. */
export const readOnce = async (
  reader: JobReader,
  ref: JobRef,
  totalTimeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Pick<PollResult, "job" | "error" | "retryAfterMs">> => {
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
    return { job: await reader.get(ref, options), retryAfterMs };
  } catch (error) {
    if (!isAdGenError(error)) throw error;
    return { error, retryAfterMs };
  }
};
