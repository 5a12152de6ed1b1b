import { showCaller } from "./errors/adgen-error.ts";
import type { ErrorFields } from "./errors/error-fields.ts";
import type { AnyAdGenError } from "./errors/errors.ts";
import { type CallFacts, callError } from "./errors/make-error.ts";
import type { CallConfig } from "./options/call-options.ts";
import { runWithin } from "./run-within.ts";

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
  /** The time as it was given, and its option, for the error: `200 ms (timeoutMs)`. */
  readonly label: string;
}

export const leftMsOf = ({ deadlineAt }: TimedCall): number => deadlineAt - performance.now();

export const elapsedMsOf = ({ startedAt }: TimedCall): number =>
  Math.round(performance.now() - startedAt);

/** Gives the time of a step that begins now: its own, or what is left of the call's. */
export const limitOf = (call: TimedCall): TimeLimit => {
  const { attemptTimeoutMs, totalTimeoutMs } = call;
  const now = performance.now();
  const leftMs = call.deadlineAt - now;
  // A call's `timeoutMs` alone is the time for all of it, too.
  const isOwn = attemptTimeoutMs <= leftMs || attemptTimeoutMs === totalTimeoutMs;
  const ms = Math.max(1, Math.min(attemptTimeoutMs, leftMs));
  return {
    ms,
    endsAt: now + ms,
    label: isOwn ? `${attemptTimeoutMs} ms (timeoutMs)` : `${totalTimeoutMs} ms (totalTimeoutMs)`,
  };
};

/** Makes the error of an aborted call. */
export const abortedError = (call: TimedCall, fields: ErrorFields): AnyAdGenError => {
  const cause: unknown = call.signal?.reason;
  // `AbortSignal.timeout` says so by its name; other reasons are the caller's own text.
  const why = (cause as Error | undefined)?.name === "TimeoutError" ? " (TimeoutError)" : "";
  return callError(call, "aborted", `was aborted${why}`, { ...fields, cause });
};

/** Makes the error of a step whose time is over. */
export const timeoutError = (
  call: TimedCall,
  fields: ErrorFields,
  label: string,
  what = "timed out",
): AnyAdGenError => callError(call, "timeout", `${what} after ${label}`, fields);

/**
 * Runs work that is not the transport's as a step of a call: it ends in its time, and with the
 * caller's signal. After an abort it does not begin.
 *
 * @param what - Words for the error when the time is over
 */
export const runStep = async <T>(
  call: TimedCall,
  fields: ErrorFields,
  what: string,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    if (call.signal?.aborted) throw abortedError(call, fields);
    const { ms, label } = limitOf(call);
    const working = work();
    const stoppedBy = await runWithin(ms, call.signal, () => working.then(() => true));
    const ended = { ...fields, elapsedMs: elapsedMsOf(call) };
    if (stoppedBy === "signal") throw abortedError(call, ended);
    if (stoppedBy === "time") throw timeoutError(call, ended, label, what);
    return await working;
  } catch (error) {
    throw showCaller(error);
  }
};
