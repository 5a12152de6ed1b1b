/** Kinds of amounts that a limit of a proxy counts. */
export type LimitKind = "jobs" | "imageCredits" | "videoSeconds";

/** Limit of an app that a submission would exceed, as the app's proxy tells it beside the failure. */
export interface ReachedLimit {
  /** Kind of the amount. */
  readonly kind: LimitKind;
  /** Largest amount in the window. */
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly windowMs: number;
  /** End of the window, in milliseconds since 1970. */
  readonly endsAt: number;
}
