import { createHash } from "node:crypto";
import { vi } from "vitest";

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Lets everything happen that needs no time. */
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

/** Hashes without a thread: the real function answers at a time that no faked clock knows. */
export const digestAtOnce = (): void => {
  const digest = async (_: unknown, bytes: Uint8Array) =>
    new Uint8Array(createHash("sha256").update(bytes).digest()).buffer;
  vi.spyOn(crypto.subtle, "digest").mockImplementation(digest as typeof crypto.subtle.digest);
};

/**
 * Replaces timers and clocks by ones that jump from timer to timer, so that minutes take moments.
 * Faked timers of vitest would wait a real millisecond after each. `vi.unstubAllGlobals` and
 * `vi.restoreAllMocks` end it.
 */
export const startVirtualTime = () => {
  // At noon: windows of a day do not end while a test runs.
  const startedAt = Date.UTC(2026, 0, 1, 12);
  let now = startedAt;
  let count = 0;
  const timers = new Map<number, Timer>();
  const setTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number => {
    timers.set(++count, { at: now + Math.max(0, ms), run: () => run(...args) });
    return count;
  };
  vi.stubGlobal("setTimeout", setTimer);
  vi.stubGlobal("clearTimeout", (id: number) => timers.delete(id));
  digestAtOnce();
  vi.spyOn(Date, "now").mockImplementation(() => now);
  vi.spyOn(performance, "now").mockImplementation(() => now - startedAt);

  const wait = (ms: number): Promise<void> =>
    new Promise((done) => void setTimer(() => done(), ms));

  /** Runs timers in their order, until there is nothing more to wait for. */
  const runUntil = async (isDone: () => boolean, longestMs: number): Promise<void> => {
    const end = now + longestMs;
    for (;;) {
      await settle();
      if (isDone()) return;
      const [next] = [...timers].sort(([, one], [, other]) => one.at - other.at);
      if (next === undefined) throw new Error("nothing is under way, and something is missing");
      const [id, { at, run }] = next;
      if (at > end) throw new Error(`something is missing after ${longestMs} ms`);
      timers.delete(id);
      now = at;
      run();
    }
  };

  return { now: () => now, wait, runUntil };
};

export type VirtualTime = ReturnType<typeof startVirtualTime>;
