/** A timer that fires later than this was held up: the process was stopped, or its loop blocked. */
const lateFromMs = 5;

/** Bounds of the time that a late timer leaves for what already lies in the socket. */
const shortestGraceMs = 20;
const longestGraceMs = 1_000;

/** Calls `end` after `ms`. A late timer first lets the loop read what came meanwhile. */
const startTimer = (ms: number, end: () => void): (() => void) => {
  const startedAt = performance.now();
  let timer = setTimeout(() => {
    const lateMs = performance.now() - startedAt - ms;
    if (lateMs < lateFromMs) end();
    else timer = setTimeout(end, Math.min(Math.max(lateMs, shortestGraceMs), longestGraceMs));
  }, ms);
  return () => clearTimeout(timer);
};

/** The reason why a task was left before its end. */
export type StoppedBy = "signal" | "time";

/**
 * Runs a task until it ends, its time is over, or the caller's signal aborts. It tells which of the
 * latter two it was, and leaves no timer and no listener. The task's own signal is aborted when the
 * task is left; a task that ignores it is left all the same.
 *
 * @param task - Resolves with `true` when nothing of it still runs
 */
export const runWithin = async (
  ms: number,
  callersSignal: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<boolean>,
): Promise<StoppedBy | undefined> => {
  const controller = new AbortController();
  let stoppedBy: StoppedBy | undefined;
  const left = new Promise<boolean>((resolve) => {
    controller.signal.addEventListener("abort", () => resolve(false));
  });
  const stop = (by: StoppedBy) => {
    stoppedBy ??= by;
    controller.abort();
  };
  const onAbort = () => stop("signal");
  const stopTimer = startTimer(ms, () => stop("time"));
  callersSignal?.addEventListener("abort", onAbort);
  if (callersSignal?.aborted) onAbort();
  let isDone = false;
  try {
    isDone = await Promise.race([task(controller.signal), left]);
    return isDone ? undefined : stoppedBy;
  } finally {
    stopTimer();
    callersSignal?.removeEventListener?.("abort", onAbort);
    if (!isDone) controller.abort();
  }
};
