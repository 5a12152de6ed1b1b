import type { CallFacts, Failure } from "../errors/make-error.ts";
import type { CallConfig } from "../options/call-options.ts";

/** A call whose time has begun. */
export interface TimedCall extends CallFacts, CallConfig {
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  /** When the whole call must be over, by the same clock. */
  readonly deadlineAt: number;
  /**
   * Milliseconds after an abort in which a request that has left may still be answered. Default: 0.
   */
  readonly graceMs?: number | undefined;
}

export const leftMsOf = ({ deadlineAt }: TimedCall): number => deadlineAt - performance.now();

export const elapsedMsOf = ({ startedAt }: TimedCall): number =>
  Math.round(performance.now() - startedAt);

/** The time limit of one step of a call, such as an attempt. */
export interface TimeLimit {
  /** Its end, by `performance.now()`. */
  readonly endsAt: number;
  /** The failure of a step that takes longer. It names the option that set the limit. */
  readonly failure: Failure;
}

/** Returns the limit of a step that begins now: its own time, or what is left of the call's. */
const limitOf = (call: TimedCall, what: string): TimeLimit => {
  const { attemptTimeoutMs, totalTimeoutMs, deadlineAt } = call;
  const now = performance.now();
  const ownEndsAt = now + attemptTimeoutMs;
  // Without `totalTimeoutMs`, `timeoutMs` also limits the whole call.
  const isOwn = ownEndsAt <= deadlineAt || attemptTimeoutMs === totalTimeoutMs;
  const given = isOwn
    ? `${attemptTimeoutMs} ms (timeoutMs)`
    : `${totalTimeoutMs} ms (totalTimeoutMs)`;
  return {
    endsAt: Math.min(ownEndsAt, deadlineAt),
    failure: { code: "timeout", what: `${what} after ${given}` },
  };
};

/** Describes the failure of a call or a wait whose signal was aborted. */
export const abortOf = ({ signal }: Pick<TimedCall, "signal">): Failure => {
  const cause: unknown = signal?.reason;
  // The message shows only the reason of `AbortSignal.timeout`. Any other reason is the caller's
  // own text.
  const why = (cause as Error | undefined)?.name === "TimeoutError" ? " (TimeoutError)" : "";
  return { code: "aborted", what: `was aborted${why}`, cause };
};

/**
 * A timer this late was held up, because the process was suspended or its event loop was blocked.
 */
const lateFromMs = 5;

/** After a late timer, the socket gets this much time to hand over what has already arrived. */
const minGraceMs = 20;
const maxGraceMs = 1_000;

/**
 * Calls `end` at a time. If the timer is late, the event loop first reads what arrived meanwhile.
 */
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
 * Runs a step of a call until it ends, its time is over, or the caller's signal aborts. Resolves
 * with the failure, if there is one, and leaves no timer or listener behind. A failure aborts the
 * signal of the step, and the result doesn't wait for a step that ignores it. No step begins after
 * an abort.
 *
 * @param step - Never rejects
 * @param what - Message of the failure when the time is over
 * @param hasLeft - Returns whether the request of the step has left
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
      // Old polyfills don't remove listeners.
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
