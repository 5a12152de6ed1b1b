import { isJobStatus } from "../contract/jobs.ts";
import type { PollConfig } from "./poll-options.ts";
import { jitterOf, nextWaitMs } from "./schedule/pace.ts";
import { nextLookAt } from "./schedule/plan.ts";
import { type Look, startOf, type Wait } from "./wait.ts";

/** Says how much time the last look gets, which begins at the deadline. */
export const lastLookMsOf = ({ timeoutMs }: PollConfig): number =>
  Math.min(5_000, Math.max(500, timeoutMs / 4));

/** Says when the time of a last look is over. The time in line, or in a list, is part of it. */
export const lastLookEndsAt = ({ config, deadlineAt, askedAt }: Wait): number =>
  Math.max(deadlineAt, askedAt) + lastLookMsOf(config);

/** Tells whether a wait was woken, or has just begun and finds no line of single looks. */
export const looksAtOnce = (wait: Wait): boolean =>
  wait.wasWoken || (wait.looks === 0 && wait.nextAt - startOf(wait) < 0.001 && wait.gate.free > 0);

/** The quickest pace of looks at the list, where no wait asks for a quicker one. */
const listPaceMs = 1_000;

/** Says how far two looks at the list are apart: a little more, so that more waits are due. */
export const listPaceOf = (waits: Iterable<Wait>): number => {
  let paceMs = listPaceMs;
  for (const { config } of waits) paceMs = Math.min(paceMs, config.leastWaitMs ?? paceMs);
  return 1.15 * paceMs;
};

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
