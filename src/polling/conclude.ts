import { notify } from "../hooks.ts";
import { type AdvanceContext, advance, type Seen, type Step } from "./advance.ts";
import { addDuration } from "./own-durations.ts";
import type { WaitTicket } from "./poll-ticket.ts";
import { notePercent, progressOf } from "./progress.ts";

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
