/** A clock that survives steps of the system's clock. */
export interface Clock {
  /** Milliseconds from some start; it never goes back. */
  readonly now: () => number;
  /** Notes that a timer has fired: this time was slept. */
  readonly addSlept: (ms: number) => void;
  /** Gives the time, and counts anew what is slept: nothing has waited for a while. */
  readonly restart: () => number;
}

/**
 * Makes a clock of `performance`. What was slept counts also where that stands still or begins
 * anew, as under some fake timers.
 */
export const createClock = (): Clock => {
  let seenMs = performance.now();
  let addedMs = 0;
  let sleptUntilMs = seenMs;
  const now = () => {
    const lastMs = seenMs;
    seenMs = performance.now();
    addedMs += Math.max(0, lastMs - seenMs);
    return Math.max(seenMs + addedMs, sleptUntilMs);
  };
  return {
    now,
    addSlept: (ms) => {
      sleptUntilMs += ms;
    },
    restart: () => {
      sleptUntilMs = now();
      return sleptUntilMs;
    },
  };
};
