import type { CallFacts, Failure } from "../errors/make-error.ts";
import type { CallConfig } from "../options/call-options.ts";

/** A call whose clock runs. */
export interface TimedCall extends CallFacts, CallConfig {
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  /** When all of it must be over, by the same clock. */
  readonly deadlineAt: number;
  /** Time after an abort for which a request that has left may still be answered. Absent: none. */
  readonly graceMs?: number | undefined;
}

export const leftMsOf = ({ deadlineAt }: TimedCall): number => deadlineAt - performance.now();

export const elapsedMsOf = ({ startedAt }: TimedCall): number =>
  Math.round(performance.now() - startedAt);

/** The time for one step of a call: an attempt, a check by the caller's schema. */
export interface TimeLimit {
  /** Its end, by `performance.now()`. */
  readonly endsAt: number;
  /** Failure of a step that takes longer. It names the time as it was given, and its option. */
  readonly failure: Failure;
}

/** Time of a step that begins now: its own, or the time that its call has left. */
const limitOf = (call: TimedCall, what: string): TimeLimit => {
  const { attemptTimeoutMs, totalTimeoutMs, deadlineAt } = call;
  const now = performance.now();
  const ownEndsAt = now + attemptTimeoutMs;
  // A call's `timeoutMs` alone is the time for all of it, too.
  const isOwn = ownEndsAt <= deadlineAt || attemptTimeoutMs === totalTimeoutMs;
  const given = isOwn
    ? `${attemptTimeoutMs} ms (timeoutMs)`
    : `${totalTimeoutMs} ms (totalTimeoutMs)`;
  return {
    endsAt: Math.min(ownEndsAt, deadlineAt),
    failure: { code: "timeout", what: `${what} after ${given}` },
  };
};

/** Failure of a call, or of a wait, whose signal is aborted. */
export const abortOf = ({ signal }: Pick<TimedCall, "signal">): Failure => {
  const cause: unknown = signal?.reason;
  // `AbortSignal.timeout` says so by its name; other reasons are the caller's own text.
  const why = (cause as Error | undefined)?.name === "TimeoutError" ? " (TimeoutError)" : "";
  return { code: "aborted", what: `was aborted${why}`, cause };
};

/** A timer that fires later than this was held up: the process was stopped, or its loop blocked. */
const lateFromMs = 5;

/** Bounds of the time that a late timer leaves for what already lies in the socket. */
const minGraceMs = 20;
const maxGraceMs = 1_000;

/** Calls `end` at a time. A late timer first lets the loop read what came meanwhile. */
const startTimer = (endsAt: number, end: () => void): (() => void) => {
  const onTime = () => {
    const lateMs = performance.now() - endsAt;
    if (lateMs < lateFromMs) end();
    else timer = setTimeout(end, Math.min(Math.max(lateMs, minGraceMs), maxGraceMs));
  };
  let timer = setTimeout(onTime, Math.max(1, Math.ceil(endsAt - performance.now())));
  return () => clearTimeout(timer);
};

/**
 * Runs a step of a call until it ends, its time is over, or the caller's signal aborts. Gives the
 * failure of that, or the step's own, and leaves no timer and no listener. The step's own signal is
 * aborted with every failure. A step that ignores it is left all the same. After an abort none
 * begins.
 *
 * @param step - Never rejects
 * @param what - Words for the failure when the time is over
 * @param hasLeft - Whether the request of the step has left
 */
export const runWithin = (
  call: TimedCall,
  step: (signal: AbortSignal, limit: TimeLimit) => Promise<Failure | undefined>,
  what = "timed out",
  hasLeft: () => boolean = () => false,
): Promise<Failure | undefined> =>
  new Promise((resolve) => {
    const limit = limitOf(call, what);
    const controller = new AbortController();
    let isOver = false;
    const end = (failure: Failure | undefined) => {
      isOver = true;
      stopTimer();
      call.signal?.removeEventListener?.("abort", onAbort);
      if (failure !== undefined) controller.abort();
      resolve(failure);
    };
    const onAbort = () => {
      // Old polyfills keep their listeners.
      if (isOver) return;
      const { graceMs = 0 } = call;
      const endsAt = Math.min(limit.endsAt, performance.now() + graceMs);
      if (graceMs === 0 || !hasLeft()) return end(abortOf(call));
      stopTimer();
      stopTimer = startTimer(endsAt, () => end(abortOf(call)));
    };
    let stopTimer = startTimer(limit.endsAt, () => end(limit.failure));
    call.signal?.addEventListener("abort", onAbort);
    if (call.signal?.aborted) onAbort();
    else void step(controller.signal, limit).then(end);
  });
