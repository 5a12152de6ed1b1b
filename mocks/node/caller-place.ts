/**
 * Names the place that has called the function which calls this one, as " of ads.test.ts:7"; "" where
 * the stack doesn't say it.
 */
export const callerPlace = (): string => {
  const [, , , frame] = new Error().stack?.split("\n") ?? [];
  const place = frame?.match(/([^/\\(]+:\d+):\d+\)?$/)?.[1];
  return place === undefined ? "" : ` of ${place}`;
};
