import type { CallFacts, Failure } from "./errors/make-error.ts";
import type { CallConfig } from "./options/call-options.ts";

/** A call whose clock runs. */
export interface TimedCall extends CallFacts, CallConfig {
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  /** When all of it must be over, by the same clock. */
  readonly deadlineAt: number;
}

/** The time for one step of a call: an attempt, a record in the store, a caller's schema. */
export interface TimeLimit {
  readonly ms: number;
  /** Its end, by `performance.now()`. */
  readonly endsAt: number;
  /** Failure of a step that takes longer. It names the time as it was given, and its option. */
  readonly failure: Failure;
}

export const leftMsOf = ({ deadlineAt }: TimedCall): number => deadlineAt - performance.now();

export const elapsedMsOf = ({ startedAt }: TimedCall): number =>
  Math.round(performance.now() - startedAt);

/** Gives the time of a step that begins now: its own, or the time that its call has left. */
export const limitOf = (call: TimedCall, what = "timed out"): TimeLimit => {
  const { attemptTimeoutMs, totalTimeoutMs } = call;
  const leftMs = leftMsOf(call);
  const ms = Math.max(1, Math.min(attemptTimeoutMs, leftMs));
  // A call's `timeoutMs` alone is the time for all of it, too.
  const isOwn = attemptTimeoutMs <= leftMs || attemptTimeoutMs === totalTimeoutMs;
  const given = isOwn
    ? `${attemptTimeoutMs} ms (timeoutMs)`
    : `${totalTimeoutMs} ms (totalTimeoutMs)`;
  const failure: Failure = { code: "timeout", what: `${what} after ${given}` };
  return { ms, endsAt: performance.now() + ms, failure };
};

/** Gives the failure of a call whose signal is aborted. */
export const abortOf = ({ signal }: TimedCall): Failure => {
  const cause: unknown = signal?.reason;
  // `AbortSignal.timeout` says so by its name; other reasons are the caller's own text.
  const why = (cause as Error | undefined)?.name === "TimeoutError" ? " (TimeoutError)" : "";
  return { code: "aborted", what: `was aborted${why}`, cause };
};

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

/**
 * Runs a task until it ends, its time is over, or the caller's signal aborts. Gives the failure of
 * that, or the task's own, and leaves no timer and no listener. The task's own signal is aborted
 * with every failure. A task that ignores it is left all the same. After an abort none begins.
 *
 * @param task - Never rejects
 */
export const runWithin = (
  call: TimedCall,
  limit: TimeLimit,
  task: (signal: AbortSignal) => Promise<Failure | undefined>,
): Promise<Failure | undefined> =>
  new Promise((resolve) => {
    const controller = new AbortController();
    const end = (failure: Failure | undefined) => {
      stopTimer();
      call.signal?.removeEventListener?.("abort", onAbort);
      if (failure !== undefined) controller.abort();
      resolve(failure);
    };
    const onAbort = () => end(abortOf(call));
    const stopTimer = startTimer(limit.ms, () => end(limit.failure));
    call.signal?.addEventListener("abort", onAbort);
    if (call.signal?.aborted) onAbort();
    else void task(controller.signal).then(end);
  });
