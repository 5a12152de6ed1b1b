import type { JobRef } from "../request/job-ref.ts";
import { maxTimerMs } from "../sleep.ts";
import type { PollResult } from "./advance.ts";
import type { WaitState } from "./progress.ts";

/** One wait in this process. Its times are of the poller's clock. */
export interface Wait extends WaitState {
  readonly ref: JobRef;
  readonly semaphore: Semaphore;
  /** Its next poll is a GET of its job, as soon as possible. */
  mustPoll: boolean;
  /** What a list has just shown of its job. */
  seen?: PollResult | undefined;
  /** When a list first showed the job finished. */
  listedAt?: number | undefined;
  /** Looks at the time, and at everything else, again. Absent while the wait is not asleep. */
  resume?: (() => void) | undefined;
}

/** Has a wait GET its job, now or as soon as the pace of wakes allows. */
export const wake = (wait: Wait): void => {
  wait.mustPoll = true;
  wait.resume?.();
};

/** Sums of fractions differ in their last digits: that is no millisecond more. */
export const roundingMs = 0.001;

/**
 * Creates a clock of `performance`. What was slept counts even where that stands still or begins
 * anew, as under some fake timers.
 */
export const createClock = () => {
  let seenMs = performance.now();
  let addedMs = 0;
  let sleptUntilMs = seenMs;

  /** Milliseconds from some start; it never goes back. */
  const now = (): number => {
    const lastMs = seenMs;
    seenMs = performance.now();
    addedMs += Math.max(0, lastMs - seenMs);
    return Math.max(seenMs + addedMs, sleptUntilMs);
  };

  /**
   * Sleeps until a time, and keeps the process alive meanwhile. Returns that time, which the clock
   * may not show yet under some fake timers, or 0 where the wait was resumed before.
   */
  const sleep = (wait: Wait, until: number): Promise<number> =>
    new Promise((resolve) => {
      // Fake timers may be put in place, or taken away, before it ends.
      const { setTimeout, clearTimeout } = globalThis;
      const ms = Math.min(maxTimerMs, Math.max(0, Math.ceil(until - now() - roundingMs)));
      const endsAt = sleptUntilMs + ms;
      const end = (time: number): void => {
        wait.resume = undefined;
        resolve(time);
      };
      const timer = setTimeout(() => {
        sleptUntilMs = Math.max(sleptUntilMs, endsAt);
        end(until);
      }, ms);
      wait.resume = () => {
        clearTimeout(timer);
        end(0);
      };
    });

  return {
    now,
    sleep,
    /** Returns the time. From then on, what is slept counts. */
    start: (): number => {
      sleptUntilMs = now();
      return sleptUntilMs;
    },
  };
};

export type Clock = ReturnType<typeof createClock>;

/** Limits the waits that GET at once. The others queue, first in first out. */
export const createSemaphore = (size = 6) => {
  const holders = new Set<Wait>();
  const queue = new Set<Wait>();
  return {
    /** Whether the wait may GET. If not, it is queued, and resumed when it may. */
    acquire: (wait: Wait): boolean => {
      if (holders.size < size) holders.add(wait);
      else if (!holders.has(wait)) queue.add(wait);
      return holders.has(wait);
    },
    /** Passes the wait's place on to the next, or takes it out of the queue. */
    release: (wait: Wait): void => {
      queue.delete(wait);
      const [next] = queue;
      if (!holders.delete(wait) || next === undefined) return;
      queue.delete(next);
      holders.add(next);
      next.resume?.();
    },
  };
};

export type Semaphore = ReturnType<typeof createSemaphore>;
