/** Limits that faults and their deliveries share. */

/** Headers that only an adapter may send, because they frame its messages. */
export const framingHeaders: readonly string[] = [
  "connection",
  "content-length",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Maximum number of milliseconds that a timer can wait. */
export const maxDelayMs = 2_147_483_647;
