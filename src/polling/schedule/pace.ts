import type { PollConfig } from "../poll-options.ts";

/** A longer wait than this, asked for beside an unfinished job, is taken for a mistake. */
const plausibleRetryAfterMs = 60_000;

/** The first polls may follow each other at once, where options or the service say so. */
const promptPolls = 20;

/** The least distance of later polls: no option makes a hot loop. */
const leastWaitMs = 100;

const growth = 1.5;
const jitter = 0.2;

/** A spread of planned polls, so that many clients do not poll the same moment. */
export const jitterOf = (distanceMs: number, targetDelayMs = 1_000): number =>
  (2 * Math.random() - 1) * Math.min(distanceMs / 2, targetDelayMs / 5);

/** The poll that was made last, as far as the next one depends on it. */
export interface LastPoll {
  /** Number of polls so far. */
  readonly polls: number;
  /** Wait that the answer asked for. */
  readonly retryAfterMs: number | undefined;
  /** It showed a queued or processing job. */
  readonly isUnfinished: boolean;
  /** The service said that there were too many requests. */
  readonly isRateLimited: boolean;
  /** Time that is left of the wait. */
  readonly leftMs: number;
}

/** Beside an unfinished job, `Retry-After` takes the interval's place, zero included. */
const waitForJob = (intervalMs: number, retryAfterMs: number, polls: number): number => {
  if (retryAfterMs > plausibleRetryAfterMs) return intervalMs;
  return polls > promptPolls ? Math.max(intervalMs, retryAfterMs) : retryAfterMs;
};

/**
 * After a failure, or beside a status that makes no sense, `Retry-After` may only lengthen the
 * wait: a service in trouble is never asked sooner. A wait that leads beyond the deadline is not
 * slept out, because the job may finish long before: the next poll comes within a minute. A rate
 * limit counts whatever it says, since it is about this caller.
 */
const waitAfterFailure = (
  intervalMs: number,
  retryAfterMs: number,
  { isRateLimited, leftMs }: LastPoll,
): number => {
  const fits = retryAfterMs < leftMs;
  const waitMs = fits || isRateLimited ? retryAfterMs : Math.min(plausibleRetryAfterMs, leftMs / 4);
  return Math.max(intervalMs, waitMs);
};

/** Gives an interval that grows, for a forced pace and after failures. */
export const backOff = (
  { intervalMs, maxIntervalMs }: Pick<PollConfig, "intervalMs" | "maxIntervalMs">,
  polls: number,
  random: () => number = Math.random,
): number => {
  // From a millisecond at least, as zero would not grow.
  const grownMs = Math.min(Math.max(1, intervalMs) * growth ** (polls - 1), maxIntervalMs);
  return grownMs * (1 + jitter * (2 * random() - 1));
};

/** Says how long to wait before the next poll; the wait is then cut to the deadline. */
export const nextWaitMs = (intervalMs: number, last: LastPoll): number => {
  const { polls, retryAfterMs, isUnfinished } = last;
  const boundMs = polls > promptPolls ? Math.max(leastWaitMs, intervalMs) : intervalMs;
  if (retryAfterMs === undefined) return boundMs;
  return isUnfinished
    ? waitForJob(boundMs, retryAfterMs, polls)
    : waitAfterFailure(boundMs, retryAfterMs, last);
};
