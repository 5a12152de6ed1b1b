import { at, edges, horizonMs, interpolate, sumOf, sumsOf } from "./bins.ts";
import type { Law } from "./law.ts";

/** Gives the time of the next look after a time at which a job had not finished. */
export type LookPlan = (ms: number) => number;

/** The least distance of two looks. */
export const leastGapMs = 50;

/** Number of times that are tried for a look, in each of Keller's gaps. */
const fineness = 4;
const fewestTimes = 100;
/** A plan with more of them stays with Keller's gaps, which are as good where looks are many. */
const mostTimes = 3_000;

/** The price of a delay is sought from 0.02 to 50 times Keller's, in so many steps. */
const priceRange = 50;
const steps = 11;

/** A time that is tried for a look. */
interface Moment {
  readonly ms: number;
  /** Chance to have finished by then, and the mean over all jobs of the time of those. */
  readonly chance: number;
  readonly meanMs: number;
  readonly before: Moment | undefined;
  /** Best time for the look after this one, and the looks and the delay that then follow. */
  nextMs: number;
  looks: number;
  delayMs: number;
}

/**
 * Finds the best next look of each moment, from the last to the first, at a price for each
 * millisecond of delay. Gives the mean delay. An earlier moment's next look is never later.
 */
const chooseLooks = (backwards: readonly Moment[], price: number): number => {
  let [latest] = backwards;
  let meanDelayMs = 0;
  for (const moment of backwards) {
    let least = Number.POSITIVE_INFINITY;
    for (let end = latest; end !== moment && end !== undefined; end = end.before) {
      const looks = end.looks + 1 - moment.chance;
      const delayMs =
        end.delayMs + end.ms * (end.chance - moment.chance) - end.meanMs + moment.meanMs;
      if (looks + price * delayMs < least) {
        least = looks + price * delayMs;
        latest = end;
        moment.nextMs = end.ms;
        moment.looks = looks;
        moment.delayMs = delayMs;
      }
    }
    meanDelayMs = moment.delayMs;
  }
  return meanDelayMs;
};

/**
 * Plans the looks at jobs whose durations follow a law: the fewest looks that give a mean delay of
 * `targetMs`.
 *
 * A first plan is Keller's (1974): the density of looks is proportional to the root of the hazard.
 * It lays out the times that are tried, more of them where finishing is likely. Over these times, a
 * dynamic programme finds the best plan at a price for the delay. This is the optimal inspection
 * schedule of Barlow, Hunter and Proschan (1963). The price is found by bisection.
 *
 * A caller may move a look by a tenth of the target to either side: it costs less than a hundredth
 * of the delay. The look after it is planned from the time at which it was made.
 */
export const planLooks = ({ masses, chances }: Law, targetMs: number): LookPlan => {
  const bins = masses.map((mass, bin) => {
    const widthMs = at(edges, bin + 1) - at(edges, bin);
    return { mass, widthMs, root: Math.sqrt(mass / (1 - at(chances, bin)) / widthMs) };
  });
  // Keller's gaps are `scale / root`, and the mean delay is half a gap.
  const scale = (2 * targetMs) / sumOf(bins.map(({ mass, root }) => mass / root));
  const looksBy = sumsOf(
    bins.map(({ widthMs, root }) => widthMs * Math.min(root / scale, 1 / leastGapMs)),
  );
  const looks = at(looksBy, masses.length);
  const isSparse = fineness * looks <= mostTimes;
  const count = Math.ceil(Math.min(Math.max(fewestTimes, fineness * looks), mostTimes));

  const moments: Moment[] = [];
  let before: Moment | undefined;
  for (let index = 0; index <= count; index += 1) {
    const ms = interpolate(looksBy, edges, (index / count) * looks);
    const nextMs = interpolate(looksBy, edges, (index / count) * looks + 1);
    const chance = interpolate(edges, chances, ms);
    const part = chance - (before?.chance ?? 0);
    const meanMs = (before?.meanMs ?? 0) + (part * (ms + (before?.ms ?? 0))) / 2;
    before = { ms, chance, meanMs, before, nextMs, looks: 0, delayMs: 0 };
    moments.push(before);
  }
  const times = moments.map(({ ms }) => ms);
  moments.reverse();
  if (isSparse) {
    let low = 2 / scale ** 2 / priceRange;
    let high = low * priceRange ** 2;
    for (let step = 0; step < steps; step += 1) {
      const price = Math.sqrt(low * high);
      if (chooseLooks(moments, price) > targetMs) low = price;
      else high = price;
    }
    chooseLooks(moments, high);
  }
  const nextTimes = moments.map(({ nextMs }) => nextMs).reverse();
  return (ms) => {
    const knownMs = Math.min(ms, horizonMs);
    const gapMs = interpolate(times, nextTimes, knownMs) - knownMs;
    return ms + Math.min(Math.max(gapMs, leastGapMs), horizonMs);
  };
};
