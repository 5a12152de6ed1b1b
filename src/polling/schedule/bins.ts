/** Number of bins. They reach from 20 ms to 43 minutes; later times belong to the last one. */
export const binCount = 300;

const firstEdgeMs = 20;
const growth = 1.04;

/** Gives the time at which a bin begins: each is 4 % longer than the one before. */
export const edgeOf = (bin: number): number => (bin > 0 ? firstEdgeMs * growth ** bin : 0);

/** End of the last bin. */
export const horizonMs: number = /* @__PURE__ */ edgeOf(binCount);

/** Finds the bin that holds a time. */
export const binOf = (ms: number): number => {
  const bin = Math.floor(Math.log(ms / firstEdgeMs) / Math.log(growth));
  return Math.min(Math.max(bin, 0), binCount - 1);
};

/** Reads a list with a value for each edge at any place between them, and beyond them straight on. */
const readAt = (pointAt: (edge: number) => number, bin: number, share: number): number => {
  const from = pointAt(bin);
  return from + share * (pointAt(bin + 1) - from);
};

/** Gives the value at a time of a list that holds a value for each edge. */
export const valueAt = (values: readonly number[], ms: number): number => {
  const bin = binOf(ms);
  const from = edgeOf(bin);
  const share = (ms - from) / (edgeOf(bin + 1) - from);
  return readAt((edge) => values[edge] ?? 0, bin, share);
};

/** Finds the time at which a rising list, with a value for each edge, reaches a value. */
export const timeOf = (rising: readonly number[], value: number): number => {
  let bin = 0;
  let end = binCount;
  while (end - bin > 1) {
    const middle = (bin + end) >> 1;
    if ((rising[middle] ?? 0) <= value) bin = middle;
    else end = middle;
  }
  const from = rising[bin] ?? 0;
  return readAt(edgeOf, bin, (value - from) / ((rising[bin + 1] ?? 0) - from));
};
