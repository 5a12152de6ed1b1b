import { horizonMs } from "./bins.ts";
import { chanceBy, type Law } from "./law.ts";

/** Gives the time of the next look after a time at which a job had not finished. */
export type LookPlan = (ms: number) => number;

/** The least distance of two looks. */
export const leastGapMs = 50;

/** Times that are tried for a look: four for each target, but farther apart than 0.5 %. */
const timesPerTarget = 4;
const leastGrowth = 1 / 200;

/** The price of a delay of the target is sought from 0.01 to 10,000 looks, in so many steps. */
const prices = [0.01, 10_000] as const;
const steps = 12;

/** A time that is tried for a look. */
interface Moment {
  readonly ms: number;
  /** Chance to have finished by then. */
  readonly chance: number;
  /** Mean time between the end of a job and this moment, over all jobs: those after it count 0. */
  readonly lateMs: number;
  /** Best time for the look after this one. */
  nextMs: number;
  /** Price of the looks and delays that then follow, and these delays. */
  price: number;
  delayMs: number;
}

const momentsOf = (law: Law, distanceMs: number): Moment[] => {
  const moments: Moment[] = [];
  let gapMs = 0;
  let [ms, chance, lateMs] = [0, 0, 0];
  while (ms < horizonMs) {
    const before = chance;
    chance = chanceBy(law, ms);
    lateMs += (gapMs * (before + chance)) / 2;
    moments.push({ ms, chance, lateMs, nextMs: ms, price: 0, delayMs: 0 });
    gapMs = Math.max(distanceMs, ms * leastGrowth);
    ms += gapMs;
  }
  return moments;
};

/**
 * Finds the best next look of each moment, from the last to the first, at a price for each
 * millisecond of delay. Gives the mean delay. An earlier moment's next look is never later.
 */
const chooseLooks = (moments: readonly Moment[], priceOfMs: number): number => {
  let latest = moments.length - 1;
  for (let index = latest - 1; index >= 0; index -= 1) {
    const moment = moments[index] as Moment;
    moment.price = Number.POSITIVE_INFINITY;
    for (let end = index + 1, last = latest; end <= last; end += 1) {
      const next = moments[end] as Moment;
      const lateMs = next.lateMs - moment.lateMs - moment.chance * (next.ms - moment.ms);
      const price = next.price + 1 - moment.chance + priceOfMs * lateMs;
      if (price < moment.price) {
        latest = end;
        moment.price = price;
        moment.nextMs = next.ms;
        moment.delayMs = next.delayMs + lateMs;
      }
    }
  }
  return moments[0]?.delayMs ?? 0;
};

/**
 * Plans the looks at jobs whose durations follow a law: the fewest looks that give a mean delay of
 * `targetMs`. This is the optimal inspection schedule of Barlow, Hunter and Proschan (1963), found
 * by a dynamic programme over times that are tried. The price of a delay is found by bisection.
 */
export const planLooks = (law: Law, targetMs: number): LookPlan => {
  const distanceMs = Math.max(leastGapMs / 2, targetMs / timesPerTarget);
  const moments = momentsOf(law, distanceMs);
  let [low, high] = prices.map((price) => price / targetMs) as [number, number];
  for (let step = 0; step < steps; step += 1) {
    const price = Math.sqrt(low * high);
    if (chooseLooks(moments, price) > targetMs) low = price;
    else high = price;
  }
  chooseLooks(moments, high);
  return (ms) => {
    // Close to the horizon, the looks that would follow are missing.
    const knownMs = Math.min(ms, horizonMs / 2);
    const moment = moments.find((each) => each.ms >= knownMs - distanceMs / 2);
    return ms + Math.max(leastGapMs, (moment?.nextMs ?? 0) - knownMs);
  };
};
