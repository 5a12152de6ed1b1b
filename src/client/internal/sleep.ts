/** The longest delay of a timer in milliseconds. With a longer one, timers fire at once. */
export const maxTimerMs = 2_147_483_647;

/**
 * Waits `ms` milliseconds, and keeps the process alive meanwhile. It also resolves as soon as
 * `signal` aborts, so the caller must check the signal.
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
 * Waits for work, up to a limit. Returns whether the work ended, and rejects if the work failed.
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
 * Creates a signal that aborts with the caller's signal, or when `end` is called. React Native
 * lacks `AbortSignal.any`.
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
