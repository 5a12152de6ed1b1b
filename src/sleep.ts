/** The longest wait that a timer takes; beyond it, timers fire at once. */
export const maxTimerMs = 2_147_483_647;

/**
 * Waits `ms`, and keeps the process alive meanwhile. An abort of `signal` ends the wait at once;
 * the caller looks at the signal.
 */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener?.("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
