/** Limits that faults share with the ways of delivering them. */

/** Headers that each face sends itself, because it frames its messages itself. */
export const framingHeaders: readonly string[] = [
  "connection",
  "content-length",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Longest time in milliseconds that the timers of a runtime can wait. */
export const maxTimerMs = 2_147_483_647;
