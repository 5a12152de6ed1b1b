/**
 * Durations lie in bins of a logarithmic scale, which begin at zero. Far beyond this unit, each bin is
 * 2 % longer than the one before.
 */
const unitMs = 50;

/** The natural logarithm of the bins' growth. */
export const growth = 0.02;

/** Number of bins. They reach to 90 minutes; later times belong to the last one. */
export const binCount = 580;

export const binOf = (ms: number): number => Math.log1p(Math.max(0, ms) / unitMs) / growth;

export const timeOf = (bin: number): number => unitMs * Math.expm1(bin * growth);

export const horizonMs: number = /* @__PURE__ */ timeOf(binCount);

/** Bins in which a job may have ended: from the first to the one before the last. */
export type Interval = readonly [from: number, to: number];

export const at = (list: readonly number[], index: number): number => list[index] ?? 0;

export const sumOf = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0);

/**
 * Distribution of an action's durations: the probabilities to have finished by the begin of each
 * bin, and by the end of the last.
 */
export type Distribution = readonly number[];

/** Weight of the prior, in jobs. Half of it lies before ten seconds; its tail is long. */
const priorJobs = 0.6;
const priorMedianMs = 10_000;

const rounds = 4;

/** At first, a job is taken to have ended late in its interval, by this power of the time. */
const lateness = 7;

/** The typical distance of jobs is read from the shortest stretch that holds this part of them. */
const crowdedPart = 0.4;

/** Few durations look alike by chance: divided by their number, it bounds the smoothing. */
const widthOfOneJob = 80;

const prior = (bin: number): number => {
  const ms = timeOf(bin);
  return (priorJobs * ms) / (ms + priorMedianMs);
};

/** Gives the standard deviation of the smoothing, in bins: less for more jobs, and for alike. */
const widthFor = (seen: readonly Interval[]): number => {
  const ends = seen.map(([, to]) => to).sort((one, other) => one - other);
  const crowd = Math.floor(crowdedPart * ends.length);
  const stretch = 1 + Math.min(...ends.slice(crowd).map((end, index) => end - at(ends, index)));
  return Math.max(1, 0.8 * stretch * ends.length ** -0.2, widthOfOneJob / ends.length);
};

/** Smooths a list: an exponential decay, twice to either side. */
const smooth = (list: readonly number[], width: number): readonly number[] => {
  const part = (2 * (Math.sqrt(1 + width ** 2) - 1)) / width ** 2;
  return [1, 2, 3, 4].reduce((smoothed) => {
    let last = 0;
    const decayed = smoothed.map((value) => {
      last += part * (value - last);
      return last;
    });
    return decayed.reverse();
  }, list);
};

const countOpen = (openTimes: readonly number[]): ReadonlyMap<number, number> => {
  const bins = new Map<number, number>();
  for (const ms of openTimes) {
    const bin = Math.min(Math.round(binOf(ms)), binCount - 1);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  return bins;
};

/** Spreads a number of jobs over a stretch, as the distribution lies there. */
const spreadOver = (
  spread: number[],
  probabilities: readonly number[],
  [from, to]: Interval,
  jobs: number,
): void => {
  const whole = sumOf(probabilities.slice(from, to));
  for (let bin = from; bin < to; bin += 1) {
    spread[bin] = at(spread, bin) + (jobs * at(probabilities, bin)) / whole;
  }
};

/**
 * Estimates a distribution from intervals. Each job is spread over its interval as the distribution
 * lies there; the sum is smoothed, and is the next distribution. This is the smoothed EM algorithm
 * for censored data (Silverman, Jones, Wilson and Nychka 1990). A mild prior expects something
 * everywhere.
 *
 * Jobs that still run have intervals without an end. Without them, the first that finish teach that
 * jobs are short.
 */
export const estimateDistribution = (
  seen: readonly Interval[],
  openTimes: readonly number[] = [],
): Distribution => {
  const open = countOpen(openTimes);
  const width = widthFor(seen);
  const bins = Array.from({ length: binCount }, (_, bin) => bin);
  const priorProbabilities = bins.map((bin) => prior(bin + 1) - prior(bin));
  let probabilities: readonly number[] = bins.map((bin) => Math.exp(lateness * growth * bin));
  for (let round = 0; round < rounds; round += 1) {
    const spread: number[] = Array(binCount).fill(0);
    for (const interval of seen) spreadOver(spread, probabilities, interval, 1);
    // At first they may end at any time; the begin's power of the time would have all end late.
    const tail = round === 0 ? priorProbabilities : probabilities;
    for (const [from, jobs] of open) spreadOver(spread, tail, [from, binCount], jobs);
    probabilities = smooth(spread, width).map(
      (probability, bin) => probability + at(priorProbabilities, bin),
    );
  }
  const whole = sumOf(probabilities);
  let sum = 0;
  const ends = probabilities.map((probability) => {
    sum += probability / whole;
    return sum;
  });
  return [0, ...ends];
};

export const probabilityBy = (distribution: Distribution, ms: number): number => {
  const place = binOf(ms);
  const bin = Math.floor(place);
  const { [bin]: before = 1, [bin + 1]: after = 1 } = distribution;
  return before + (place - bin) * (after - before);
};

export const timeBy = (distribution: Distribution, part: number): number => {
  const bin = distribution.findIndex((probability) => probability >= part);
  return timeOf(bin < 0 ? binCount : bin);
};
