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

export interface LastPoll {
  readonly polls: number;
  readonly retryAfterMs: number | undefined;
  /** It showed a queued or processing job. */
  readonly isUnfinished: boolean;
  readonly isRateLimited: boolean;
  readonly leftMs: number;
}

/** Says how long to wait before the next poll; the wait is then cut to the deadline. */
export const nextWaitMs = (
  intervalMs: number,
  { polls, retryAfterMs, isUnfinished, isRateLimited, leftMs }: LastPoll,
): number => {
  const isPrompt = polls <= promptPolls;
  const ownMs = isPrompt ? intervalMs : Math.max(leastWaitMs, intervalMs);
  if (retryAfterMs === undefined) return ownMs;
  if (isUnfinished) {
    // The service knows its job: its wait takes the interval's place, zero included.
    if (retryAfterMs > plausibleRetryAfterMs) return ownMs;
    return isPrompt ? retryAfterMs : Math.max(ownMs, retryAfterMs);
  }
  // A service in trouble is never asked sooner. A wait beyond the deadline is not slept out, because
  // the job may finish long before. A rate limit counts, since it is about this caller.
  const isKept = isRateLimited || retryAfterMs < leftMs;
  return Math.max(ownMs, isKept ? retryAfterMs : Math.min(plausibleRetryAfterMs, leftMs / 4));
};
