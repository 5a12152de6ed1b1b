import type { PollConfig } from "./poll-options.ts";

/** Longer waits than this, asked for beside an unfinished job, are taken for a mistake. */
const plausibleRetryAfterMs = 60_000;

/** After so many looks, an answer that goes on asking for sooner ones is taken for another. */
const promptLooks = 50;

const growth = 1.5;
const jitter = 0.2;

/**
 * The wait before the next look, before it is cut to the deadline. Beside an unfinished job
 * `Retry-After` takes the interval's place, zero included; after a failure, or a status that
 * makes no sense, it may only lengthen the wait: a service in trouble is never asked sooner.
 *
 * @param looks How many there have been.
 * @param retryAfterMs The wait the last answer asked for.
 * @param unfinished Whether the last look showed a queued or processing job.
 */
export const nextWaitMs = (
  { intervalMs, maxIntervalMs }: Pick<PollConfig, "intervalMs" | "maxIntervalMs">,
  looks: number,
  retryAfterMs: number | undefined,
  unfinished: boolean,
  random: () => number = Math.random,
): number => {
  // From a millisecond at least, as zero would not grow.
  const grown = Math.min(Math.max(1, intervalMs) * growth ** (looks - 1), maxIntervalMs);
  const interval = grown * (1 + jitter * (2 * random() - 1));
  if (retryAfterMs === undefined) return interval;
  if (!unfinished) return Math.max(interval, retryAfterMs);
  if (retryAfterMs > plausibleRetryAfterMs) return interval;
  return looks > promptLooks ? Math.max(interval, retryAfterMs) : retryAfterMs;
};
