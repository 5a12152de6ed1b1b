import { isJobStatus } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { countFailure, isFatal, isLasting, type LastingFailure } from "../polling/failures.ts";
import type { LearnedDurations } from "../polling/schedule/durations.ts";
import { nextPollAt } from "../polling/schedule/next-poll.ts";
import { jitterOf, type LastPoll, nextWaitMs } from "../polling/schedule/pace.ts";
import { reviveError } from "./error-record.ts";
import type { SubmissionRecord } from "./records.ts";
import type { FailedLook } from "./submission.ts";

/** The pace of looks after failures, as that of `pollJob` without options. */
const failurePace = { intervalMs: 1_000, maxIntervalMs: 10_000 };

/** A planned wait has its spread already. */
const middle = () => 0.5;

/** Gives the wait from the submission's answer to the first look, in milliseconds. */
export type FirstWait = (record: SubmissionRecord) => number;

/** A look, as far as the time of the next one depends on it. */
export interface LookedAt {
  readonly action: string;
  /** Time since the submission, in milliseconds. */
  readonly waitedMs: number;
  readonly status: string;
  readonly polls: number;
  readonly retryAfterMs: number | undefined;
  /** Time that is left of the wait. */
  readonly leftMs: number;
}

/** Says when to look, by the same rules as `pollJob`. */
export const createLookTimes = (durations: LearnedDurations, targetDelayMs: number | undefined) => {
  const waitAfter = (action: string, waitedMs: number, last: LastPoll): number => {
    const planned = nextPollAt({ durations, action, waitedMs, targetDelayMs }) - waitedMs;
    const intervalMs = planned + jitterOf(planned, targetDelayMs);
    return nextWaitMs({ intervalMs, maxIntervalMs: intervalMs }, last, middle);
  };

  return {
    /** A `Retry-After` of the submission's answer takes the plan's place. */
    first: ({ action, submittedAt, retryAfterMs }: SubmissionRecord): number => {
      // Nobody knows how long the job of a lost submission has been under way.
      if (submittedAt === undefined) return 0;
      const waitedMs = Math.max(0, Date.now() - submittedAt);
      const askedMs = retryAfterMs && Math.max(0, retryAfterMs - waitedMs);
      const last = { polls: 1, retryAfterMs: askedMs, isRateLimited: false, leftMs: 0 };
      return waitAfter(action, waitedMs, { ...last, isUnfinished: true });
    },
    /** Wait after a look that saw the job unfinished. */
    next: ({ action, waitedMs, status, ...last }: LookedAt): number =>
      waitAfter(action, waitedMs, {
        ...last,
        isUnfinished: isJobStatus(status),
        isRateLimited: false,
      }),
    /** Wait after a failed look; a service in trouble is never asked sooner than it says. */
    afterFailure: (
      { retryAfterMs, status }: AnyAdGenError,
      failures: number,
      leftMs: number,
    ): number =>
      nextWaitMs(failurePace, {
        polls: failures,
        retryAfterMs,
        isUnfinished: false,
        isRateLimited: status === 429,
        leftMs,
      }),
  };
};

/** The times of looks. */
export type LookTimes = ReturnType<typeof createLookTimes>;

/** Failures of one kind, beyond which only the first and the last ones matter. */
const keptFailures = 8;

/**
 * Tells whether the last of these failures ends the wait, by the same rules as `pollJob`. Each look
 * may be another worker's: what the rules must remember stands with the job.
 */
export const endsWait = (failures: readonly FailedLook[], wasSeen: boolean): boolean => {
  let lasting: LastingFailure | undefined;
  return failures.some(({ error, elapsedMs }) => {
    const failure = reviveError(error);
    lasting = countFailure(lasting, failure, { wasSeen, elapsedMs });
    return isFatal(failure, { wasSeen, elapsedMs }) || isLasting(lasting, elapsedMs);
  });
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
