import { memoryOf } from "../http/job-memory.ts";
import { type JobReader, type JobRef, readJobRef } from "../http/job-ref.ts";
import { createLimit, type Limit } from "../limit.ts";
import { maxTimerMs } from "../sleep.ts";
import {
  expectedMsOf,
  firstPollAt,
  isLastPoll,
  lastPollMs,
  leastWaitMs,
  type PollResult,
  type WaitStep,
} from "./advance.ts";
import { durationsOf, noteDuration } from "./durations.ts";
import { applyPoll, progressOf, readOnce } from "./poll.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { newTicket, type WaitTicket } from "./poll-ticket.ts";
import { abortedWait } from "./wait-errors.ts";
import { subscribe } from "./wake.ts";

/** Sums of fractions differ in their last digits: that is no millisecond more. */
const roundingMs = 0.01;

/** Pause after a 429 without a `Retry-After`. */
const usualPauseMs = 1_000;

/**
 * A job that is finished at its first poll may be quicker than all before. Without this, that poll
 * would never come sooner, however quick the service has become.
 */
const partOfFirst = 0.75;

/** What the waits of one call share. Those of separate calls share nothing. */
export interface WaitGroup {
  /** Places for their requests. */
  readonly limit: Limit;
  /** A 429 holds all of them up until then. */
  pausedUntil: number;
}

export const createWaitGroup = (concurrency: number): WaitGroup => ({
  limit: createLimit(concurrency),
  pausedUntil: 0,
});

/** A wait for one job. */
export interface Wait {
  readonly ticket: WaitTicket;
  readonly progress: () => WaitProgress;
  /** Sleeps until a poll is due, polls, and decides what follows. */
  readonly step: () => Promise<WaitStep>;
  /** Ends what wakes it. */
  readonly end: () => void;
}

/** Creates a wait, which does nothing before its first step. */
export const createWait = (
  reader: JobReader,
  given: JobRef,
  config: PollConfig,
  group: WaitGroup = createWaitGroup(Number.POSITIVE_INFINITY),
): Wait => {
  const { signal } = config;
  /** Ends the sleep of the wait, which then looks at everything again. */
  let endSleep = (): void => {};
  const resume = (): void => endSleep();
  let hasEnded = false;
  let isWoken = false;
  /** Fake timers may stand still: what was slept counts. */
  let sleptUntil = 0;
  const now = (): number => Math.max(performance.now(), sleptUntil);

  const startedAt = now();
  const fresh = newTicket(given, startedAt, config.timeoutMs);
  const submission = memoryOf(reader)?.submissionOf(fresh.jobId ?? "");
  const { id, action: ownAction } = readJobRef(given);
  const action = submission?.action ?? ownAction;
  const known = typeof action === "string" ? action : undefined;
  const context = { now: startedAt, config, durations: durationsOf(reader, known) };
  const ticket: WaitTicket = {
    ...fresh,
    action: known,
    expectedMs: expectedMsOf(context),
    submittedAt: submission?.answeredAt && Math.min(startedAt, submission.answeredAt),
  };
  // The client may have forgotten its action before the job has finished.
  const ref = action === undefined ? given : ({ job_id: id, action } as JobRef);
  const wait = {
    ticket,
    polledAt: startedAt,
    pollAt: firstPollAt(ticket, submission?.retryAfterMs, context),
  };

  const sleepUntil = (time: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const onTime = (): void => {
        sleptUntil = time;
        end();
      };
      const timer = setTimeout(onTime, Math.min(maxTimerMs, Math.ceil(time - now() - roundingMs)));
      endSleep = end;
    });

  const ask = async (askedAt: number, endsAt: number): Promise<PollResult> => {
    const seen = await readOnce(reader, ref, endsAt - askedAt, signal);
    if (seen.error?.status === 429) {
      const untilAt = now() + (seen.retryAfterMs ?? usualPauseMs);
      group.pausedUntil = Math.max(group.pausedUntil, untilAt);
    }
    return { ...seen, askedAt };
  };

  /** Sleeps until the next poll is due, and polls. */
  const poll = async (): Promise<PollResult> => {
    const { deadlineAt } = wait.ticket;
    let lastEndsAt: number | undefined;
    try {
      for (;;) {
        const time = now();
        if (signal?.aborted) throw abortedWait(wait.ticket, time, signal);
        const plannedAt = isWoken ? wait.polledAt + leastWaitMs : wait.pollAt;
        const dueAt = Math.min(Math.max(plannedAt, group.pausedUntil), deadlineAt);
        if (dueAt > time) {
          group.limit.leave(resume);
          await sleepUntil(dueAt);
          continue;
        }
        // The time of a last poll counts from when it was due.
        lastEndsAt ??= Math.max(deadlineAt, time) + lastPollMs(wait.ticket);
        if (lastEndsAt <= time) return { askedAt: time };
        if (group.limit.enter(resume)) {
          isWoken = false;
          return await ask(time, isLastPoll(wait.ticket, time) ? lastEndsAt : deadlineAt);
        }
        await sleepUntil(lastEndsAt);
      }
    } finally {
      group.limit.leave(resume);
    }
  };

  /** A job has completed between the last two polls: the middle counts. */
  const noteEnd = ({ lastJob }: WaitTicket, { action, submittedAt }: WaitTicket): void => {
    if (submittedAt === undefined) return;
    const wasSeen = lastJob !== undefined;
    // The first poll of a wait that began late says nothing.
    if (!wasSeen && startedAt - submittedAt > usualPauseMs) return;
    const middleMs = (wait.polledAt + now()) / 2 - submittedAt;
    const firstMs = partOfFirst * (now() - submittedAt);
    noteDuration(reader, action, wasSeen ? middleMs : firstMs);
  };

  return Object.assign(wait, {
    end: subscribe(config.wake, () => {
      isWoken = true;
      resume();
    }),
    progress: () => progressOf(wait.ticket, hasEnded ? wait.polledAt : now(), hasEnded),
    step: async () => {
      signal?.addEventListener("abort", resume);
      try {
        const seen = await poll();
        const before = wait.ticket;
        const step = applyPoll(reader, wait.ticket, seen, config, now());
        if (step.job?.status === "completed") noteEnd(before, step.ticket);
        wait.ticket = step.ticket;
        wait.polledAt = now();
        wait.pollAt = step.pollAt ?? now();
        hasEnded = step.pollAt === undefined;
        return step;
      } finally {
        signal?.removeEventListener("abort", resume);
      }
    },
  });
};
