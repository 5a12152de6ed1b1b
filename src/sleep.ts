/** The longest wait a timer takes; beyond it, timers fire at once. */
export const maxTimerMs = 2_147_483_647;

/** Waits `ms`, and keeps the process alive meanwhile; rejects with the signal's reason at an abort. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
