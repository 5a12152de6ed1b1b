import { isFinished } from "../contract/jobs.ts";
import { notify } from "../hooks.ts";
import { type AdvanceContext, advance, type Seen, type Step } from "./advance.ts";
import { addDuration } from "./own-durations.ts";
import type { WaitProgress } from "./poll-options.ts";
import { bornAt, type WaitTicket } from "./poll-ticket.ts";
import type { Lessons } from "./schedule/durations.ts";
import { estimate } from "./schedule/next-poll.ts";

interface ProgressContext extends Lessons {
  readonly now: number;
  readonly polledAt: number;
  readonly pollAt: number;
}

/** Says how far a wait has come; it comes no further once its job has finished. */
export const progressOf = (
  ticket: WaitTicket,
  { now, polledAt, pollAt, ...lessons }: ProgressContext,
): WaitProgress => {
  const { action, polls, lastJob, deadlineAt, percent = 0 } = ticket;
  const hasFinished = lastJob !== undefined && isFinished(lastJob.status);
  const elapsedMs = Math.max(0, Math.round((hasFinished ? polledAt : now) - bornAt(ticket)));
  if (hasFinished) return { elapsedMs, polls, estimate: { expectedMs: elapsedMs, percent: 100 } };
  const guess = estimate({ ...lessons, action, waitedMs: elapsedMs });
  return {
    elapsedMs,
    polls,
    nextPollInMs: Math.round(Math.max(0, Math.min(pollAt, deadlineAt) - now)),
    estimate: guess && {
      expectedMs: Math.round(guess.expectedMs),
      percent: Math.max(guess.percent, percent),
    },
  };
};

/** Notes the percent: what other jobs teach meanwhile does not take it back. */
export const notePercent = (ticket: WaitTicket, { estimate: told }: WaitProgress): WaitTicket => ({
  ...ticket,
  percent: told?.percent ?? ticket.percent,
});

/** Consequence of a poll that its observers have not been told of. */
interface Conclusion extends Step {
  readonly tellObservers: () => void;
}

/**
 * Draws the conclusion from a poll, and learns from it.
 *
 * @param heldUntil - Time before which there is no next poll
 */
export const conclude = (
  before: WaitTicket,
  seen: Seen,
  { config, ...context }: AdvanceContext,
  heldUntil = 0,
): Conclusion => {
  const { job, error } = seen;
  const { onUpdate, onPollFailed } = config;
  const step = advance(before, seen, { config, ...context });
  const { ticket, duration, pollAt = 0 } = step;
  if (duration !== undefined) addDuration(context.durations, ticket.action, duration);
  const times = { polledAt: context.now, pollAt: Math.max(pollAt, heldUntil) };
  const progress = job && onUpdate ? progressOf(ticket, { ...context, ...times }) : undefined;
  return {
    ...step,
    ticket: progress === undefined ? ticket : notePercent(ticket, progress),
    tellObservers: () => {
      // A failure that ends the wait is thrown instead.
      if (error !== undefined && error !== step.error) notify("onPollFailed", onPollFailed, error);
      if (job && progress) notify("onUpdate", () => onUpdate?.(job, progress), job);
    },
  };
};
