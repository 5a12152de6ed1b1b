import { binCount, binOf, edgeOf, valueAt } from "./bins.ts";
import { type LookPlan, planLooks } from "./inspection.ts";
import { type Law, lawFrom, sumOf } from "./law.ts";

/** Number of jobs that count: older ones are forgotten little by little. */
export const rememberedJobs = 60;

/** A law is estimated again after this part of its jobs is new. */
const newPart = 0.05;

/** Part of an interval's weight that lies as the histogram does; the rest lies as the law does. */
const histogramPart = 0.7;

/** Number of plans that are kept, for different targets. */
const keptPlans = 4;

/** Durations of one action. */
export interface History {
  /** Weights of the bins, in jobs. */
  readonly weights: () => readonly number[];
  /** Takes weights in place of what was learned. */
  readonly replace: (weights: readonly number[]) => void;
  /** Adds the duration of a job that ended between two times. */
  readonly learn: (afterMs: number, byMs: number) => void;
  /** Gives the law so far; `undefined` without durations. */
  readonly law: () => Law | undefined;
  /** Gives the plan for a target; `undefined` without durations. */
  readonly plan: (targetMs: number) => LookPlan | undefined;
  /** Makes the next law and the next plan from the weights as they are. */
  readonly refresh: () => void;
}

/** Rounds as the snapshot does, so that a restored history has the same law. */
const rounded = (weights: readonly number[]): number[] =>
  weights.map((weight) => Math.round(100 * weight) / 100);

/** Makes a history without durations. */
export const createHistory = (): History => {
  let weights: readonly number[] = Array(binCount).fill(0);
  let law: Law | undefined;
  let learned = 0;
  const plans = new Map<number, LookPlan>();

  const refresh = () => {
    law = undefined;
    learned = 0;
    plans.clear();
  };
  const lawNow = () => {
    const jobs = sumOf(weights);
    if (learned > newPart * jobs) refresh();
    if (law === undefined && jobs > 0) law = lawFrom(rounded(weights));
    return law;
  };

  return {
    weights: () => rounded(weights),
    refresh,
    law: lawNow,
    replace: (given) => {
      const excess = Math.max(1, sumOf(given) / rememberedJobs);
      weights = given.map((weight) => weight / excess);
      refresh();
    },
    learn: (afterMs, byMs) => {
      const known = lawNow();
      const jobs = sumOf(weights);
      const masses = weights.map((weight, bin) => {
        const from = Math.max(afterMs, edgeOf(bin));
        const to = bin < binOf(byMs) ? edgeOf(bin + 1) : byMs;
        if (bin < binOf(afterMs) || bin > binOf(byMs)) return 0;
        if (known === undefined) return to - from || 1;
        const part = (to - from) / (edgeOf(bin + 1) - edgeOf(bin));
        const believed = valueAt(known.believed, to) - valueAt(known.believed, from);
        return 1e-9 + (histogramPart * part * weight) / jobs + (1 - histogramPart) * believed;
      });
      const total = sumOf(masses);
      const kept = Math.min(1, (rememberedJobs - 1) / jobs);
      weights = weights.map((weight, bin) => kept * weight + (masses[bin] ?? 0) / total);
      learned += 1;
    },
    plan: (targetMs) => {
      const known = lawNow();
      if (known === undefined) return undefined;
      let plan = plans.get(targetMs);
      if (plan === undefined) {
        if (plans.size >= keptPlans) plans.clear();
        plan = planLooks(known, targetMs);
        plans.set(targetMs, plan);
      }
      return plan;
    },
  };
};
