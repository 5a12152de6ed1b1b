import { isFinished, type Job } from "../contract/jobs.ts";
import { notify } from "../hooks.ts";
import type { WaitProgress } from "./poll-options.ts";
import { estimate } from "./schedule/plan.ts";
import type { Look, Wait } from "./wait.ts";

/** Tells how far a wait has come; it comes no further once its job has finished. */
export const progressOf = (wait: Wait, now: number): WaitProgress => {
  const { durations, action, looks, lastJob, lookedAt } = wait;
  const hasFinished = lastJob !== undefined && isFinished(lastJob.status);
  const elapsedMs = Math.round((hasFinished ? lookedAt : now) - wait.bornAt);
  if (hasFinished) return { elapsedMs, looks, estimate: { expectedMs: elapsedMs, percent: 100 } };
  const nextLookInMs = Math.round(Math.max(0, Math.min(wait.nextAt, wait.deadlineAt) - now));
  return {
    elapsedMs,
    looks,
    nextLookInMs,
    estimate: estimate({ durations, action, waitedMs: elapsedMs }),
  };
};

/** Tells a wait's observers of a look; the failure that ends the wait is thrown instead. */
export const tellObservers = (
  wait: Wait,
  { job, failure }: Look,
  error: unknown,
  now: number,
): void => {
  const { onUpdate, onLookFailed } = wait.config;
  if (failure !== undefined && failure !== error) {
    notify("onLookFailed", onLookFailed, failure);
  }
  if (job === undefined || onUpdate === undefined) return;
  const progress = progressOf(wait, now);
  notify("onUpdate", (seen: Job) => onUpdate(seen, progress), job);
};
