import type { Clock } from "./clock.ts";

/** The one timer of a scheduler. */
export interface Timer {
  /** Has the timer fire at this time, or before where it was set for an earlier one. */
  readonly set: (at: number) => void;
  readonly stop: () => void;
  /**
   * Calls `tick` after all else that begins at this moment. Sets the timer anew, too: fake timers
   * may have been put in place, or taken away.
   */
  readonly fireSoon: () => Promise<void>;
}

const roundingMs = 0.001;

/** Makes a timer that calls `tick` with its time, and keeps the process alive while it is set. */
export const createTimer = (clock: Clock, tick: (at: number) => void): Timer => {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  let firesAt = Number.POSITIVE_INFINITY;
  let isTickQueued = false;

  const stop = (): void => {
    if (timeout !== undefined) clearTimeout(timeout);
    timeout = undefined;
    firesAt = Number.POSITIVE_INFINITY;
  };

  const fireSoon = async (): Promise<void> => {
    if (isTickQueued) return;
    isTickQueued = true;
    await undefined;
    isTickQueued = false;
    stop();
    tick(clock.now());
  };

  const set = (at: number): void => {
    if (at >= firesAt) return;
    stop();
    firesAt = at;
    // Sums of fractions differ in their last digits: that is no millisecond more.
    const wholeMs = Math.max(0, Math.ceil(at - clock.now() - roundingMs));
    timeout = setTimeout(() => {
      timeout = undefined;
      firesAt = Number.POSITIVE_INFINITY;
      clock.addSlept(wholeMs);
      tick(at);
    }, wholeMs);
  };

  return { set, stop, fireSoon };
};
