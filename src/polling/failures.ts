import type { AnyAdGenError } from "../errors/errors.ts";

/** A job that was just submitted may not be found everywhere at once. */
export const notFoundToleranceMs = 10_000;

/** An answer that comes so often in a row, for so long, will not change by itself. */
const lastingPolls = 3;
const lastingMs = 30_000;

/** Codes and statuses by which the service says that no further poll can succeed. */
const refusals: readonly unknown[] = ["bad_request", "unauthorized", "payment_required", 403, 410];

const isRefusal = ({ code, status }: AnyAdGenError): boolean =>
  refusals.includes(code) || refusals.includes(status);

/** The state of a wait when a poll failed. */
export interface WaitSoFar {
  /** The job was seen by an earlier poll. */
  readonly wasSeen: boolean;
  readonly elapsedMs: number;
}

/** The same answer again and again, which might be for good. */
export interface LastingFailure {
  /** Code, status and form of the answer, as one text. */
  readonly kind: string;
  /** Time from the wait's start at which it came first, in milliseconds. */
  readonly sinceMs: number;
  /** Number of polls in a row that met it. */
  readonly polls: number;
}

/** A proxy's or a login page has answered in the service's place. */
const isForeignPage = ({ contentType }: AnyAdGenError): boolean => contentType !== undefined;

/** Tells whether a failure ends the wait at once: the next poll could only fail again. */
export const isFatal = (error: AnyAdGenError, { wasSeen, elapsedMs }: WaitSoFar): boolean => {
  const { code } = error;
  if (code === "aborted" || code === "invalid_request") return true;
  // A key function may give a good key the next time. Other mistakes of set-up have no attempt
  // (they are found before it) or a cause (the runtime refuses the request).
  if (code === "config") return error.attempts === undefined || error.cause !== undefined;
  if (code === "decode") {
    // With `lastJob`: a finished job whose result does not fit the caller's schema.
    return error.reason === "too-large" || error.lastJob !== undefined;
  }
  if (isForeignPage(error)) return false;
  if (code === "not_found") return wasSeen || elapsedMs >= notFoundToleranceMs;
  return isRefusal(error);
};

/** Tells whether a failure is a candidate for an answer that no further poll can change. */
const mayLast = (error: AnyAdGenError, wasSeen: boolean): boolean => {
  const { code, status } = error;
  const isAnswer = ["decode", "unexpected_status", "not_found"].includes(code) || isRefusal(error);
  if (!isAnswer || status === 408) return false;
  // A page in the place of a job that was seen is an outage; for a refusal it may be the truth.
  return !isForeignPage(error) || !wasSeen || code === "not_found" || isRefusal(error);
};

/** Counts a failure beside those before it; `undefined` where it will pass. */
export const countFailure = (
  earlier: LastingFailure | undefined,
  error: AnyAdGenError,
  { wasSeen, elapsedMs }: WaitSoFar,
): LastingFailure | undefined => {
  if (!mayLast(error, wasSeen)) return undefined;
  const reason = error.code === "decode" ? error.reason : "";
  const kind = [error.code, error.status, reason, error.contentType].join(" ");
  return earlier?.kind === kind
    ? { ...earlier, polls: earlier.polls + 1 }
    : { kind, sinceMs: elapsedMs, polls: 1 };
};

/** Tells whether an answer has come so often that it ends the wait. */
export const isLasting = (failure: LastingFailure | undefined, elapsedMs: number): boolean =>
  failure !== undefined &&
  failure.polls >= lastingPolls &&
  elapsedMs - failure.sinceMs >= lastingMs;

const outages: readonly string[] = ["connection", "timeout", "server_error"];

/** Tells whether nothing of the service itself has answered: its failures change in an outage. */
const isOutage = ({ code, contentType }: AnyAdGenError): boolean =>
  outages.includes(code) || contentType !== undefined;

/** Tells whether two polls have failed for one reason. */
export const isSameFailure = (one: AnyAdGenError, other: AnyAdGenError): boolean =>
  (one.code === other.code && one.status === other.status) || (isOutage(one) && isOutage(other));
