import { retryableCodes } from "../errors/code-groups.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { isLasting } from "./failed-fetch.ts";

/** The failed attempt that {@link retryDelayMs} decides about. */
export interface FailedAttempt {
  readonly method: string;
  /** The answer is from this library's proxy, which sends a creation once for its call id. */
  readonly isKept?: boolean;
  readonly error: Pick<AnyAdGenError, "code" | "status" | "outcome" | "retryAfterMs" | "cause">;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly maxRetries: number;
  /** Time that is left of the call. */
  readonly leftMs: number;
}

const mayBeSentAgain = ({ method, error, isKept }: FailedAttempt): boolean => {
  const { code, status, outcome, retryAfterMs } = error;
  const isRepeatable = method === "GET" || method === "DELETE";
  if (isRepeatable) return retryableCodes.includes(code) || status === 408;
  // The proxy could not look the id up, and asks for a repeat: that is sent once for all copies.
  if (isKept && outcome === "unknown") return retryAfterMs !== undefined;
  if (status === 429) return outcome === "refused" && retryAfterMs !== undefined;
  return code === "connection" && outcome === "not-sent";
};

/** Wait before the next attempt; `undefined` when there must be none. */
export const retryDelayMs = (
  failed: FailedAttempt,
  random: () => number = Math.random,
): number | undefined => {
  const { error, attempt, maxRetries, leftMs } = failed;
  // Timers may fire a little early: less than 5 ms is no time for another attempt.
  if (attempt > maxRetries || leftMs < 5 || !mayBeSentAgain(failed)) return undefined;
  if (isLasting(error.cause)) return undefined;
  const { retryAfterMs } = error;
  const doublings = 2 ** (attempt - 1);
  if (retryAfterMs === undefined) {
    return random() * Math.min(250 * doublings, 4_000, leftMs / 2);
  }
  // Where the service allows one at once, ten must not be a burst.
  const waitMs = Math.max(retryAfterMs, Math.min(50 * doublings, 1_000));
  // An attempt in the last moment would only turn a clear refusal into a timeout.
  return waitMs < 0.9 * leftMs ? waitMs : undefined;
};
