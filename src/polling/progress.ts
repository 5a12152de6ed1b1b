import { isFinished, type Job } from "../contract/jobs.ts";
import { notify } from "../hooks.ts";
import type { WaitProgress } from "./poll-options.ts";
import { estimate } from "./schedule/plan.ts";
import type { Look, Wait } from "./wait.ts";

/**
 * Tells how far a wait has come; it comes no further once its job has finished. What other jobs
 * teach meanwhile does not take its percent back.
 *
 * @param blockedUntil - Time until which a 429 holds up all looks
 */
export const progressOf = (wait: Wait, now: number, blockedUntil: number): WaitProgress => {
  const { durations, action, looks, lastJob, lookedAt } = wait;
  const hasFinished = lastJob !== undefined && isFinished(lastJob.status);
  const elapsedMs = Math.round((hasFinished ? lookedAt : now) - wait.bornAt);
  if (hasFinished) return { elapsedMs, looks, estimate: { expectedMs: elapsedMs, percent: 100 } };
  const nextAt = Math.min(Math.max(wait.nextAt, blockedUntil), wait.deadlineAt);
  const guess = estimate({ durations, action, waitedMs: elapsedMs });
  wait.percent = Math.max(wait.percent, guess?.percent ?? 0);
  return {
    elapsedMs,
    looks,
    nextLookInMs: Math.round(Math.max(0, nextAt - now)),
    estimate: guess && { expectedMs: Math.round(guess.expectedMs), percent: wait.percent },
  };
};

/** Tells a wait's observers of a look; the failure that ends the wait is thrown instead. */
export const tellObservers = (
  wait: Wait,
  { job, failure }: Look,
  error: unknown,
  now: number,
  blockedUntil: number,
): void => {
  const { onUpdate, onLookFailed } = wait.config;
  if (failure !== undefined && failure !== error) {
    notify("onLookFailed", onLookFailed, failure);
  }
  if (job === undefined || onUpdate === undefined) return;
  const progress = progressOf(wait, now, blockedUntil);
  notify("onUpdate", (seen: Job) => onUpdate(seen, progress), job);
};
