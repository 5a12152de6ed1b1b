import { isLasting } from "../answer/failed-fetch.ts";
import type { AnyAdGenError } from "../errors/errors.ts";

/** The failed attempt that {@link retryDelayMs} decides about. */
export interface FailedAttempt {
  readonly method: string;
  readonly error: Pick<AnyAdGenError, "code" | "status" | "outcome" | "retryAfterMs" | "cause">;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly maxRetries: number;
  /** Time that is left of the call. */
  readonly leftMs: number;
}

const passingCodes: readonly string[] = ["connection", "timeout", "rate_limited", "server_error"];

const mayBeSentAgain = ({ method, error }: FailedAttempt): boolean => {
  const { code, status, outcome, retryAfterMs } = error;
  const isRepeatable = method === "GET" || method === "DELETE";
  if (isRepeatable) return passingCodes.includes(code) || status === 408;
  if (status === 429) return outcome === "refused" && retryAfterMs !== undefined;
  return code === "connection" && outcome === "not-sent";
};

/** The shortest wait before a retry that the service allows at once: ten must not be a burst. */
const floorMs = (attempt: number): number => Math.min(50 * 2 ** (attempt - 1), 1_000);

/** Says how long to wait before the next attempt; `undefined` when there must be none. */
export const retryDelayMs = (
  failed: FailedAttempt,
  random: () => number = Math.random,
): number | undefined => {
  const { error, attempt, maxRetries, leftMs } = failed;
  if (isLasting(error.cause)) return undefined;
  // Timers may fire a little early: less than 5 ms is no time for another attempt.
  if (attempt > maxRetries || leftMs < 5 || !mayBeSentAgain(failed)) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) {
    const waitMs = Math.max(retryAfterMs, floorMs(attempt));
    // An attempt in the last moment would only turn a clear refusal into a timeout.
    return waitMs < 0.9 * leftMs ? waitMs : undefined;
  }
  return random() * Math.min(250 * 2 ** (attempt - 1), 4_000, leftMs / 2);
};
