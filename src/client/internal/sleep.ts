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

/**
 * Waits for work, but no longer than it may. Returns whether the work ended. Work that fails makes it
 * reject.
 */
export const waitAtMost = async (
  clock: { readonly sleep: typeof sleep },
  ms: number,
  signal: AbortSignal | undefined,
  work: Promise<unknown>,
): Promise<boolean> => {
  if (ms <= 0 || signal?.aborted) {
    work.catch(() => {});
    return false;
  }
  const isOver = new AbortController();
  const stop = (): void => isOver.abort();
  signal?.addEventListener("abort", stop);
  try {
    return await Promise.race([
      work.then(() => true),
      clock.sleep(ms, isOver.signal).then(() => false),
    ]);
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
    work.catch(() => {});
  }
};

/**
 * A signal that an abort of the caller's aborts too, until its `end`, which aborts it. React Native has
 * no `AbortSignal.any`.
 */
export const linkSignal = (
  signal: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly end: () => void } => {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  return {
    signal: controller.signal,
    end: () => {
      signal?.removeEventListener?.("abort", abort);
      controller.abort();
    },
  };
};
