/**
 * Returns the place from which the calling function was called, as " of ads.test.ts:7"; "" if the stack
 * doesn't say it.
 */
export const callerPlace = (): string => {
  const [, , , frame] = new Error().stack?.split("\n") ?? [];
  const place = frame?.match(/([^/\\(]+:\d+):\d+\)?$/)?.[1];
  return place === undefined ? "" : ` of ${place}`;
};
