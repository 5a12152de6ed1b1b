import type { Wait } from "./wait.ts";

interface Listeners {
  readonly waits: Set<Wait>;
  readonly onAbort: () => void;
}

const createListeners = (): Listeners => {
  const waits = new Set<Wait>();
  const onAbort = () => {
    for (const wait of waits) wait.resume?.();
  };
  return { waits, onAbort };
};

/** Makes what listens to the signals of waits: once to each, however many waits share it. */
export const createAbortListeners = () => {
  const bySignal = new Map<AbortSignal, Listeners>();
  return {
    /** Has a wait go on when its signal aborts. */
    add: (signal: AbortSignal | undefined, wait: Wait): void => {
      if (signal === undefined) return;
      const listeners = bySignal.get(signal) ?? createListeners();
      listeners.waits.add(wait);
      if (bySignal.has(signal)) return;
      bySignal.set(signal, listeners);
      signal.addEventListener("abort", listeners.onAbort);
    },
    /** Forgets a wait; the last one of a signal leaves no listener behind. */
    remove: (signal: AbortSignal | undefined, wait: Wait): void => {
      if (signal === undefined) return;
      const listeners = bySignal.get(signal);
      if (!listeners?.waits.delete(wait) || listeners.waits.size > 0) return;
      bySignal.delete(signal);
      // Old polyfills have no such method.
      signal.removeEventListener?.("abort", listeners.onAbort);
    },
  };
};
