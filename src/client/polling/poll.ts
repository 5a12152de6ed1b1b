import { isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import type { JobReader, JobRef, PollClient } from "../http/job-ref.ts";
import type { CallOptions } from "../options/call-options.ts";
import { callObserver, callSafely } from "../options/hooks.ts";
import { refuseArgument } from "../options/rules.ts";
import { advance, type PollResult, type WaitStep } from "./advance.ts";
import { durationsOf } from "./durations.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { actionIn, ageOf, type WaitTicket } from "./poll-ticket.ts";

/** Returns `client.jobs`, or refuses what has no `jobs.get`. */
export const readerOf = (owner: string, client: PollClient, then = "the job"): JobReader => {
  if (typeof client?.jobs?.get !== "function") {
    refuseArgument(`${owner} takes a client first, and then ${then}; got ${describeValue(client)}`);
  }
  return client.jobs;
};

/**
 * Gets a job once, and returns the job or the error. Rethrows anything that isn't one of our
 * errors.
 */
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

export const progressOf = (ticket: WaitTicket, now: number, hasEnded = false): WaitProgress => {
  const { polls, expectedMs } = ticket;
  const elapsedMs = Math.round(ageOf(ticket, now));
  const soFar = expectedMs && Math.min(0.99, elapsedMs / expectedMs);
  return { elapsedMs, polls, expectedMs, fraction: hasEnded ? 1 : soFar };
};

/** Advances a wait by a poll, and calls the observers. */
export const applyPoll = (
  reader: JobReader,
  before: WaitTicket,
  seen: PollResult,
  config: PollConfig,
  now: number,
): WaitStep => {
  const { onUpdate, onPollFailed } = config;
  const { job, error } = seen;
  const durations = durationsOf(reader, before.action ?? actionIn(job));
  const step = advance(before, seen, { now, config, durations });
  // A failure that ends the wait is thrown, and isn't reported as a failed poll.
  if (error !== undefined && error !== step.error)
    callObserver("onPollFailed", onPollFailed, error);
  if (job && onUpdate) {
    const progress = progressOf(step.ticket, now, step.pollAt === undefined);
    callSafely("onUpdate", () => onUpdate(job, progress));
  }
  return step;
};
