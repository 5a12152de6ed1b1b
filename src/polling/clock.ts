import { maxTimerMs } from "../sleep.ts";
import type { Given, Wait } from "./wait.ts";

/** A clock that survives steps of the system's clock, with one timer for all that stand still. */
export interface Clock {
  /** Milliseconds from some start; it never goes back. */
  readonly now: () => number;
  /** Gives the time, and counts anew what is slept: nothing has waited for a while. */
  readonly restart: () => number;
  /**
   * Has a wait stand still until a time, or until it is resumed, and keeps the process alive until
   * then. Calls `undo` when it goes on. All that are due at one moment go on in one go, so that they
   * can share a list.
   */
  readonly park: (wait: Wait, until: number, undo?: () => unknown) => Promise<Given | undefined>;
}

/** Sums of fractions differ in their last digits: that is no millisecond more. */
export const roundingMs = 0.001;

const never: number = Number.POSITIVE_INFINITY;

/**
 * Makes a clock of `performance`. What was slept counts also where that stands still or begins
 * anew, as under some fake timers.
 */
export const createClock = (): Clock => {
  let seenMs = performance.now();
  let addedMs = 0;
  let sleptUntilMs = seenMs;
  const parked = new Map<Wait, number>();
  let nextAt = never;
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
    if (at === never) return;
    const { setTimeout, clearTimeout } = globalThis;
    const wholeMs = Math.min(maxTimerMs, Math.max(0, Math.ceil(at - now() - roundingMs)));
    const timeout = setTimeout(() => {
      sleptUntilMs += wholeMs;
      ringUntil(Math.max(now(), at) + roundingMs);
    }, wholeMs);
    madeBy = setTimeout;
    stop = () => clearTimeout(timeout);
  };

  const ringUntil = (time: number): void => {
    let soonest = never;
    for (const [wait, at] of parked) {
      if (at <= time) wait.resume?.("late");
      else soonest = Math.min(soonest, at);
    }
    arm(soonest);
  };

  return {
    now,
    restart: () => {
      sleptUntilMs = now();
      return sleptUntilMs;
    },
    park: (wait, until, undo) =>
      new Promise((resolve) => {
        parked.set(wait, until);
        // Fake timers may have been put in place, or taken away.
        if (until < nextAt || madeBy !== globalThis.setTimeout) arm(Math.min(until, nextAt));
        wait.resume = (given) => {
          parked.delete(wait);
          // The last one leaves no timer behind.
          if (parked.size === 0) arm(never);
          wait.resume = undefined;
          wait.isOpen = false;
          undo?.();
          resolve(given);
        };
      }),
  };
};
