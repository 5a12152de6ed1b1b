import { maxTimerMs } from "../sleep.ts";
import type { Clock } from "./clock.ts";

/** One timer for all that sleep. It keeps the process alive while there are any. */
export interface Alarm {
  /**
   * Calls `ring` at a time of the clock, once.
   *
   * @returns Function that takes it back
   */
  readonly set: (at: number, ring: () => void) => () => void;
}

/** Sums of fractions differ in their last digits: that is no millisecond more. */
export const roundingMs = 0.001;

/** Makes an alarm. All that are due at one moment ring in one go, so that they can share a list. */
export const createAlarm = (clock: Clock): Alarm => {
  const sleepers = new Map<() => void, number>();
  let ringsAt = Number.POSITIVE_INFINITY;
  let stop = () => {};
  let madeBy: typeof setTimeout | undefined;

  const arm = (at: number): void => {
    // Fake timers may have been put in place, or taken away.
    if (at >= ringsAt && madeBy === globalThis.setTimeout) return;
    stop();
    const { setTimeout, clearTimeout } = globalThis;
    const wholeMs = Math.min(maxTimerMs, Math.max(0, Math.ceil(at - clock.now() - roundingMs)));
    const timeout = setTimeout(() => {
      clock.addSlept(wholeMs);
      ringAll(at);
    }, wholeMs);
    ringsAt = Math.min(at, ringsAt);
    madeBy = setTimeout;
    stop = () => {
      clearTimeout(timeout);
      ringsAt = Number.POSITIVE_INFINITY;
    };
  };

  const armNext = (): void => {
    stop();
    let nextAt = Number.POSITIVE_INFINITY;
    for (const at of sleepers.values()) nextAt = Math.min(nextAt, at);
    if (sleepers.size > 0) arm(nextAt);
  };

  const ringAll = (firedAt: number): void => {
    const now = Math.max(clock.now(), firedAt) + roundingMs;
    for (const [ring, at] of sleepers) {
      if (at > now) continue;
      sleepers.delete(ring);
      ring();
    }
    armNext();
  };

  return {
    set: (at, ring) => {
      sleepers.set(ring, at);
      arm(at);
      return () => {
        // The last one leaves no timer behind.
        if (sleepers.delete(ring) && sleepers.size === 0) stop();
      };
    },
  };
};
