import { binCount, edgeOf } from "./bins.ts";

/** The law of an action's durations, as chances to have finished by each edge of the bins. */
export interface Law {
  /** From the durations alone. */
  readonly seen: readonly number[];
  /** From the durations and the prior, so that no time is impossible. */
  readonly believed: readonly number[];
}

/** Weight of the prior, in jobs. It has half of its mass before ten seconds, and a long tail. */
const priorJobs = 0.5;
const priorMedianMs = 10_000;

/** Standard deviations of the kernels that are tried, in bins: from 3 % to a factor of 2.6. */
const kernelWidths = [0.75, 1.5, 3, 6, 12, 24];

/** Few durations look alike by chance: a kernel is at least this wide, divided by their number. */
const widthOfOneJob = 45;

const priorChance = (ms: number): number => ms / (ms + priorMedianMs);

const range = <Value>(length: number, valueOf: (index: number) => Value): Value[] =>
  Array.from({ length }, (_, index) => valueOf(index));

/** Gives a list's sums so far, as a part of `total`. */
const cumulate = (masses: readonly number[], total: number): number[] => {
  let sum = 0;
  return [0, ...masses.map((mass) => (sum += mass) / total)];
};

/** Spreads each weight over the bins around it. */
const smooth = (weights: readonly number[], kernel: readonly number[]): number[] => {
  const masses: number[] = Array(binCount).fill(0);
  weights.forEach((weight, from) => {
    if (weight === 0) return;
    for (let to = 0; to < binCount; to += 1) {
      masses[to] = (masses[to] ?? 0) + weight * (kernel[Math.abs(to - from)] ?? 0);
    }
  });
  return masses;
};

/**
 * Estimates a law from the weights of a histogram: a kernel estimate over logarithmic time, with a
 * mild prior. The kernel is the one that predicts each duration best from all others (Habbema,
 * Hermans and van den Broek 1974; Duin 1976), so that two kinds of jobs stay two.
 */
export const lawFrom = (weights: readonly number[]): Law => {
  const jobs = weights.reduce((sum, weight) => sum + weight, 0);
  const prior = range(
    binCount,
    (bin) => priorJobs * (priorChance(edgeOf(bin + 1)) - priorChance(edgeOf(bin))),
  );
  let best: { score: number; masses: readonly number[] } | undefined;
  for (const width of kernelWidths.toReversed()) {
    if (best !== undefined && width < widthOfOneJob / jobs) break;
    const bell = range(binCount, (lag) => Math.exp((lag / width) ** 2 / -2));
    const area = bell.reduce((sum, height, lag) => sum + (lag === 0 ? height : 2 * height), 0);
    const kernel = bell.map((height) => height / area);
    const masses = smooth(weights, kernel);
    // The duration itself is left out of its own prediction.
    const score = weights.reduce((sum, weight, bin) => {
      const own = Math.min(1, weight) * (kernel[0] ?? 0);
      return sum + (weight && weight * Math.log((masses[bin] ?? 0) - own + (prior[bin] ?? 0)));
    }, 0);
    if (best === undefined || score > best.score) best = { score, masses };
  }
  const masses = best?.masses ?? [];
  return {
    seen: cumulate(masses, jobs),
    believed: cumulate(
      masses.map((mass, bin) => mass + (prior[bin] ?? 0)),
      jobs + priorJobs,
    ),
  };
};
