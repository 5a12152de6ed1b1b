import { binCount, edgeOf, horizonMs, timeOf, valueAt } from "./bins.ts";
import type { Law } from "./law.ts";

/** Gives the time of the next look after a time at which a job had not finished. */
export type LookPlan = (ms: number) => number;

/** The least distance of two looks. */
const leastGapMs = 50;

/** Times that are tried for a look, in each of Keller's gaps. */
const fineness = 4;
const fewestTimes = 100;
/** Plans with more looks than a quarter of this stay with Keller's gaps, which are then as good. */
const mostTimes = 3_000;

const bisections = 11;

/**
 * Plans the looks at a job whose duration follows a law, with a mean delay of `targetMs`. It makes
 * the fewest looks that give this delay.
 *
 * A first plan is Keller's (1974): the density of looks is proportional to the root of the hazard.
 * It lays out the times that are tried, more of them where finishing is likely. Over these times,
 * a dynamic programme finds the best plan at a price for the delay (Barlow, Hunter and Proschan
 * 1963). The price is found by bisection.
 */
export const planLooks = ({ seen, believed }: Law, targetMs: number): LookPlan => {
  const bins = Array.from({ length: binCount }, (_, bin) => {
    const [from = 0, to = 0] = believed.slice(bin, bin + 2);
    const widthMs = edgeOf(bin + 1) - edgeOf(bin);
    return { mass: to - from, widthMs, root: Math.sqrt((to - from) / (1 - from) / widthMs) };
  });
  // The mean delay is half a gap, and each gap is `scale / root`.
  const scale = (2 * targetMs) / bins.reduce((sum, { mass, root }) => sum + mass / root, 0);
  let looks = 0;
  /** Number of looks by each edge, in Keller's plan: the measure of time in which looks are even. */
  const looksBy = [
    0,
    ...bins.map(({ widthMs, root }) => (looks += widthMs * Math.min(root / scale, 1 / leastGapMs))),
  ];
  const count = Math.max(fewestTimes, Math.ceil(fineness * looks));
  const perLook = count / looks;
  const next = count > mostTimes ? undefined : nextTimes();
  return (ms) => {
    const from = valueAt(looksBy, ms) * perLook;
    const at = Math.floor(from);
    const [next1 = from + perLook, next2 = next1] = next?.slice(at, at + 2) ?? [];
    const nextMs = timeOf(looksBy, (next1 + (from - at) * (next2 - next1)) / perLook);
    return Math.min(Math.max(nextMs, ms + leastGapMs), ms + horizonMs);
  };

  function nextTimes(): number[] {
    const times = Array.from({ length: count + 1 }, (_, at) => timeOf(looksBy, at / perLook));
    const chances = times.map((ms) => valueAt(believed, ms));
    const areas = areasBelow(chances, times);
    const seenChances = times.map((ms) => valueAt(seen, ms));
    const seenAreas = areasBelow(seenChances, times);
    let low = 0.02;
    let high = 50;
    let chosen: number[] = [];
    for (let round = 0; round < bisections; round += 1) {
      const factor = Math.sqrt(low * high);
      const plan = bestPlan(times, chances, areas, (2 * factor) / scale ** 2);
      let delay = 0;
      for (let i = 0; i < count; i = plan[i] ?? count) {
        const j = plan[i] ?? count;
        delay += seenAreas[j]! - seenAreas[i]! - seenChances[i]! * (times[j]! - times[i]!);
      }
      if (delay > targetMs) low = factor;
      else {
        high = factor;
        chosen = plan;
      }
    }
    return chosen;
  }
};

const areasBelow = (values: readonly number[], times: readonly number[]): number[] => {
  let area = 0;
  return values.map((value, i) => {
    if (i > 0) area += ((times[i]! - times[i - 1]!) * (value + values[i - 1]!)) / 2;
    return area;
  });
};

const bestPlan = (
  times: readonly number[],
  chances: readonly number[],
  areas: readonly number[],
  price: number,
): number[] => {
  const last = times.length - 1;
  const cost: number[] = Array(last + 1).fill(0);
  const next: number[] = Array(last + 1).fill(last + 1);
  cost[last] = price * areas[last]!;
  let latest = last;
  for (let i = last - 1; i >= 0; i -= 1) {
    const rate = price * chances[i]!;
    let least = Infinity;
    for (let j = latest, end = latest; j > i; j -= 1) {
      const c = cost[j]! - rate * times[j]!;
      if (c < least) {
        least = c;
        latest = j;
      }
    }
    next[i] = latest;
    cost[i] = least + 1 - chances[i]! + rate * times[i]!;
  }
  return next;
};
