import { isJobStatus } from "../contract/jobs.ts";
import type { PollConfig } from "./poll-options.ts";
import { nextWaitMs } from "./schedule/pace.ts";
import { nextLookAt } from "./schedule/plan.ts";
import type { Look, Wait } from "./wait.ts";

/** Says how much time the last look gets, which begins at the deadline. */
export const lastLookMsOf = ({ timeoutMs }: PollConfig): number =>
  Math.min(5_000, Math.max(500, timeoutMs / 4));

/** The quickest pace of looks at the list, where no wait asks for a quicker one. */
const listPaceMs = 1_000;

/** Says how far two looks at the list are apart: a tenth more, so that more waits are due. */
export const listPaceOf = (waits: Iterable<Wait>): number => {
  let paceMs = listPaceMs;
  for (const { config } of waits) paceMs = Math.min(paceMs, config.leastWaitMs ?? paceMs);
  return 1.1 * paceMs;
};

/** A spread of planned looks, so that many clients do not look at the same moment. */
const jitterOf = (distanceMs: number, targetDelayMs = 1_000): number =>
  (2 * Math.random() - 1) * Math.min(distanceMs / 2, targetDelayMs / 5);

const middle = () => 0.5;

/** Says how long to wait from `waitedMs` after the job's birth on. */
const intervalAt = (wait: Wait, waitedMs: number): number => {
  const { config, durations, action, blindLooks } = wait;
  const { targetDelayMs } = config;
  if (blindLooks > 0) {
    return nextWaitMs(config, {
      looks: blindLooks,
      retryAfterMs: undefined,
      isUnfinished: false,
      isRateLimited: false,
      leftMs: 0,
    });
  }
  const planned = nextLookAt({ durations, action, waitedMs, targetDelayMs }) - waitedMs;
  return Math.min(planned + jitterOf(planned, targetDelayMs), config.longestWaitMs);
};

/** Says how long to wait after a look, or after the submission. */
export const waitAfter = (
  wait: Wait,
  { job, failure, retryAfterMs }: Pick<Look, "job" | "failure" | "retryAfterMs">,
  now: number,
  waitedMs: number,
): number => {
  const { config } = wait;
  const last = {
    looks: Math.max(1, wait.looks),
    retryAfterMs,
    isUnfinished: failure === undefined && (job === undefined || isJobStatus(job.status)),
    isRateLimited: failure?.status === 429,
    leftMs: wait.deadlineAt - now,
  };
  if (config.isPaceForced) return nextWaitMs(config, last);
  const intervalMs = intervalAt(wait, waitedMs);
  return nextWaitMs({ intervalMs, maxIntervalMs: intervalMs }, last, middle);
};
