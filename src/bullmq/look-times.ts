import { isJobStatus } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { createFailureWatch } from "../polling/failed-looks.ts";
import type { LearnedDurations } from "../polling/schedule/durations.ts";
import { nextLookAt } from "../polling/schedule/plan.ts";
import { reviveError } from "./error-record.ts";
import type { SubmissionRecord } from "./records.ts";
import type { FailedLook } from "./submission.ts";

/** A longer wait than this, asked for beside an unfinished job, is taken for a mistake. */
const plausibleRetryAfterMs = 60_000;

/** Looks after which no answer makes the next one come at once. */
const promptLooks = 20;
const leastWaitMs = 100;

const firstFailureWaitMs = 1_000;
const longestFailureWaitMs = 10_000;
const growth = 1.5;

/** Gives the wait from the submission's answer to the first look, in milliseconds. */
export type FirstWait = (record: SubmissionRecord) => number;

/** A look, as far as the time of the next one depends on it. */
export interface LookedAt {
  readonly action: string;
  /** Time since the submission, in milliseconds. */
  readonly waitedMs: number;
  readonly status: string;
  readonly looks: number;
  readonly retryAfterMs: number | undefined;
}

/** Says when to look, by the same rules as `pollJob`. */
export const createLookTimes = (durations: LearnedDurations, targetDelayMs: number | undefined) => {
  const planned = (action: string, waitedMs: number): number =>
    nextLookAt({ durations, action, waitedMs, targetDelayMs }) - waitedMs;

  return {
    /** A `Retry-After` of the submission's answer takes the plan's place. */
    first: ({ action, submittedAt, retryAfterMs }: SubmissionRecord): number => {
      // Nobody knows how long the job of a lost submission has been under way.
      if (submittedAt === undefined) return 0;
      const waitedMs = Math.max(0, Date.now() - submittedAt);
      return retryAfterMs !== undefined && retryAfterMs <= plausibleRetryAfterMs
        ? Math.max(0, retryAfterMs - waitedMs)
        : planned(action, waitedMs);
    },
    /** Wait after a look that saw the job unfinished. */
    next: ({ action, waitedMs, status, looks, retryAfterMs }: LookedAt): number => {
      const wait = planned(action, waitedMs);
      if (retryAfterMs === undefined) return wait;
      // Beside a status that makes no sense, the service is never asked sooner.
      if (!isJobStatus(status)) return Math.max(wait, retryAfterMs);
      if (retryAfterMs > plausibleRetryAfterMs) return wait;
      return Math.max(looks > promptLooks ? leastWaitMs : 0, retryAfterMs);
    },
    /** Wait after a failed look; a service in trouble is never asked sooner than it says. */
    afterFailure: (
      { retryAfterMs = 0 }: AnyAdGenError,
      failures: number,
      leftMs: number,
    ): number => {
      const grown = Math.min(longestFailureWaitMs, firstFailureWaitMs * growth ** (failures - 1));
      const asked = retryAfterMs < leftMs ? retryAfterMs : plausibleRetryAfterMs;
      return Math.max(grown * (0.8 + 0.4 * Math.random()), asked);
    },
  };
};

/** The times of looks. */
export type LookTimes = ReturnType<typeof createLookTimes>;

/** Failures of one kind, beyond which only the first and the last ones matter. */
const keptFailures = 6;

/**
 * Tells whether the last of these failures ends the wait, by the same rules as `pollJob`. Each look
 * may be another worker's: what the rules must remember stands with the job.
 */
export const endsWait = (failures: readonly FailedLook[], wasSeen: boolean): boolean => {
  const watch = createFailureWatch();
  return failures
    .map(({ error, elapsedMs }) => watch.endsWait(reviveError(error), { wasSeen, elapsedMs }))
    .includes(true);
};

/** Adds a failure; of many, the first and the last ones stay. */
export const addFailure = (
  failures: readonly FailedLook[],
  failure: FailedLook,
): readonly FailedLook[] => {
  const all = [...failures, failure];
  const half = keptFailures / 2;
  return all.length > keptFailures ? [...all.slice(0, half), ...all.slice(-half)] : all;
};
