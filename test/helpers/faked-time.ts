import { AsyncLocalStorage } from "node:async_hooks";
import { aroundEach, expect, vi } from "vitest";

/** Is `true` in the code that runs for the test that has faked the time. */
const ofThisTest = new AsyncLocalStorage<true>();

/**
 * Timers that other code has set on the faked clock. Test files share a process, and work of an
 * earlier file goes on: submissions whose store failed retry their writes for about an hour.
 */
const timersOfOthers = new Set<unknown>();

type Functions = Record<string, (...given: unknown[]) => unknown>;

/** Makes the faked timers record who has set them. The end of the faking undoes this. */
const watchTimers = (): void => {
  for (const kind of ["Timeout", "Interval", "Immediate"]) {
    const { [`set${kind}`]: set, [`clear${kind}`]: clear } = globalThis as unknown as Functions;
    Object.assign(globalThis, {
      [`set${kind}`]: (callback: (...given: unknown[]) => void, ...given: unknown[]) => {
        // As with real timers, a callback belongs to the code that set the timer.
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

/** Waits for one turn of the real event loop, whatever timers a test has faked. */
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
 * Expects that no faked timer of this test is left. Work that is ending may need some turns of the
 * event loop to clear its timer, and more turns on a busy machine, so this waits for many turns.
 */
export const expectNoTimers = async (): Promise<void> => {
  for (let turn = 0; turn < 2_000 && countTimers() > 0; turn++) await realTurn();
  expect(countTimers()).toBe(0);
};
