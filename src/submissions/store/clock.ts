import { maxTimerMs, sleep } from "../../client/internal/sleep.ts";

/** Clocks and timers of a process. Those of processes that share a store agree within a minute. */
export interface StoreClock {
  /** Milliseconds that never go back; they may stand still while the machine is suspended. */
  readonly now: () => number;
  /** Milliseconds of a clock that may be set, and that goes on while the machine is suspended. */
  readonly wall: () => number;
  /** Waits; an abort ends it. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Waits, and does not keep the process alive for it. */
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

/** Begins to count by both clocks: gives the larger of the two durations since. */
export const startCounting = (clock: StoreClock): (() => number) => {
  const [now, wall] = [clock.now(), clock.wall()];
  return () => Math.max(clock.now() - now, clock.wall() - wall);
};

/** Begins a countdown: gives the time that is left of a call. */
export const startCountdown = (clock: StoreClock, timeoutMs: number): (() => number) => {
  const startedAt = clock.now();
  return () => timeoutMs - (clock.now() - startedAt);
};
