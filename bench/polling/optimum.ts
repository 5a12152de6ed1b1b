/**
 * The fewest polls that any schedule needs for a mean delay when the law of the durations is known.
 * This is the optimal inspection schedule (Barlow, Hunter and Proschan 1963), by dynamic programming.
 *
 * The law is cut into shares of equal weight. A schedule is a rising list of their edges. One poll
 * costs 1, and each millisecond of delay a price; the price is searched that gives the delay asked
 * for. Between the delays of two neighbouring prices, the best is a mixture of their schedules.
 */
import type { Law } from "./laws.ts";

/** Polls and delay of a job, on average. */
interface Effort {
  readonly polls: number;
  readonly delayMs: number;
}

/** Cuts for one poll of an even pace: twice as many change few answers by more than 1 %. */
const cutsForAPoll = 10;
const fewestCuts = 256;
const mostCuts = 4_096;
/** At this price, the schedule polls at every cut. */
const highestPrice = 7;

/** Between closer prices, delays jump from one schedule to the next. */
const smallestStep = 1e-3;

interface Shares {
  /** Edge `i` is the end of share `i`, counted from 1; a poll there sees all of that share. */
  readonly edges: readonly number[];
  /** Part of the jobs that have not finished by edge `i`. */
  readonly unfinished: readonly number[];
  /** Sum of the durations up to edge `i`, each with its weight. */
  readonly sums: readonly number[];
}

/** Part of the jobs, at most, that the even cuts in time leave for the others. */
const tail = 1e-4;

/** Gives the part of the jobs that have not finished at a time, by bisection. */
const unfinishedAt = ({ quantile }: Law, timeMs: number): number => {
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (quantile(middle) < timeMs) low = middle;
    else high = middle;
  }
  return 1 - low;
};

/**
 * Cuts a law into shares. Some cuts take equal times; the others get closer towards the end of the
 * law, where times lie far apart.
 */
const cut = (law: Law, count: number): Shares => {
  const { quantile, jumps = [] } = law;
  const [first, end] = [quantile(tail), quantile(1 - tail)];
  const cuts = Array.from({ length: count }, (_, place) => [
    (1 - place / count) ** 3,
    unfinishedAt(law, first + ((place + 1) / count) * (end - first)),
  ]);
  const parts = [1, ...cuts.flat(), ...jumps.map((u) => 1 - u), 0].sort((a, b) => b - a);
  const unfinished = parts.filter((part, place) => place === 0 || part < (parts[place - 1] ?? 0));
  const edges = [0];
  const sums = [0];
  for (let share = 1; share < unfinished.length; share += 1) {
    const [before, after] = [unfinished[share - 1] as number, unfinished[share] as number];
    // The last edge of most laws lies nowhere, and a jump's share ends before it.
    edges.push(quantile(1 - after - (before - after) * 1e-3));
    const middle = quantile(1 - (before + after) / 2);
    sums.push((sums.at(-1) as number) + (before - after) * middle);
  }
  return { edges, unfinished, sums };
};

/** Finds the schedule that is cheapest when a millisecond of delay costs `price`. */
const cheapest = ({ edges, unfinished, sums }: Shares, price: number): Effort => {
  const last = edges.length - 1;
  const at = (list: readonly number[], place: number): number => list[place] as number;
  const delayOf = (from: number, to: number): number =>
    (at(unfinished, from) - at(unfinished, to)) * at(edges, to) - (at(sums, to) - at(sums, from));
  const costs = new Array<number>(last + 1).fill(0);
  const next = new Array<number>(last + 1).fill(last);
  for (let from = last - 1; from >= 0; from -= 1) {
    let least = Number.POSITIVE_INFINITY;
    for (let to = from + 1; to <= last; to += 1) {
      const priceOfDelay = price * delayOf(from, to);
      // The delay grows with `to`, and what follows costs something.
      if (priceOfDelay > least) break;
      const cost = priceOfDelay + at(costs, to);
      if (cost < least) {
        least = cost;
        next[from] = to;
      }
    }
    // A poll is made for each job that had not finished by then.
    costs[from] = least + at(unfinished, from);
  }
  let [polls, delayMs] = [0, 0];
  for (let from = 0; from < last; from = at(next, from)) {
    polls += at(unfinished, from);
    delayMs += delayOf(from, at(next, from));
  }
  return { polls, delayMs };
};

/**
 * Makes the frontier of a law: the fewest looks for a mean delay, in milliseconds. It knows none
 * where the law would have to be cut into too many shares.
 */
export const optimumOf = (law: Law): ((delayMs: number) => number | undefined) => {
  const { quantile } = law;
  const known = new Map<number, Shares>();
  const sharesFor = (delayMs: number): Shares => {
    const polls = (quantile(1 - tail) - quantile(tail)) / (2 * delayMs);
    const doublings = Math.ceil(Math.log2(1 + (polls * cutsForAPoll) / fewestCuts));
    const cuts = Math.min(mostCuts, fewestCuts * 2 ** doublings);
    const shares = known.get(cuts) ?? cut(law, cuts);
    known.set(cuts, shares);
    return shares;
  };
  return (delayMs) => {
    const shares = sharesFor(delayMs);
    const atPrice = (logarithm: number): Effort => cheapest(shares, Math.exp(logarithm));
    // Logarithms of polls a millisecond of delay.
    let low = -Math.log(delayMs);
    let high = low;
    let [late, early] = [atPrice(low), atPrice(high)];
    while (late.delayMs <= delayMs) {
      if (late.polls === 1) return 1;
      [high, early] = [low, late];
      low -= 1;
      late = atPrice(low);
    }
    while (early.delayMs > delayMs) {
      [low, late] = [high, early];
      high += 1;
      early = atPrice(high);
      if (high > highestPrice) return undefined;
    }
    while (high - low > smallestStep && late.delayMs - early.delayMs > delayMs / 500) {
      const middle = (low + high) / 2;
      const effort = atPrice(middle);
      if (effort.delayMs > delayMs) [low, late] = [middle, effort];
      else [high, early] = [middle, effort];
    }
    const share = (late.delayMs - delayMs) / (late.delayMs - early.delayMs);
    return late.polls + share * (early.polls - late.polls);
  };
};
