import { memoryOf } from "../request/job-memory.ts";
import { type JobReader, type JobRef, readJobRef } from "../request/job-ref.ts";
import { maxTimerMs } from "../sleep.ts";
import { firstPollAt, isLastPoll, lastPollMs, type PollResult, type WaitStep } from "./advance.ts";
import { applyPoll, progressOf } from "./apply-poll.ts";
import { listenToPage } from "./page-focus.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { newTicket, type WaitTicket } from "./poll-ticket.ts";
import { readOnce } from "./read-job.ts";
import { createListing } from "./share-lists.ts";
import { abortedWait } from "./wait-errors.ts";

/** A page that comes back has its waits poll, where their last poll is older. */
const freshMs = 1_000;

/** Sums of fractions differ in their last digits: that is no millisecond more. */
const roundingMs = 0.01;

/** Pause after a 429 without a `Retry-After`. */
const usualPauseMs = 1_000;

/** A place in the line for a poll. */
interface Turn {
  /** Ends the sleep of a wait, which then looks at everything again. */
  resume: () => void;
}

/** Limits the polls under way at once. The others queue, first in first out. */
export const createSemaphore = (size = 6) => {
  const holders = new Set<Turn>();
  const queue = new Set<Turn>();
  return {
    /** Whether the wait may poll. If not, it is queued, and resumed when it may. */
    acquire: (turn: Turn): boolean => {
      if (holders.size < size) holders.add(turn);
      else if (!holders.has(turn)) queue.add(turn);
      return holders.has(turn);
    },
    /** Passes the place on to the next, or takes the wait out of the queue. */
    release: (turn: Turn): void => {
      queue.delete(turn);
      const [next] = queue;
      if (!holders.delete(turn) || next === undefined) return;
      queue.delete(next);
      holders.add(next);
      next.resume();
    },
  };
};

export type Semaphore = ReturnType<typeof createSemaphore>;

const createShared = (reader: JobReader) => {
  const common = {
    semaphore: createSemaphore(),
    /** A 429 holds up every wait until then. */
    pausedUntil: 0,
    pause: (retryAfterMs: number = usualPauseMs): void => {
      common.pausedUntil = Math.max(common.pausedUntil, performance.now() + retryAfterMs);
    },
    listing: createListing(reader, (retryAfterMs) => common.pause(retryAfterMs)),
  };
  return common;
};

const shared = new WeakMap<JobReader, ReturnType<typeof createShared>>();

/** What all waits of a client share. */
const sharedOf = (reader: JobReader): ReturnType<typeof createShared> => {
  const known = shared.get(reader) ?? createShared(reader);
  shared.set(reader, known);
  return known;
};

/** A wait for one job. */
export interface Wait {
  readonly ticket: WaitTicket;
  readonly progress: () => WaitProgress;
  /** Sleeps until a poll is due, polls, and decides what follows. */
  readonly step: () => Promise<WaitStep>;
}

/** Creates a wait, which does nothing before its first step. */
export const createWait = (
  reader: JobReader,
  given: JobRef,
  config: PollConfig,
  semaphore: Semaphore = sharedOf(reader).semaphore,
): Wait => {
  const common = sharedOf(reader);
  const { signal } = config;
  const turn: Turn = { resume: () => {} };
  let hasEnded = false;
  /** Fake timers may stand still: what was slept counts. */
  let sleptUntil = 0;
  const now = (): number => Math.max(performance.now(), sleptUntil);

  const startedAt = now();
  const fresh = newTicket(given, startedAt, config.timeoutMs);
  const submission = memoryOf(reader)?.submissionOf(fresh.jobId ?? "");
  const { id, action: ownAction } = readJobRef(given);
  const action = submission?.action ?? ownAction;
  const ticket = {
    ...fresh,
    action: typeof action === "string" ? action : undefined,
    submittedAt: submission?.answeredAt && Math.min(startedAt, submission.answeredAt),
  };
  // The client may have forgotten its action before the job has finished.
  const ref = action === undefined ? given : ({ job_id: id, action } as JobRef);
  const wait = {
    ticket: ticket as WaitTicket,
    jobId: fresh.jobId,
    resume: () => turn.resume(),
    polledAt: startedAt,
    pollAt: firstPollAt(ticket, submission?.retryAfterMs, { now: startedAt, config }),
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
      turn.resume = end;
    });

  const ask = async (askedAt: number, endsAt: number): Promise<PollResult> => {
    const seen = await readOnce(reader, ref, endsAt - askedAt, signal);
    if (seen.error?.status === 429) common.pause(seen.retryAfterMs);
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
        const dueAt = Math.min(Math.max(wait.pollAt, common.pausedUntil), deadlineAt);
        if (dueAt > time) {
          semaphore.release(turn);
          await sleepUntil(dueAt);
          continue;
        }
        // The time of a last poll counts from when it was due.
        lastEndsAt ??= Math.max(deadlineAt, time) + lastPollMs(wait.ticket);
        if (lastEndsAt <= time) return { askedAt: time };
        if (semaphore.acquire(turn)) {
          return await ask(time, isLastPoll(wait.ticket, time) ? lastEndsAt : deadlineAt);
        }
        await sleepUntil(lastEndsAt);
      }
    } finally {
      semaphore.release(turn);
    }
  };

  return Object.assign(wait, {
    progress: () => progressOf(wait.ticket, hasEnded ? wait.polledAt : now()),
    step: async () => {
      const resume = (): void => turn.resume();
      const leavePage = listenToPage(() => {
        const time = now();
        if (time - wait.polledAt < freshMs) return;
        wait.pollAt = Math.min(wait.pollAt, time);
        resume();
      });
      signal?.addEventListener("abort", resume);
      common.listing.join(wait);
      try {
        const seen = await poll();
        const step = applyPoll(wait.ticket, seen, config, now());
        wait.ticket = step.ticket;
        wait.polledAt = now();
        wait.pollAt = step.pollAt ?? now();
        hasEnded = step.pollAt === undefined;
        return step;
      } finally {
        signal?.removeEventListener("abort", resume);
        common.listing.leave(wait);
        leavePage();
      }
    },
  });
};
