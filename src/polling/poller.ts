import { memoryOf } from "../request/job-memory.ts";
import { type JobReader, type JobRef, readJobRef } from "../request/job-ref.ts";
import { firstPollAt, isLastPoll, lastPollMs, type PollResult } from "./advance.ts";
import { createLoader } from "./loader.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { newTicket } from "./poll-ticket.ts";
import { applyPoll, readProgress } from "./progress.ts";
import { createSchedule } from "./schedule/durations.ts";
import { createClock, createSemaphore, roundingMs, type Wait, wake } from "./wait.ts";
import { abortedWait } from "./wait-errors.ts";
import { listenToPage, listenToWaker } from "./waker.ts";

/** A page that comes back has its waits poll, where their last poll is older. */
const freshMs = 1_000;

/** A woken wait polls once in this time at most. */
const wakePaceMs = 100;

/** Creates what the waits of a client share, and the loop that each of them runs. */
const createPoller = (reader: JobReader) => {
  const memory = memoryOf(reader);
  const clock = createClock();
  const usualSemaphore = createSemaphore();
  /** The one that has polled singly longest ago is the first. */
  const waits = new Set<Wait>();
  let leavePage = () => {};

  const durations = memory?.durations ?? createSchedule();

  const refetchOnFocus = (): void => {
    const now = clock.now();
    for (const wait of waits) {
      if (now - wait.polledAt < freshMs) continue;
      wait.pollAt = Math.min(wait.pollAt, now);
      wait.resume?.();
    }
  };

  /** Listens to the signals of all waits: hundreds may share one. */
  const resumeAborted = (): void => {
    for (const { config, resume } of waits) if (config.signal?.aborted) resume?.();
  };

  const isHeard = (signal: AbortSignal | undefined): boolean => {
    for (const { config } of waits) if (config.signal === signal) return true;
    return false;
  };

  const loader = createLoader(reader, clock, waits);

  /** Sleeps until the next poll is due, and polls. A list may show the job meanwhile. */
  const pollWhenDue = async (wait: Wait): Promise<PollResult> => {
    const { config, ticket, semaphore } = wait;
    const { deadlineAt } = ticket;
    let lastEndsAt: number | undefined;
    wait.seen = undefined;
    try {
      for (let sleptUntil = 0; ; ) {
        const now = Math.max(clock.now(), sleptUntil);
        const isLast = isLastPoll(ticket, now);
        if (config.signal?.aborted) throw abortedWait(ticket, now, config.signal);
        // No list hides the end of a job from its last poll.
        const { seen } = wait as Wait;
        if (seen && (seen.error || !isLastPoll(ticket, seen.askedAt))) return seen;
        if (wait.mustPoll) {
          wait.pollAt = Math.min(wait.pollAt, Math.max(now, wait.polledAt + wakePaceMs));
        }
        const dueAt = Math.min(Math.max(wait.pollAt, loader.heldUntil(wait)), deadlineAt);
        if (dueAt - now > roundingMs) {
          semaphore.release(wait);
          sleptUntil = await clock.sleep(wait, dueAt);
          continue;
        }
        // The time of a last poll counts from when it was due.
        lastEndsAt ??= Math.max(deadlineAt, now) + lastPollMs(ticket);
        if (lastEndsAt - now <= roundingMs) return seen ?? { askedAt: now };
        const lastListUntil = lastEndsAt - lastPollMs(ticket) / 2;
        if (loader.mayShare(wait, now, lastListUntil)) {
          void loader.share();
          sleptUntil = await clock.sleep(wait, isLast ? lastListUntil : deadlineAt);
        } else if (semaphore.acquire(wait)) {
          return await loader.poll(wait, isLast ? lastEndsAt : deadlineAt);
        } else sleptUntil = await clock.sleep(wait, lastEndsAt);
      }
    } finally {
      semaphore.release(wait);
    }
  };

  return {
    /** It does nothing before it runs. */
    createWait: (ref: JobRef, config: PollConfig, semaphore = usualSemaphore): Wait => {
      const now = clock.start();
      const fresh = newTicket(ref, now, config.timeoutMs);
      const submission = memory?.submissionOf(fresh.jobId ?? "");
      const { id, action: ownAction } = readJobRef(ref);
      const action = submission?.action ?? ownAction;
      const answeredAt = submission?.answeredAt;
      const ticket = {
        ...fresh,
        action: typeof action === "string" ? action : undefined,
        submittedAt: answeredAt && now - Math.max(0, performance.now() - answeredAt),
      };
      const pollAt = firstPollAt(ticket, submission?.retryAfterMs, { now, config, durations });
      return {
        // The client may have forgotten its action before the job has finished.
        ref: action === undefined ? ref : ({ job_id: id, action } as JobRef),
        config,
        semaphore,
        ticket,
        polledAt: now,
        pollAt,
        mustPoll: false,
      };
    },

    readProgress: (wait: Wait): WaitProgress =>
      readProgress(wait, durations, clock.now(), loader.heldUntil(wait)),

    /** Polls until the job has finished; by steps, until it is seen: at the deadline, with an error. */
    run: async (wait: Wait, isStepwise = false) => {
      const { signal, waker } = wait.config;
      if (waits.size === 0) leavePage = listenToPage(refetchOnFocus);
      waits.add(wait);
      signal?.addEventListener("abort", resumeAborted);
      const stopListening = listenToWaker(waker, wait.ticket.jobId ?? "", () => wake(wait));
      try {
        // Waits that begin at one moment are counted first: many share a list.
        await undefined;
        for (;;) {
          const seen = await pollWhenDue(wait);
          const step = applyPoll(wait, seen, durations, clock.now(), loader.heldUntil(wait));
          const { error, job = isStepwise ? seen.job : undefined } = step;
          if (error !== undefined || job !== undefined) return { error, job };
        }
      } finally {
        stopListening();
        waits.delete(wait);
        // Old polyfills have no such method.
        if (!isHeard(signal)) signal?.removeEventListener?.("abort", resumeAborted);
        if (waits.size === 0) {
          loader.reset();
          leavePage();
        }
      }
    },
  };
};

const pollers = new WeakMap<JobReader, ReturnType<typeof createPoller>>();

/** Returns the poller of `client.jobs`: one for all its waits. */
export const pollerOf = (reader: JobReader): ReturnType<typeof createPoller> => {
  const poller = pollers.get(reader) ?? createPoller(reader);
  pollers.set(reader, poller);
  return poller;
};
