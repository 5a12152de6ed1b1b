import type { AnyAdGenError } from "../errors/errors.ts";

/** A job that was just submitted may not be found everywhere at once. */
export const notFoundToleranceMs = 10_000;

/** An answer that comes so often in a row, for so long, will not change by itself. */
const lastingLooks = 3;
const lastingMs = 30_000;

/** Codes and statuses by which the service says that no further look can succeed. */
const refusals: readonly unknown[] = ["bad_request", "unauthorized", "payment_required", 403, 410];

const isRefusal = ({ code, status }: AnyAdGenError): boolean =>
  refusals.includes(code) || refusals.includes(status);

/** The state of a wait when a look failed. */
export interface WaitSoFar {
  /** The job was seen by an earlier look. */
  readonly wasSeen: boolean;
  readonly elapsedMs: number;
}

/** A proxy's or a login page has answered in the service's place. */
const isStranger = ({ contentType }: AnyAdGenError): boolean => contentType !== undefined;

/** Ends the wait at once: the next look could only fail again. */
const isFatal = (error: AnyAdGenError, { wasSeen, elapsedMs }: WaitSoFar): boolean => {
  const { code } = error;
  if (code === "aborted" || code === "invalid_request") return true;
  // A key function may give a good key the next time. Other mistakes of set-up have no attempt
  // (they are found before it) or a cause (the runtime refuses the request).
  if (code === "config") return error.attempts === undefined || error.cause !== undefined;
  if (code === "decode") {
    // With `lastJob`: a finished job whose result does not fit the caller's schema.
    return error.reason === "too-large" || error.lastJob !== undefined;
  }
  if (isStranger(error)) return false;
  if (code === "not_found") return wasSeen || elapsedMs >= notFoundToleranceMs;
  return isRefusal(error);
};

/** Tells whether a failure is a candidate for an answer that no further look can change. */
const mayLast = (error: AnyAdGenError, wasSeen: boolean): boolean => {
  const { code, status } = error;
  const isAnswer = ["decode", "unexpected_status", "not_found"].includes(code) || isRefusal(error);
  if (!isAnswer || status === 408) return false;
  // A page in the place of a job that was seen is an outage; for a refusal it may be the truth.
  return !isStranger(error) || !wasSeen || code === "not_found" || isRefusal(error);
};

/** Decides which failed looks end a wait. It remembers failures that follow each other. */
export interface FailureWatch {
  /** Tells whether a failed look ends the wait. */
  readonly endsWait: (error: AnyAdGenError, wait: WaitSoFar) => boolean;
}

/** Makes a {@link FailureWatch} for the failures since the last look that succeeded. */
export const createFailureWatch = (): FailureWatch => {
  let kind = "";
  let looks = 0;
  let sinceMs = 0;

  return {
    endsWait: (error, wait) => {
      if (isFatal(error, wait)) return true;
      if (!mayLast(error, wait.wasSeen)) {
        looks = 0;
        return false;
      }
      const reason = error.code === "decode" ? error.reason : "";
      const ownKind = [error.code, error.status, reason, error.contentType].join(" ");
      if (looks === 0 || ownKind !== kind) {
        kind = ownKind;
        looks = 0;
        sinceMs = wait.elapsedMs;
      }
      looks++;
      return looks >= lastingLooks && wait.elapsedMs - sinceMs >= lastingMs;
    },
  };
};
