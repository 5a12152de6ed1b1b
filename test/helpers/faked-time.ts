import { AsyncLocalStorage } from "node:async_hooks";
import { aroundEach, expect, vi } from "vitest";

/** Whether code runs for the test that has faked the time. */
const ofThisTest = new AsyncLocalStorage<true>();

/**
 * Timers that other code has set on the faked clock. Files share a process, and what an earlier one
 * has left goes on: submissions whose store failed write their ends again for about an hour.
 */
const timersOfOthers = new Set<unknown>();

type Functions = Record<string, (...given: unknown[]) => unknown>;

/** Has the faked timers tell whose they are. The end of the faking takes that away. */
const watchTimers = (): void => {
  for (const kind of ["Timeout", "Interval", "Immediate"]) {
    const { [`set${kind}`]: set, [`clear${kind}`]: clear } = globalThis as unknown as Functions;
    Object.assign(globalThis, {
      [`set${kind}`]: (callback: (...given: unknown[]) => void, ...given: unknown[]) => {
        // As with real timers: what a timer of others does is theirs, whoever moves the clock.
        const run = AsyncLocalStorage.bind((...input: unknown[]) => {
          if (kind !== "Interval") timersOfOthers.delete(timer);
          callback(...input);
        });
        const timer = set?.(run, ...given);
        if (!ofThisTest.getStore()) timersOfOthers.add(timer);
        return timer;
      },
      [`clear${kind}`]: (timer: unknown) => {
        timersOfOthers.delete(timer);
        clear?.(timer);
      },
    });
  }
};

/** Fakes the timers in each test of a file. */
export const useFakedTime = (): void =>
  aroundEach(async (runTest) => {
    vi.useFakeTimers();
    watchTimers();
    try {
      await ofThisTest.run(true, runTest);
    } finally {
      vi.useRealTimers();
      timersOfOthers.clear();
    }
  });

/** One turn of the real event loop, whatever timers a test has faked. */
const realTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

const countTimers = (): number => vi.getTimerCount() - timersOfOthers.size;

/**
 * Expects that no faked timer of this test is left. What ends just now may need some turns of the
 * event loop for it, and more of them on a busy machine; a timer that is left stays.
 */
export const expectNoTimers = async (): Promise<void> => {
  for (let turn = 0; turn < 2_000 && countTimers() > 0; turn++) await realTurn();
  expect(countTimers()).toBe(0);
};
