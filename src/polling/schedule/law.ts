import { at, binCount, binOf, growth, type Interval, sumOf, timeOf } from "./bins.ts";

/** The law of an action's durations. */
export interface Law {
  /** Chance of each bin. */
  readonly masses: readonly number[];
  /** Chances to have finished by the begin of each bin. */
  readonly chances: readonly number[];
}

/** Weight of the prior, in jobs. Half of its mass lies before ten seconds; its tail is long. */
const priorJobs = 0.6;
const priorMedianMs = 10_000;

const rounds = 4;

/**
 * At first, a job is taken to have ended late in its interval, by this power of the time. Half of
 * the power is left where so many jobs are known.
 */
const lateness = 8;
const jobsOfHalf = 8;

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

/**
 * Estimates a law from intervals. Each job is spread over its interval as the law lies there; the
 * sum is smoothed, and is the next law. This is the smoothed EM algorithm for censored data
 * (Silverman, Jones, Wilson and Nychka 1990). A mild prior expects something everywhere.
 */
export const lawFrom = (seen: readonly Interval[]): Law => {
  const width = widthFor(seen);
  const bins = Array.from({ length: binCount }, (_, bin) => bin);
  const power = (lateness * seen.length) / (seen.length + jobsOfHalf);
  let masses: readonly number[] = bins.map((bin) => Math.exp(power * growth * bin));
  for (let round = 0; round < rounds; round += 1) {
    const spread: number[] = Array(binCount).fill(0);
    for (const [from, to] of seen) {
      const parts = masses.slice(from, to);
      const whole = sumOf(parts);
      for (const [index, part] of parts.entries()) {
        spread[from + index] = at(spread, from + index) + part / whole;
      }
    }
    masses = smooth(spread, width).map((mass, bin) => mass + prior(bin + 1) - prior(bin));
  }
  const whole = sumOf(masses);
  let chance = 0;
  const chances = masses.map((mass) => {
    const before = chance;
    chance += mass / whole;
    return before;
  });
  return { masses: masses.map((mass) => mass / whole), chances };
};

/** Gives the chance to have finished by a time. */
export const chanceBy = ({ masses, chances }: Law, ms: number): number => {
  const place = binOf(ms);
  const bin = Math.floor(place);
  return (chances[bin] ?? 1) + (place - bin) * at(masses, bin);
};

/** Gives the time by which this part of the jobs has finished. */
export const timeBy = ({ chances }: Law, part: number): number => {
  const bin = chances.findIndex((chance) => chance >= part);
  return timeOf(bin < 0 ? binCount : bin);
};
