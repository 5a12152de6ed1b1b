import { maxTimerMs } from "../sleep.ts";

/** A clock that survives steps of the system's clock, with one timer for all that sleep. */
export interface Clock {
  /** Milliseconds from some start; it never goes back. */
  readonly now: () => number;
  /** Gives the time, and counts anew what is slept: nothing has waited for a while. */
  readonly restart: () => number;
  /**
   * Calls `ring` at a time, once, and keeps the process alive until then. All that are due at one
   * moment ring in one go, so that they can share a list.
   *
   * @returns Function that takes it back
   */
  readonly ringAt: (at: number, ring: () => void) => () => void;
}

/** Sums of fractions differ in their last digits: that is no millisecond more. */
export const roundingMs = 0.001;

/**
 * Makes a clock of `performance`. What was slept counts also where that stands still or begins
 * anew, as under some fake timers.
 */
export const createClock = (): Clock => {
  let seenMs = performance.now();
  let addedMs = 0;
  let sleptUntilMs = seenMs;
  const sleepers = new Map<() => void, number>();
  let nextAt = Number.POSITIVE_INFINITY;
  let stop = () => {};
  let madeBy: typeof setTimeout | undefined;

  const now = (): number => {
    const lastMs = seenMs;
    seenMs = performance.now();
    addedMs += Math.max(0, lastMs - seenMs);
    return Math.max(seenMs + addedMs, sleptUntilMs);
  };

  const arm = (at: number): void => {
    stop();
    nextAt = at;
    if (sleepers.size === 0) return;
    const { setTimeout, clearTimeout } = globalThis;
    const wholeMs = Math.min(maxTimerMs, Math.max(0, Math.ceil(at - now() - roundingMs)));
    const timeout = setTimeout(() => {
      sleptUntilMs += wholeMs;
      ringUntil(Math.max(now(), at) + roundingMs);
    }, wholeMs);
    madeBy = setTimeout;
    stop = () => clearTimeout(timeout);
  };

  const ringUntil = (until: number): void => {
    for (const [ring, at] of sleepers) {
      if (at > until) continue;
      sleepers.delete(ring);
      ring();
    }
    let soonest = Number.POSITIVE_INFINITY;
    for (const at of sleepers.values()) soonest = Math.min(soonest, at);
    arm(soonest);
  };

  return {
    now,
    restart: () => {
      sleptUntilMs = now();
      return sleptUntilMs;
    },
    ringAt: (at, ring) => {
      sleepers.set(ring, at);
      // Fake timers may have been put in place, or taken away.
      if (at < nextAt || madeBy !== globalThis.setTimeout) arm(Math.min(at, nextAt));
      return () => {
        // The last one leaves no timer behind.
        if (sleepers.delete(ring) && sleepers.size === 0) arm(Number.POSITIVE_INFINITY);
      };
    },
  };
};
