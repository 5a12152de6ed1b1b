/** Limits that faults and their deliveries share. */

/** Headers that each adapter sends itself, because it frames its messages. */
export const framingHeaders: readonly string[] = [
  "connection",
  "content-length",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Longest time in milliseconds that the timers of a runtime can wait. */
export const maxDelayMs = 2_147_483_647;
