import type { Wait } from "../wait.ts";

/** Listens to the signals of waits: once to each signal, however many waits share it. */
export const createSignalWatch = (abort: (wait: Wait) => void) => {
  const listeners = new Map<AbortSignal, { waits: Set<Wait>; onAbort: () => void }>();

  return {
    add: (wait: Wait): void => {
      const { signal } = wait.config;
      if (signal === undefined) return;
      const known = listeners.get(signal);
      if (known !== undefined) {
        known.waits.add(wait);
        return;
      }
      const waits = new Set([wait]);
      const onAbort = () => {
        for (const aborted of [...waits]) abort(aborted);
      };
      listeners.set(signal, { waits, onAbort });
      signal.addEventListener("abort", onAbort);
    },

    remove: (wait: Wait): void => {
      const { signal } = wait.config;
      const known = signal && listeners.get(signal);
      if (signal === undefined || !known?.waits.delete(wait) || known.waits.size > 0) return;
      listeners.delete(signal);
      // Old polyfills have no such method.
      signal.removeEventListener?.("abort", known.onAbort);
    },
  };
};
