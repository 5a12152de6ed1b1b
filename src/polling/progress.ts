import { isFinished, type Job } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { notify } from "../hooks.ts";
import type { Seen } from "./advance.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { bornAt, type WaitTicket } from "./poll-ticket.ts";
import type { LearnedDurations, RunningJob } from "./schedule/durations.ts";
import { estimate } from "./schedule/next-poll.ts";

/** Times of a wait beside its ticket. */
interface ProgressTimes {
  readonly durations: LearnedDurations;
  readonly openTimes?: RunningJob["openTimes"];
  readonly now: number;
  readonly polledAt: number;
  readonly pollAt: number;
}

/** Says how far a wait has come; it comes no further once its job has finished. */
export const progressOf = (
  ticket: WaitTicket,
  { now, polledAt, pollAt, ...learned }: ProgressTimes,
): WaitProgress => {
  const { action, polls, lastJob, deadlineAt, percent = 0 } = ticket;
  const hasFinished = lastJob !== undefined && isFinished(lastJob.status);
  const elapsedMs = Math.max(0, Math.round((hasFinished ? polledAt : now) - bornAt(ticket)));
  if (hasFinished) return { elapsedMs, polls, estimate: { expectedMs: elapsedMs, percent: 100 } };
  const guess = estimate({ ...learned, action, waitedMs: elapsedMs });
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

/** Tells the observers of a poll. A failure that ends the wait is thrown instead. */
export const tellObservers = (
  { onUpdate, onPollFailed }: PollConfig,
  { job, error }: Seen,
  ending: AnyAdGenError | undefined,
  progress: () => WaitProgress,
): void => {
  if (error !== undefined && error !== ending) notify("onPollFailed", onPollFailed, error);
  if (job === undefined || onUpdate === undefined) return;
  const now = progress();
  notify("onUpdate", (seen: Job) => onUpdate(seen, now), job);
};
