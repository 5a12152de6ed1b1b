import { at, edges, sumOf, sumsOf } from "./bins.ts";

/** The law of an action's durations. */
export interface Law {
  /** Chance of each bin. */
  readonly masses: readonly number[];
  /** Chances to have finished by each edge of the bins. */
  readonly chances: readonly number[];
}

/** Weight of the prior, in jobs. Half of its mass lies before ten seconds; its tail is long. */
const priorJobs = 0.5;
const priorMedianMs = 10_000;

/** Standard deviations of the kernels, in bins: from 3 % to a factor of 2.6. */
const kernelWidths = [24, 12, 6, 3, 1.5, 0.75];

/** Few durations look alike by chance: divided by their number, it bounds the narrower kernels. */
const widthOfOneJob = 37;

/** A kernel predicts better by luck, too: so much of its lead counts. */
const trustInLead = 0.5;

const prior = (ms: number): number => (priorJobs * ms) / (ms + priorMedianMs);

interface Estimate {
  readonly masses: readonly number[];
  /** Logarithm of the chance that each duration has by all others. */
  readonly score: number;
}

/** Spreads each weight over the bins around it, by a bell curve. */
const smooth = (weights: readonly number[], width: number): Estimate => {
  const bell = weights.map((_, lag) => Math.exp((lag / width) ** 2 / -2));
  const area = 2 * sumOf(bell) - 1;
  const known = [...weights.entries()].filter(([, weight]) => weight > 0);
  let score = 0;
  const masses = weights.map((weight, bin) => {
    let mass = prior(at(edges, bin + 1)) - prior(at(edges, bin));
    for (const [from, part] of known) mass += (part * at(bell, Math.abs(bin - from))) / area;
    // A duration must not predict itself.
    if (weight > 0) score += weight * Math.log(mass - Math.min(1, weight) / area);
    return mass;
  });
  return { masses, score };
};

/**
 * Estimates a law from the weights of a histogram: a kernel estimate over logarithmic time, with a
 * mild prior. Kernels of several widths are mixed, so that two kinds of jobs stay two. Each counts
 * by its power to predict a duration from all others (Habbema, Hermans and van den Broek 1974).
 */
export const lawFrom = (weights: readonly number[], jobs: number): Law => {
  const estimates = kernelWidths
    .filter((width, index) => index === 0 || width * jobs > widthOfOneJob)
    .map((width) => smooth(weights, width));
  const best = Math.max(...estimates.map(({ score }) => score));
  const shares = estimates.map(({ score }) => Math.exp(trustInLead * (score - best)));
  const whole = sumOf(shares) * (jobs + priorJobs);
  const masses = weights.map(
    (_, bin) => sumOf(estimates.map(({ masses }, i) => at(shares, i) * at(masses, bin))) / whole,
  );
  return { masses, chances: sumsOf(masses) };
};
