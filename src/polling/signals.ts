/** A wait that a signal may end. */
interface Abortable {
  readonly config: { readonly signal?: AbortSignal | undefined };
  readonly abort: () => void;
}

/** Listens to the signals of waits: once to each signal, however many waits share it. */
export const createSignalWatch = () => {
  const listeners = new Map<AbortSignal, { waits: Set<Abortable>; onAbort: () => void }>();

  return {
    add: (wait: Abortable): void => {
      const { signal } = wait.config;
      if (signal === undefined) return;
      const known = listeners.get(signal);
      if (known !== undefined) {
        known.waits.add(wait);
        return;
      }
      const waits = new Set([wait]);
      const onAbort = () => {
        for (const aborted of [...waits]) aborted.abort();
      };
      listeners.set(signal, { waits, onAbort });
      signal.addEventListener("abort", onAbort);
    },

    remove: (wait: Abortable): void => {
      const { signal } = wait.config;
      const known = signal && listeners.get(signal);
      if (signal === undefined || !known?.waits.delete(wait) || known.waits.size > 0) return;
      listeners.delete(signal);
      // Old polyfills have no such method.
      signal.removeEventListener?.("abort", known.onAbort);
    },
  };
};
