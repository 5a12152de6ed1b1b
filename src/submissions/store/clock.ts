import { maxTimerMs, sleep } from "../../client/internal/sleep.ts";

/**
 * Clocks and timers of a process. The clocks of processes that share a store agree within a minute.
 */
export interface StoreClock {
  /** Reads a monotonic clock, in milliseconds, which may stop while the machine is suspended. */
  readonly now: () => number;
  /**
   * Reads a clock that can be set, in milliseconds, which runs on while the machine is suspended.
   */
  readonly wall: () => number;
  /** Waits until the time is over, or until the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Waits without keeping the process alive. */
  readonly rest: (ms: number) => Promise<void>;
}

/** The clocks of this platform. */
export const ownClock: StoreClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) => sleep(Math.min(ms, maxTimerMs), signal),
  rest: (ms) =>
    new Promise((resolve) => {
      const timer: unknown = setTimeout(resolve, ms);
      (timer as { unref?: () => void }).unref?.();
    }),
};

/** Starts to count by both clocks, and returns a function that gives the longer duration. */
export const startCounting = (clock: StoreClock): (() => number) => {
  const [now, wall] = [clock.now(), clock.wall()];
  return () => Math.max(clock.now() - now, clock.wall() - wall);
};

/** Starts a countdown, and returns a function that gives the time left of a call. */
export const startCountdown = (clock: StoreClock, timeoutMs: number): (() => number) => {
  const startedAt = clock.now();
  return () => timeoutMs - (clock.now() - startedAt);
};
