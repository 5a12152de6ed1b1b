import { type JobReader, type JobRef, readJobRef } from "../http/job-ref.ts";
import { memoryOf } from "../internal/job-memory.ts";
import { createLimit, type Limit } from "../internal/limit.ts";
import {
  expectedMsOf,
  firstPollAt,
  isLastPoll,
  lastPollMs,
  minWaitMs,
  type PollResult,
  type WaitStep,
} from "./advance.ts";
import { durationsOf, noteDuration } from "./durations.ts";
import { applyPoll, progressOf, readOnce } from "./poll.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { newTicket, type WaitTicket } from "./poll-ticket.ts";
import { abortedWait } from "./wait-errors.ts";
import { createAlarm, subscribe } from "./wake.ts";

/** Pause after a 429 without a `Retry-After`. */
const defaultPauseMs = 1_000;

/** The state that all waits of one call share. Waits of different calls share nothing. */
export interface WaitGroup {
  /** Bounds the polls under way at once. */
  readonly limit: Limit;
  /** A 429 holds back all polls of the group until this time. */
  pausedUntil: number;
}

export const createWaitGroup = (concurrency: number): WaitGroup => ({
  limit: createLimit(concurrency),
  pausedUntil: 0,
});

/** A wait for one job. */
export interface Wait {
  readonly progress: () => WaitProgress;
  /** Sleeps until a poll is due, polls, and decides what follows. */
  readonly step: () => Promise<WaitStep>;
  /** Ends the wait's subscriptions. */
  readonly end: () => void;
}

/** Adds what the client remembers of the job's submission to a new ticket. */
const openTicket = (reader: JobReader, given: JobRef, config: PollConfig, now: number) => {
  const ticket = newTicket(given, now, config.timeoutMs);
  const submission = memoryOf(reader)?.submissionOf(ticket.jobId ?? "");
  const { id, action: ownAction } = readJobRef(given);
  const action = submission?.action ?? ownAction;
  const known = typeof action === "string" ? action : undefined;
  const context = { now, config, durations: durationsOf(reader, known) };
  const opened: WaitTicket = {
    ...ticket,
    action: known,
    expectedMs: expectedMsOf(context),
    submittedAt: submission?.answeredAt && Math.min(now, submission.answeredAt),
  };
  return {
    ticket: opened,
    // The client may forget the job's action before the job has finished.
    ref: action === undefined ? given : ({ job_id: id, action } as JobRef),
    pollAt: firstPollAt(opened, submission?.retryAfterMs, context),
  };
};

/** Creates a wait, which sends nothing before its first step. */
export const createWait = (
  reader: JobReader,
  given: JobRef,
  config: PollConfig,
  group: WaitGroup = createWaitGroup(Number.POSITIVE_INFINITY),
): Wait => {
  const { signal } = config;
  const { now, sleepUntil, ring } = createAlarm();
  let polledAt = now();
  const { ref, ...opened } = openTicket(reader, given, config, polledAt);
  let { ticket } = opened;
  /** Time of the next poll; `undefined` once the wait has ended. */
  let pollAt: number | undefined = opened.pollAt;
  /** Whether someone has asked for a poll since the last one began. */
  let isWoken = false;

  const ask = async (askedAt: number, endsAt: number): Promise<PollResult> => {
    isWoken = false;
    const seen = await readOnce(reader, ref, endsAt - askedAt, signal);
    if (seen.error?.status === 429) {
      const untilAt = now() + (seen.retryAfterMs ?? defaultPauseMs);
      group.pausedUntil = Math.max(group.pausedUntil, untilAt);
    }
    return { ...seen, askedAt };
  };

  /** Sleeps until the next poll is due and the group has a place for it, and polls. */
  const poll = async (): Promise<PollResult> => {
    const { deadlineAt } = ticket;
    /** End of the last poll. Its time starts when the poll is due, even if it still queues. */
    let lastEndsAt: number | undefined;
    try {
      for (;;) {
        const time = now();
        if (signal?.aborted) throw abortedWait(ticket, time, signal);
        const plannedAt = isWoken ? polledAt + minWaitMs : (pollAt ?? time);
        const dueAt = Math.min(Math.max(plannedAt, group.pausedUntil), deadlineAt);
        if (dueAt > time) {
          group.limit.leave(ring);
          await sleepUntil(dueAt);
          continue;
        }
        lastEndsAt ??= Math.max(deadlineAt, time) + lastPollMs(ticket);
        if (lastEndsAt <= time) return { askedAt: time };
        if (group.limit.enter(ring)) {
          return await ask(time, isLastPoll(ticket, time) ? lastEndsAt : deadlineAt);
        }
        await sleepUntil(lastEndsAt);
      }
    } finally {
      group.limit.leave(ring);
    }
  };

  const wake = (): void => {
    isWoken = true;
    ring();
  };

  return {
    end: subscribe(config.wake, wake, ticket.jobId),
    progress: () =>
      pollAt === undefined ? progressOf(ticket, polledAt, true) : progressOf(ticket, now()),
    step: async () => {
      signal?.addEventListener("abort", ring);
      try {
        const seen = await poll();
        const before = ticket;
        const step = applyPoll(reader, before, seen, config, now());
        ticket = step.ticket;
        if (step.job?.status === "completed") {
          noteDuration({ reader, before, action: ticket.action, polledAt, now: now() });
        }
        polledAt = now();
        pollAt = step.pollAt;
        return step;
      } finally {
        signal?.removeEventListener("abort", ring);
      }
    },
  };
};
