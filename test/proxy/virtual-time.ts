import { vi } from "vitest";
import { createTime } from "../submissions/virtual-world.ts";

/**
 * Replaces timers and clocks by ones that jump from timer to timer, so that minutes take moments.
 * Faked timers of vitest would wait a real millisecond after each. `vi.unstubAllGlobals` and
 * `vi.restoreAllMocks` end it.
 */
export const startVirtualTime = () => {
  // At noon: windows of a day do not end while a test runs.
  const startedAt = Date.UTC(2026, 0, 1, 12);
  const { now, after, wait, runUntil } = createTime();
  const stops: (() => void)[] = [];
  const setTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number =>
    stops.push(after(ms, () => run(...args)));
  vi.stubGlobal("setTimeout", setTimer);
  vi.stubGlobal("clearTimeout", (id = 0) => stops[id - 1]?.());
  vi.spyOn(Date, "now").mockImplementation(() => startedAt + now());
  vi.spyOn(performance, "now").mockImplementation(now);
  return {
    ...{ now, wait },
    pass: (ms: number) => runUntil(now() + ms),
    /** Runs timers in their order, until something is done. */
    async runUntil(isDone: () => boolean, maxMs: number): Promise<void> {
      await runUntil(now() + maxMs, isDone);
      if (!isDone()) throw new Error(`something is missing after ${maxMs} ms`);
    },
  };
};

export type VirtualTime = ReturnType<typeof startVirtualTime>;
