import { binCount, edgeOf, horizonMs, timeOf, valueAt } from "./bins.ts";
import { forEachBin, type Law, sumOf } from "./law.ts";

/** Gives the time of the next look after a time at which a job had not finished. */
export type LookPlan = (ms: number) => number;

/** The least distance of two looks. */
export const leastGapMs = 50;

/** Number of times that are tried for a look, in each of Keller's gaps. */
const fineness = 4;
const fewestTimes = 100;
/** A plan with more of them stays with Keller's gaps, which are as good where looks are many. */
const mostTimes = 3_000;

/** Halvings of the range of prices, which is from 0.02 to 50 times Keller's. */
const halvings = 11;

/** A time that is tried for a look. */
interface Moment {
  readonly at: number;
  readonly ms: number;
  /** Chance to have finished by then, and its integral over time. */
  readonly chance: number;
  readonly area: number;
  readonly seenChance: number;
  readonly seenArea: number;
  readonly before: Moment | undefined;
  /** Best time for the look after this one, and the cost from here on. */
  next: Moment | undefined;
  cost: number;
}

/** Lays out the times that are tried, and gives the last. */
const layOut = ({ seen, believed }: Law, looksBy: readonly number[], count: number): Moment => {
  const looks = looksBy[binCount] ?? 0;
  let last: Moment | undefined;
  for (let at = 0; at <= count; at += 1) {
    const ms = timeOf(looksBy, (at / count) * looks);
    const chance = valueAt(believed, ms);
    const seenChance = valueAt(seen, ms);
    const half = (ms - (last?.ms ?? 0)) / 2;
    const area = (last?.area ?? 0) + half * (chance + (last?.chance ?? 0));
    const seenArea = (last?.seenArea ?? 0) + half * (seenChance + (last?.seenChance ?? 0));
    last = { at, ms, chance, area, seenChance, seenArea, before: last, next: undefined, cost: 0 };
  }
  return last as Moment;
};

/**
 * Finds the best next look for each moment where a second of delay costs `1000 * price` looks, and
 * gives the first moment. The best next look of an earlier moment is never later.
 */
const choose = (last: Moment, price: number): Moment => {
  let latest = last;
  let moment = last;
  last.cost = price * last.area;
  while (moment.before !== undefined) {
    moment = moment.before;
    const rate = price * moment.chance;
    let least = Number.POSITIVE_INFINITY;
    for (let end = latest; end !== moment; end = end.before ?? moment) {
      const cost = end.cost - rate * end.ms;
      if (cost < least) {
        least = cost;
        latest = end;
      }
    }
    moment.next = latest;
    moment.cost = least + 1 - moment.chance + rate * moment.ms;
  }
  return moment;
};

/** Gives the mean delay of the looks that were chosen. */
const delayFrom = (first: Moment): number => {
  let delay = 0;
  for (let from = first, to = from.next; to !== undefined; from = to, to = from.next) {
    delay += to.seenArea - from.seenArea - from.seenChance * (to.ms - from.ms);
  }
  return delay;
};

/** Lists the best next moment of each, at the least price that keeps the delay in the target. */
const chooseAll = (last: Moment, targetMs: number, kellerPrice: number): readonly number[] => {
  let low = 0.02;
  let high = 50;
  for (let round = 0; round < halvings; round += 1) {
    const factor = Math.sqrt(low * high);
    if (delayFrom(choose(last, factor * kellerPrice)) > targetMs) low = factor;
    else high = factor;
  }
  choose(last, high * kellerPrice);
  const list: number[] = [];
  for (let moment: Moment | undefined = last; moment; moment = moment.before) {
    list.unshift(moment.next?.at ?? moment.at + 1);
  }
  return list;
};

/**
 * Plans the looks at jobs whose durations follow a law: the fewest looks that give a mean delay of
 * `targetMs`.
 *
 * A first plan is Keller's (1974): the density of looks is proportional to the root of the hazard.
 * It lays out the times that are tried, more of them where finishing is likely. Over these times, a
 * dynamic programme finds the best plan at a price for the delay: the optimal inspection schedule
 * of Barlow, Hunter and Proschan (1963). The price is found by bisection.
 */
export const planLooks = (law: Law, targetMs: number): LookPlan => {
  const roots = forEachBin((bin) => {
    const [from = 0, to = 1] = law.believed.slice(bin, bin + 2);
    return Math.sqrt((to - from) / (1 - from) / (edgeOf(bin + 1) - edgeOf(bin)));
  });
  // Keller's gaps are `scale / root`, and the delay is half a gap.
  const scale =
    (2 * targetMs) /
    sumOf(
      roots.map((root, bin) => ((law.believed[bin + 1] ?? 0) - (law.believed[bin] ?? 0)) / root),
    );
  let looks = 0;
  const looksBy = [
    0,
    ...roots.map((root, bin) => {
      looks += (edgeOf(bin + 1) - edgeOf(bin)) * Math.min(root / scale, 1 / leastGapMs);
      return looks;
    }),
  ];
  const count = Math.max(fewestTimes, Math.ceil(fineness * looks));
  const perLook = count / looks;
  const next =
    count > mostTimes ? [] : chooseAll(layOut(law, looksBy, count), targetMs, 2 / scale ** 2);
  return (ms) => {
    const place = valueAt(looksBy, ms) * perLook;
    const at = Math.floor(place);
    const [here = place + perLook, after = here] = next.slice(at, at + 2);
    const nextMs = timeOf(looksBy, (here + (place - at) * (after - here)) / perLook);
    return Math.min(Math.max(nextMs, ms + leastGapMs), ms + horizonMs);
  };
};
