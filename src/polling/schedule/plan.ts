import { type Distribution, horizonMs, probabilityBy } from "./distribution.ts";

/** Gives the time of the next poll after a time at which a job had not finished. */
export type PollPlan = (ms: number) => number;

export const leastGapMs = 50;

/** Times that are tried for a poll: four for each target, but farther apart than 0.5 %. */
const timesPerTarget = 4;
const leastGrowth = 1 / 200;

/** The price of a delay of the target is sought from 0.01 to 10,000 polls, in so many steps. */
const prices = [0.01, 10_000] as const;
const steps = 12;

interface Candidate {
  readonly ms: number;
  readonly probability: number;
  /** Mean time between the end of a job and this time, over all jobs: those after it count 0. */
  readonly lateMs: number;
  nextMs: number;
  /** Price of the polls and delays that then follow, and these delays. */
  price: number;
  delayMs: number;
}

const candidatesOf = (distribution: Distribution, distanceMs: number): Candidate[] => {
  const candidates: Candidate[] = [];
  let gapMs = 0;
  let [ms, probability, lateMs] = [0, 0, 0];
  while (ms < horizonMs) {
    const before = probability;
    probability = probabilityBy(distribution, ms);
    lateMs += (gapMs * (before + probability)) / 2;
    candidates.push({ ms, probability, lateMs, nextMs: ms, price: 0, delayMs: 0 });
    gapMs = Math.max(distanceMs, ms * leastGrowth);
    ms += gapMs;
  }
  return candidates;
};

/**
 * Finds the best next poll of each candidate, from the last to the first, at a price for each
 * millisecond of delay. Gives the mean delay. An earlier candidate's next poll is never later.
 */
const choosePolls = (candidates: readonly Candidate[], priceOfMs: number): number => {
  let latest = candidates.length - 1;
  for (let index = latest - 1; index >= 0; index -= 1) {
    const candidate = candidates[index] as Candidate;
    candidate.price = Number.POSITIVE_INFINITY;
    for (let end = index + 1, last = latest; end <= last; end += 1) {
      const next = candidates[end] as Candidate;
      const lateMs =
        next.lateMs - candidate.lateMs - candidate.probability * (next.ms - candidate.ms);
      const price = next.price + 1 - candidate.probability + priceOfMs * lateMs;
      if (price < candidate.price) {
        latest = end;
        candidate.price = price;
        candidate.nextMs = next.ms;
        candidate.delayMs = next.delayMs + lateMs;
      }
    }
  }
  return candidates[0]?.delayMs ?? 0;
};

/**
 * Plans the polls of jobs whose durations follow a distribution: the fewest polls that give a mean
 * delay of `targetMs`. This is the optimal inspection schedule of Barlow, Hunter and Proschan (1963),
 * a shortest path over the candidates. The price of a delay is found by bisection.
 */
export const planPolls = (distribution: Distribution, targetMs: number): PollPlan => {
  const distanceMs = Math.max(leastGapMs / 2, targetMs / timesPerTarget);
  const candidates = candidatesOf(distribution, distanceMs);
  let [low, high] = prices.map((price) => price / targetMs) as [number, number];
  for (let step = 0; step < steps; step += 1) {
    const price = Math.sqrt(low * high);
    if (choosePolls(candidates, price) > targetMs) low = price;
    else high = price;
  }
  choosePolls(candidates, high);
  return (ms) => {
    // Close to the horizon, the polls that would follow are missing.
    const knownMs = Math.min(ms, horizonMs / 2);
    const candidate = candidates.find((each) => each.ms >= knownMs - distanceMs / 2);
    return ms + Math.max(leastGapMs, (candidate?.nextMs ?? 0) - knownMs);
  };
};
