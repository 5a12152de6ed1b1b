import { isFinished } from "../contract/jobs.ts";
import { callSafely, notify } from "../hooks.ts";
import type { PollResult, WaitStep } from "./advance.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { bornAt, type WaitTicket } from "./poll-ticket.ts";
import type { Schedule } from "./schedule/durations.ts";

interface ProgressContext {
  readonly durations: Schedule;
  readonly now: number;
  readonly polledAt: number;
  readonly pollAt: number;
}

/** It no longer changes once the job has finished. */
export const progressOf = (
  ticket: WaitTicket,
  { now, polledAt, pollAt, durations }: ProgressContext,
): WaitProgress => {
  const { action, polls, lastJob, deadlineAt, percent = 0 } = ticket;
  const hasFinished = lastJob !== undefined && isFinished(lastJob.status);
  const elapsedMs = Math.max(0, Math.round((hasFinished ? polledAt : now) - bornAt(ticket)));
  if (hasFinished) return { elapsedMs, polls, estimate: { expectedMs: elapsedMs, percent: 100 } };
  const estimate = durations.estimate(action, elapsedMs);
  return {
    elapsedMs,
    polls,
    nextPollInMs: Math.round(Math.max(0, Math.min(pollAt, deadlineAt) - now)),
    estimate: estimate && {
      expectedMs: Math.round(estimate.expectedMs),
      percent: Math.max(estimate.percent, percent),
    },
  };
};

/** Notes the percent: what other jobs teach meanwhile does not lower it. */
export const withPercent = (ticket: WaitTicket, { estimate }: WaitProgress): WaitTicket => ({
  ...ticket,
  percent: estimate?.percent ?? ticket.percent,
});

/** Learns from a poll, and calls its observers. */
export const reportPoll = (
  { job, error }: PollResult,
  { ticket, duration, error: end }: WaitStep,
  { onUpdate, onPollFailed }: PollConfig,
  durations: Schedule,
  progress: () => WaitProgress,
): void => {
  if (duration !== undefined) durations.add(ticket.action ?? "", duration);
  // A failure that ends the wait is thrown instead.
  if (error !== undefined && error !== end) notify("onPollFailed", onPollFailed, error);
  if (job && onUpdate) {
    const current = progress();
    callSafely("onUpdate", () => onUpdate(job, current));
  }
};
