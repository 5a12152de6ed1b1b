import { retryableCodes } from "../errors/code-groups.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { isLasting } from "./failed-fetch.ts";

/** A failed attempt, about which {@link retryDelayMs} decides. */
export interface FailedAttempt {
  readonly method: string;
  /** Whether this package's proxy has answered. It carries a creation out once for its call id. */
  readonly isKept?: boolean;
  readonly error: Pick<AnyAdGenError, "code" | "status" | "outcome" | "retryAfterMs" | "cause">;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly maxRetries: number;
  /** The time that is left for the call. */
  readonly leftMs: number;
}

const mayBeSentAgain = ({ method, error, isKept }: FailedAttempt): boolean => {
  const { code, status, outcome, retryAfterMs } = error;
  const isRepeatable = method === "GET" || method === "DELETE";
  if (isRepeatable) return retryableCodes.includes(code) || status === 408;
  // The proxy couldn't look the id up and asks for a repeat, which it carries out at most once.
  if (isKept && outcome === "unknown") return retryAfterMs !== undefined;
  if (status === 429) return outcome === "refused" && retryAfterMs !== undefined;
  return code === "connection" && outcome === "not-sent";
};

/**
 * Returns the milliseconds to wait before the next attempt, or `undefined` if there must be none.
 */
export const retryDelayMs = (
  failed: FailedAttempt,
  random: () => number = Math.random,
): number | undefined => {
  const { error, attempt, maxRetries, leftMs } = failed;
  // Timers may fire a little early, so less than 5 ms counts as no time left.
  if (attempt > maxRetries || leftMs < 5 || !mayBeSentAgain(failed)) return undefined;
  if (isLasting(error.cause)) return undefined;
  const { retryAfterMs } = error;
  const doublings = 2 ** (attempt - 1);
  if (retryAfterMs === undefined) {
    return random() * Math.min(250 * doublings, 4_000, leftMs / 2);
  }
  // Even if the service allows an immediate retry, ten retries must not become a burst.
  const waitMs = Math.max(retryAfterMs, Math.min(50 * doublings, 1_000));
  // An attempt at the last moment would only turn a clear refusal into a timeout.
  return waitMs < 0.9 * leftMs ? waitMs : undefined;
};
