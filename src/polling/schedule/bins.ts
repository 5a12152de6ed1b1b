/** Bins begin at zero. Far beyond this unit, each is 2 % longer than the one before. */
const unitMs = 50;

/** The natural logarithm of the bins' growth. */
export const growth = 0.02;

/** Number of bins. They reach to 90 minutes; later times belong to the last one. */
export const binCount = 580;

/** Gives the place of a time among the bins, with its fraction. */
export const binOf = (ms: number): number => Math.log1p(Math.max(0, ms) / unitMs) / growth;

/** Gives the time at a place among the bins. */
export const timeOf = (bin: number): number => unitMs * Math.expm1(bin * growth);

/** End of the last bin. */
export const horizonMs: number = /* @__PURE__ */ timeOf(binCount);

/** Bins in which a job may have ended: from the first to the one before the last. */
export type Interval = readonly [from: number, to: number];

/** Reads a list of numbers. */
export const at = (list: readonly number[], index: number): number => list[index] ?? 0;

/** Adds up a list. */
export const sumOf = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0);
