import { isFinished } from "../contract/jobs.ts";
import { callSafely, notify } from "../hooks.ts";
import { advance, type PollResult, type WaitStep } from "./advance.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { bornAt, type WaitTicket } from "./poll-ticket.ts";
import type { Schedule } from "./schedule/durations.ts";
import type { Estimate } from "./schedule/plan.ts";

/** What polls change of a wait. */
export interface WaitState {
  readonly config: PollConfig;
  ticket: WaitTicket;
  /** Time of its last poll; of its start, before the first. */
  polledAt: number;
  pollAt: number;
}

/** The guess of the caller, for the first job of an action. */
const estimateBy = ({ expectedMs }: PollConfig, elapsedMs: number): Estimate | undefined =>
  expectedMs === undefined
    ? undefined
    : {
        expectedMs: Math.max(expectedMs, elapsedMs),
        percent: Math.min(99, Math.floor((100 * elapsedMs) / expectedMs)),
      };

/**
 * Returns the progress of a wait, and notes its percent: what other jobs teach meanwhile does not
 * lower it. It no longer changes once the job has finished.
 *
 * @param heldUntil - Time until which the next poll is held up
 */
export const readProgress = (
  wait: WaitState,
  durations: Schedule,
  now: number,
  heldUntil = 0,
): WaitProgress => {
  const { ticket, polledAt } = wait;
  const { action, polls, lastJob, deadlineAt, percent = 0 } = ticket;
  const hasFinished = lastJob !== undefined && isFinished(lastJob.status);
  const elapsedMs = Math.max(0, Math.round((hasFinished ? polledAt : now) - bornAt(ticket)));
  if (hasFinished) return { elapsedMs, polls, estimate: { expectedMs: elapsedMs, percent: 100 } };
  const pollAt = Math.min(Math.max(wait.pollAt, heldUntil), deadlineAt);
  const known = durations.estimate(action, elapsedMs) ?? estimateBy(wait.config, elapsedMs);
  const estimate = known && {
    expectedMs: Math.round(known.expectedMs),
    percent: Math.max(known.percent, percent),
  };
  if (estimate) wait.ticket = { ...ticket, percent: estimate.percent };
  return { elapsedMs, polls, nextPollInMs: Math.round(Math.max(0, pollAt - now)), estimate };
};

/** Advances a wait by a poll, learns from it, and calls the observers. */
export const applyPoll = (
  wait: WaitState,
  seen: PollResult,
  durations: Schedule,
  now: number,
  heldUntil?: number,
): WaitStep => {
  const { config } = wait;
  const { onUpdate, onPollFailed } = config;
  const { job, error } = seen;
  const step = advance(wait.ticket, seen, { now, config, durations });
  wait.ticket = step.ticket;
  wait.polledAt = now;
  wait.pollAt = step.pollAt ?? now;
  if (step.duration !== undefined) durations.add(step.ticket.action ?? "", step.duration);
  // A failure that ends the wait is thrown instead.
  if (error !== undefined && error !== step.error) notify("onPollFailed", onPollFailed, error);
  if (job && onUpdate) {
    const progress = readProgress(wait, durations, now, heldUntil);
    callSafely("onUpdate", () => onUpdate(job, progress));
  }
  return step;
};
