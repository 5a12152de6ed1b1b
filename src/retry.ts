import type { AdGenError } from "./errors.ts";

/** What {@link retryDelayMs} decides by. */
export interface FailedAttempt {
  readonly method: string;
  readonly error: AdGenError;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly maxRetries: number;
  /** What is left of the call's time. */
  readonly leftMs: number;
}

/**
 * System errors that prove that a request never left this machine. `ECONNRESET`, `EPIPE` and
 * `UND_ERR_SOCKET` are not among them: they also end connections whose request was carried out.
 */
export const neverSentCodes: readonly unknown[] = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "bad port", // has no code: the fetch standard blocks it
];

const passing = ["connection", "timeout", "rate_limited", "server_error"];

const mayBeSentAgain = (method: string, { code, status, outcome, retryAfterMs }: AdGenError) => {
  if (/GET|DELETE/.test(method)) return passing.includes(code) || status === 408;
  return (
    (status === 429 && retryAfterMs !== undefined) ||
    (code === "connection" && outcome === "not-sent")
  );
};

/** How long to wait before the next attempt; `undefined` when there must be none. */
export const retryDelayMs = (
  { method, error, attempt, maxRetries, leftMs }: FailedAttempt,
  random: () => number = Math.random,
): number | undefined => {
  // Timers may fire a little early: what is left then is no time for another attempt.
  if (attempt > maxRetries || leftMs < 5 || !mayBeSentAgain(method, error)) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) {
    // An attempt in the last moment would only turn a clear refusal into a timeout.
    return retryAfterMs < 0.9 * leftMs ? retryAfterMs : undefined;
  }
  return random() * Math.min(250 * 2 ** (attempt - 1), 4_000, leftMs / 2);
};

/**
 * Reads `Retry-After`, seconds or date, as milliseconds; `undefined` when there is none to make
 * sense of. A date is compared with the answer's own `Date`: this machine's clock may be wrong.
 */
export const parseRetryAfter = (headers: Headers): number | undefined => {
  const value = headers.get("retry-after");
  if (!value) return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return Math.min(seconds * 1000, 2 ** 53);
  if (!value.endsWith("GMT")) return undefined; // Date.parse makes dates of the strangest things
  const waitMs = Date.parse(value) - (Date.parse(headers.get("date") ?? "") || Date.now());
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
};
