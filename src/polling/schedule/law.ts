import { binCount, edgeOf } from "./bins.ts";

/** The law of an action's durations, as chances to have finished by each edge of the bins. */
export interface Law {
  /** From the durations alone. */
  readonly seen: readonly number[];
  /** From the durations and a prior, which leaves no time impossible. */
  readonly believed: readonly number[];
}

/** Weight of the prior, in jobs. Half of its mass lies before ten seconds; its tail is long. */
const priorJobs = 0.5;
const priorMedianMs = 10_000;

/** Standard deviations of the kernels, in bins: from 3 % to a factor of 2.6. */
const kernelWidths = [24, 12, 6, 3, 1.5, 0.75];

/** Few durations look alike by chance: each kernel but the first is wider than this by jobs. */
const widthOfOneJob = 37;

/** A kernel predicts better by luck, too: so much of its lead counts. */
const trustInLead = 0.5;

const priorChance = (ms: number): number => ms / (ms + priorMedianMs);

/** Makes a list with a value for each bin. */
export const forEachBin = <Value>(make: (bin: number) => Value): Value[] =>
  Array.from({ length: binCount }, (_, bin) => make(bin));

/** Adds up a list. */
export const sumOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0);

/** Gives the sums so far, as parts of the whole. */
const cumulate = (masses: readonly number[], whole: number): number[] => {
  let sum = 0;
  const parts = masses.map((mass) => {
    sum += mass;
    return sum / whole;
  });
  return [0, ...parts];
};

interface Smoothed {
  readonly masses: readonly number[];
  /** Logarithm of the chance that each duration has by all others. */
  readonly score: number;
}

/** Spreads each weight over the bins around it, by a bell curve. */
const smooth = (weights: readonly number[], prior: readonly number[], width: number): Smoothed => {
  const bell = forEachBin((lag) => Math.exp((lag / width) ** 2 / -2));
  const area = 2 * sumOf(bell) - 1;
  const masses = prior.slice();
  for (const [from, weight] of weights.entries()) {
    if (weight === 0) continue;
    for (const [to, mass] of masses.entries()) {
      masses[to] = mass + (weight * (bell[Math.abs(to - from)] ?? 0)) / area;
    }
  }
  const score = sumOf(
    masses.map((mass, bin) => {
      const weight = weights[bin] ?? 0;
      // One duration is left out: it must not predict itself.
      return weight && weight * Math.log(mass - Math.min(1, weight) / area);
    }),
  );
  return { masses, score };
};

/**
 * Estimates a law from the weights of a histogram: a kernel estimate over logarithmic time, with a
 * mild prior. Kernels of several widths are mixed. Each counts by its power to predict a duration
 * from all others (Habbema, Hermans and van den Broek 1974), so that two kinds of jobs stay two.
 */
export const lawFrom = (weights: readonly number[]): Law => {
  const jobs = sumOf(weights);
  const prior = forEachBin(
    (bin) => priorJobs * (priorChance(edgeOf(bin + 1)) - priorChance(edgeOf(bin))),
  );
  const all = kernelWidths
    .filter((width, index) => index === 0 || width * jobs > widthOfOneJob)
    .map((width) => smooth(weights, prior, width));
  const best = Math.max(...all.map(({ score }) => score));
  const shares = all.map(({ score }) => Math.exp(trustInLead * (score - best)));
  const masses = forEachBin(
    (bin) =>
      sumOf(all.map((each, i) => (shares[i] ?? 0) * (each.masses[bin] ?? 0))) / sumOf(shares),
  );
  return {
    seen: cumulate(
      masses.map((mass, bin) => mass - (prior[bin] ?? 0)),
      jobs,
    ),
    believed: cumulate(masses, jobs + priorJobs),
  };
};
