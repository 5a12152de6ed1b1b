import { maxTimerMs } from "../internal/sleep.ts";
import { callSafely } from "../options/hooks.ts";
import type { PollOptions } from "./poll-options.ts";

/** Tolerance for floating-point sums, which differ in their last digits. */
const roundingMs = 0.01;

/** The clock of one loop, and a sleep that can be interrupted. */
export interface Alarm {
  /**
   * Milliseconds, by `performance.now()`. After a sleep, the clock is never behind the time slept
   * until.
   */
  readonly now: () => number;
  /** Sleeps until a time, or until `ring`. */
  readonly sleepUntil: (time: number) => Promise<void>;
  /** Ends the sleep, if there is one. */
  readonly ring: () => void;
}

export const createAlarm = (): Alarm => {
  let endSleep = (): void => {};
  // Some test suites fake timers but not `performance`. Without this line, their loops would never
  // end.
  let sleptUntil = 0;
  const now = (): number => Math.max(performance.now(), sleptUntil);
  return {
    now,
    ring: () => endSleep(),
    sleepUntil: (time) =>
      new Promise((resolve) => {
        endSleep = () => {
          clearTimeout(timer);
          resolve();
        };
        const onTime = (): void => {
          sleptUntil = time;
          resolve();
        };
        const timer = setTimeout(
          onTime,
          Math.min(maxTimerMs, Math.ceil(time - now() - roundingMs)),
        );
      }),
  };
};

/**
 * Function of the option `wake`. It subscribes a wait to a source that learns of changes sooner
 * than a poll, and returns the function that ends the subscription.
 */
export type Wake = NonNullable<PollOptions["wake"]>;

interface PageTarget {
  readonly visibilityState?: string;
  readonly addEventListener?: (name: string, listener: () => void) => void;
  readonly removeEventListener?: (name: string, listener: () => void) => void;
}

/**
 * Wakes a wait when its page becomes visible, because browsers delay the timers of hidden pages.
 */
const wakeByPage = (pollNow: () => void): (() => void) => {
  const { document } = globalThis as { readonly document?: PageTarget };
  const onChange = () => {
    if (document?.visibilityState !== "hidden") pollNow();
  };
  document?.addEventListener?.("visibilitychange", onChange);
  return () => document?.removeEventListener?.("visibilitychange", onChange);
};

/**
 * Subscribes a wait to its page and to the caller's `wake`. Returns the function that ends both.
 *
 * @param jobId - Absent for a job without a usable id, which the first poll refuses
 */
export const subscribe = (
  wake: Wake | undefined,
  pollNow: () => void,
  jobId: string | undefined,
): (() => void) => {
  const endOfPage = wakeByPage(pollNow);
  let end: unknown;
  if (wake && jobId !== undefined) {
    callSafely("wake", () => {
      end = wake(pollNow, jobId);
      return end;
    });
  }
  return () => {
    endOfPage();
    if (typeof end === "function") callSafely("wake", end as () => unknown);
  };
};
