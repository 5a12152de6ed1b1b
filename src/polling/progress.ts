import { isFinished } from "../contract/jobs.ts";
import { notify } from "../hooks.ts";
import type { Seen, Step } from "./advance.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { bornAt, type WaitTicket } from "./poll-ticket.ts";
import type { Schedule } from "./schedule/durations.ts";

interface ProgressContext {
  readonly durations: Schedule;
  readonly now: number;
  readonly polledAt: number;
  readonly pollAt: number;
}

/** Says how far a wait has come; it comes no further once its job has finished. */
export const progressOf = (
  ticket: WaitTicket,
  { now, polledAt, pollAt, durations }: ProgressContext,
): WaitProgress => {
  const { action, polls, lastJob, deadlineAt, percent = 0 } = ticket;
  const hasFinished = lastJob !== undefined && isFinished(lastJob.status);
  const elapsedMs = Math.max(0, Math.round((hasFinished ? polledAt : now) - bornAt(ticket)));
  if (hasFinished) return { elapsedMs, polls, estimate: { expectedMs: elapsedMs, percent: 100 } };
  const guess = durations.estimate(action, elapsedMs);
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

/** Learns from a poll, and tells its observers. */
export const tell = (
  { job, error }: Seen,
  { ticket, duration, error: end }: Step,
  { onUpdate, onPollFailed }: PollConfig,
  durations: Schedule,
  progress: () => WaitProgress,
): void => {
  if (duration !== undefined) durations.add(ticket.action ?? "", duration);
  // A failure that ends the wait is thrown instead.
  if (error !== undefined && error !== end) notify("onPollFailed", onPollFailed, error);
  if (job && onUpdate) {
    const now = progress();
    notify("onUpdate", () => onUpdate(job, now), job);
  }
};
