/** The limit, of a proxy or a budget, that a submission would exceed. */
export interface ReachedLimit {
  /** Kind of the amount. */
  readonly kind: "jobs" | "imageCredits" | "videoSeconds";
  /** Largest amount in the window. */
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly windowMs: number;
  /** End of the window, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Kinds of amounts that a limit of a proxy counts. */
export type LimitKind = ReachedLimit["kind"];

/*
 * Headers between the client in a page and the proxy before the service. The service knows neither.
 */

/** Header that names the call. A request with the same id is the same call, sent again. */
export const callIdHeader = "idempotency-key";

/** Header that says what became of a write that failed: `not-sent`, `refused` or `unknown`. */
export const outcomeHeader = "adgen-outcome";
