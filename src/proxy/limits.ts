/**
 * What one owner may use in a window of time. Windows are fixed: they begin at multiples of
 * `windowMs` since 1970, so a day begins at midnight UTC.
 */
export interface OwnerLimit {
  /** Length of the window in milliseconds, 1000 or more: `86_400_000` for a day. */
  readonly windowMs: number;
  /** Largest number of submissions, free ones included; 0 allows none. */
  readonly jobs?: number | undefined;
  /** Largest number of image credits: one for each variation of a picture. */
  readonly imageCredits?: number | undefined;
  /** Largest sum of the lengths of videos, in seconds. Videos must then say their `duration`. */
  readonly videoSeconds?: number | undefined;
}

/** How much of a limit is used. */
export interface LimitUsage {
  /** Kind of the limit. */
  readonly kind: "jobs" | "imageCredits" | "videoSeconds";
  /** Amount that is used, or reserved by submissions under way. */
  readonly used: number;
  /** Amount that may be used in the window. */
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly windowMs: number;
  /** End of the window, in milliseconds since 1970. */
  readonly endsAt: number;
}
