/** Deeper JSON could not be written out or copied again: both recurse. */
export const maxDepth = 64;

export const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));
