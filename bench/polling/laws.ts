/** Laws that durations of jobs may follow. Each is known by its quantiles. */
import { shuffle } from "./random.ts";

export interface Law {
  readonly name: string;
  /** Gives the duration, in milliseconds, that a share `u` of all jobs stays below. */
  readonly quantile: (u: number) => number;
}

/** Gives the quantile of the standard normal law (Acklam, relative error below 1.2e-9). */
const normalQuantile = (u: number): number => {
  const poly = (x: number, ...factors: number[]): number =>
    factors.reduce((sum, factor) => sum * x + factor, 0);
  const tail = (q: number): number =>
    poly(
      q,
      -7.784894002430293e-3,
      -3.223964580411365e-1,
      -2.400758277161838,
      -2.549732539343734,
      4.374664141464968,
      2.938163982698783,
    ) /
    poly(q, 7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1);
  if (u < 0.02425) return tail(Math.sqrt(-2 * Math.log(u)));
  if (u > 1 - 0.02425) return -tail(Math.sqrt(-2 * Math.log(1 - u)));
  const q = u - 0.5;
  const r = q * q;
  return (
    (poly(
      r,
      -3.969683028665376e1,
      2.209460984245205e2,
      -2.759285104469687e2,
      1.38357751867269e2,
      -3.066479806614716e1,
      2.506628277459239,
    ) *
      q) /
    poly(
      r,
      -5.447609879822406e1,
      1.615858368580409e2,
      -1.556989798598866e2,
      6.680131188771972e1,
      -1.328068155288572e1,
      1,
    )
  );
};

export const lognormal = (medianMs: number, sigma: number): Law => ({
  name: `lognormal, median ${medianMs / 1000} s, σ ${sigma}`,
  quantile: (u) => medianMs * Math.exp(sigma * normalQuantile(u)),
});

export const uniform = (fromMs: number, toMs: number): Law => ({
  name: `uniform, ${fromMs / 1000} to ${toMs / 1000} s`,
  quantile: (u) => fromMs + u * (toMs - fromMs),
});

export const exponential = (meanMs: number): Law => ({
  name: `exponential, mean ${meanMs / 1000} s`,
  quantile: (u) => -meanMs * Math.log(1 - u),
});

/** A share of the jobs follows `one`, the others `other`; all of `one` are the quicker ones. */
export const twoKinds = (name: string, one: Law, other: Law, shareOfOne: number): Law => ({
  name,
  quantile: (u) =>
    u < shareOfOne
      ? one.quantile(u / shareOfOne)
      : other.quantile((u - shareOfOne) / (1 - shareOfOne)),
});

/** The middle of each of so many equal shares of the law, in rising order. */
export const sharesOf = ({ quantile }: Law, count: number): number[] =>
  Array.from({ length: count }, (_, place) => quantile((place + 0.5) / count));

/** As many durations as asked for, which follow the law as closely as so many can, in any order. */
export const drawEvenly = (law: Law, count: number, random: () => number): number[] =>
  shuffle(sharesOf(law, count), random);

/** As many durations as asked for, each drawn by itself. */
export const drawFreely = ({ quantile }: Law, count: number, random: () => number): number[] =>
  Array.from({ length: count }, () => quantile(random()));
