const firstEdgeMs = 20;
const growth = 1.04;

/** Number of bins. They reach from 20 ms to 43 minutes; later times belong to the last one. */
export const binCount = 300;

/** Times at which the bins begin, and the end of the last: each is 4 % longer than the one before. */
export const edges: readonly number[] = /* @__PURE__ */ Array.from(
  { length: binCount + 1 },
  (_, bin) => bin && firstEdgeMs * growth ** bin,
);

/** End of the last bin. */
export const horizonMs: number = firstEdgeMs * growth ** binCount;

/** Reads a list of numbers. */
export const at = (list: readonly number[], index: number): number => list[index] ?? 0;

/** Adds up a list. */
export const sumOf = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0);

/** Gives the sums so far, with zero as the first. */
export const sumsOf = (list: readonly number[]): number[] => {
  const sums = [0];
  for (const value of list) sums.push(at(sums, sums.length - 1) + value);
  return sums;
};

/** Follows the line through the points of two lists, of which the first rises. */
export const interpolate = (xs: readonly number[], ys: readonly number[], x: number): number => {
  let low = 0;
  let high = xs.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(xs, middle) <= x) low = middle;
    else high = middle;
  }
  const share = (x - at(xs, low)) / (at(xs, high) - at(xs, low));
  return at(ys, low) + share * (at(ys, high) - at(ys, low));
};
