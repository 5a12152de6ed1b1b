/** A signal that aborts with the caller's, and at the end of what it is for. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Begins to listen to the caller's signal. */
  readonly listen: () => void;
  /** Aborts it, and leaves no listener behind. */
  readonly end: () => void;
}

/** A signal beside the caller's. */
export const linkSignal = (callers: AbortSignal | undefined): LinkedSignal => {
  const controller = new AbortController();
  const onAbort = () => controller.abort(callers?.reason);
  return {
    signal: controller.signal,
    listen: () => {
      callers?.addEventListener("abort", onAbort);
      if (callers?.aborted) onAbort();
    },
    end: () => {
      // Old polyfills have no such method.
      callers?.removeEventListener?.("abort", onAbort);
      controller.abort();
    },
  };
};
