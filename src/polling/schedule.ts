/** What the wait before the next look is decided by. */
export interface ScheduleInput {
  /** How many looks there have been. */
  readonly looks: number;
  readonly intervalMs: number;
  readonly maxIntervalMs: number;
  /** The wait the last answer asked for. */
  readonly retryAfterMs: number | undefined;
  /** Whether the last look showed a queued or processing job; else it failed, or made no sense. */
  readonly unfinished: boolean;
}

/** Longer waits than this, asked for beside an unfinished job, are taken for a mistake. */
const plausibleRetryAfterMs = 60_000;

const growth = 1.5;
const jitter = 0.2;

/**
 * The wait before the next look, before it is cut to the deadline. Beside an unfinished job
 * `Retry-After` takes the interval's place, zero included; after a failure it may only
 * lengthen the wait, so that a service in trouble is never asked sooner.
 */
export const nextWaitMs = (
  { looks, intervalMs, maxIntervalMs, retryAfterMs, unfinished }: ScheduleInput,
  random: () => number = Math.random,
): number => {
  const grown = Math.min(Math.max(1, intervalMs) * growth ** (looks - 1), maxIntervalMs);
  const interval = grown * (1 - jitter + 2 * jitter * random());
  if (retryAfterMs === undefined) return interval;
  if (!unfinished) return Math.max(interval, retryAfterMs);
  return retryAfterMs <= plausibleRetryAfterMs ? retryAfterMs : interval;
};
