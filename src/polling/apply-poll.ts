import { callSafely, notify } from "../hooks.ts";
import { advance, type PollResult, type WaitStep } from "./advance.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { ageOf, type WaitTicket } from "./poll-ticket.ts";

export const progressOf = (ticket: WaitTicket, now: number): WaitProgress => ({
  elapsedMs: Math.round(ageOf(ticket, now)),
  polls: ticket.polls,
});

/** Advances a wait by a poll, and calls the observers. */
export const applyPoll = (
  before: WaitTicket,
  seen: PollResult,
  config: PollConfig,
  now: number,
): WaitStep => {
  const { onUpdate, onPollFailed } = config;
  const { job, error } = seen;
  const step = advance(before, seen, { now, config });
  // A failure that ends the wait is thrown instead.
  if (error !== undefined && error !== step.error) notify("onPollFailed", onPollFailed, error);
  if (job && onUpdate) {
    const progress = progressOf(step.ticket, now);
    callSafely("onUpdate", () => onUpdate(job, progress));
  }
  return step;
};
