import { describeValue } from "../../errors/text.ts";
import { isObject, type Refuse, refuseArgument } from "../../options/rules.ts";
import { at, binCount, edges, horizonMs, sumOf } from "./bins.ts";
import type { LookPlan } from "./inspection.ts";
import { type Law, lawFrom } from "./law.ts";

/**
 * Learned durations, as JSON for the next run or for another machine. Weights may be added up over
 * snapshots, bin by bin: of more than 60 jobs, only the proportions count.
 */
export interface DurationsSnapshot {
  /** Version of this form. */
  readonly version: 1;
  /**
   * For each action, weights of the bins of a logarithmic histogram, in jobs. The action `""` stands
   * for all actions together.
   */
  readonly actions: {
    readonly [action: string]: readonly (readonly [bin: number, weight: number])[];
  };
}

/** A duration is known as an interval: the last look before the end, and the look that saw it. */
export interface SeenDuration {
  /** The job had not finished by then, in milliseconds from its submission. */
  readonly afterMs: number;
  /** The job had finished by then, in milliseconds from its submission. */
  readonly byMs: number;
}

/** Durations of finished jobs, by action. Waits learn from it when to look. */
export interface LearnedDurations {
  /** Adds the duration of a finished job. */
  add(action: string, duration: SeenDuration): void;
  /** Takes what another run has learned in place of what was learned here. */
  restore(snapshot: DurationsSnapshot): void;
  /** Gives what was learned, for `JSON.stringify`. */
  toJSON(): DurationsSnapshot;
}

/** Actions beyond this number push out the one that was longest without a job. */
const maxActions = 50;
/** Names come from the service: longer ones are cut. */
const maxNameLength = 100;
const maxWeight = 1_000_000;

/** Number of jobs that count: older ones are forgotten little by little. */
const rememberedJobs = 60;

/** A law is estimated again when this part of its jobs is new. */
const newPart = 0.05;

/** Part of an interval's weight that lies as the histogram does; the rest lies as the law does. */
const histogramPart = 0.7;

/** Weight of an even spread: it decides where neither expected anything. */
const evenPart = 0.03;

/** Durations of one action. */
interface History {
  /** Weights of the bins, in jobs. */
  weights: readonly number[];
  jobs: number;
  /** Jobs that the law does not know yet. */
  newJobs: number;
  law: Law | undefined;
  /** Plans by the law, by their target. */
  readonly plans: Map<number, LookPlan>;
}

const histories = new WeakMap<LearnedDurations, Map<string, History>>();

/** All actions together, for jobs of unknown action. */
const allActions = "";

const createHistory = (weights: readonly number[]): History => ({
  weights,
  jobs: sumOf(weights),
  newJobs: 0,
  law: undefined,
  plans: new Map(),
});

/** Gives the law of a history, estimated again where enough of it is new. */
const lawOf = (history: History): Law => {
  const { weights, jobs, newJobs } = history;
  if (history.law === undefined || newJobs > newPart * jobs) {
    history.law = lawFrom(weights, jobs);
    history.newJobs = 0;
    history.plans.clear();
  }
  return history.law;
};

/** Finds the law and the plans of an action; `undefined` where no job of it has been seen. */
export const learnedOf = (
  durations: LearnedDurations,
  action: string = allActions,
): { readonly law: Law; readonly plans: Map<number, LookPlan> } | undefined => {
  const history = histories.get(durations)?.get(action.slice(0, maxNameLength));
  return history && history.jobs > 0 ? { law: lawOf(history), plans: history.plans } : undefined;
};

/**
 * Spreads a job that ended between two times over the bins between, mostly as the histogram lies
 * there. This is the expectation step for censored data (Turnbull 1976), made once for each job.
 */
const spread = (history: History, afterMs: number, byMs: number): number[] => {
  const { masses } = lawOf(history);
  const parts = history.weights.map((weight, bin) => {
    const fromMs = at(edges, bin);
    const toMs = at(edges, bin + 1);
    const part = (Math.min(byMs, toMs) - Math.max(afterMs, fromMs)) / (toMs - fromMs);
    const counted = weight / (history.jobs || 1);
    const even = (evenPart * (toMs - fromMs)) / byMs;
    const likely = histogramPart * counted + (1 - histogramPart) * at(masses, bin) + even;
    return Math.max(0, part) * likely;
  });
  const whole = sumOf(parts);
  return parts.map((part) => part / whole);
};

/** Adds a job's parts, and forgets a little of all others. */
const learn = (history: History, parts: readonly number[]): void => {
  const kept = Math.min(1, (rememberedJobs - 1) / history.jobs);
  history.weights = history.weights.map((weight, bin) => kept * weight + at(parts, bin));
  history.jobs = kept * history.jobs + 1;
  history.newJobs += 1;
};

/** Checks the bins of one action, and gives the weights of all. */
const readBins = (name: string, given: unknown, refuse: Refuse): number[] => {
  const weights: number[] = Array(binCount).fill(0);
  if (!Array.isArray(given)) {
    return refuse(`${name} must be a list of [bin, weight], got ${describeValue(given)}`);
  }
  for (const [index, entry] of given.entries()) {
    const [bin, weight] = Array.isArray(entry) ? entry : [];
    const before = Number.isInteger(bin) ? weights[bin] : undefined;
    if (before === undefined || !(weight >= 0 && weight <= maxWeight)) {
      return refuse(
        `${name}[${index}] must be [bin, weight], with a bin from 0 to ${binCount - 1} and a ` +
          `weight from 0 to ${maxWeight}`,
      );
    }
    weights[bin] = before + weight;
  }
  const excess = Math.max(1, sumOf(weights) / rememberedJobs);
  return weights.map((weight) => weight / excess);
};

/** Makes a memory of durations. */
export const createLearnedDurations = (
  snapshot?: DurationsSnapshot,
  refuse: Refuse = refuseArgument,
): LearnedDurations => {
  const actions = new Map<string, History>();
  const historyAt = (name: string): History =>
    actions.get(name) ?? createHistory(Array(binCount).fill(0));
  const durations: LearnedDurations = {
    add: (action, { afterMs, byMs }) => {
      const fromMs = Math.min(Math.max(0, afterMs), horizonMs - 1);
      const toMs = Math.min(Math.max(byMs, fromMs + 1), horizonMs);
      if (Number.isNaN(toMs)) return;
      const name = action.slice(0, maxNameLength);
      const parts = spread(historyAt(name), fromMs, toMs);
      for (const each of new Set([name, allActions])) {
        const history = historyAt(each);
        learn(history, parts);
        // The action that was learned last is the last to be forgotten.
        actions.delete(each);
        actions.set(each, history);
      }
      const [oldest = ""] = actions.keys();
      if (actions.size > maxActions) actions.delete(oldest);
    },
    restore: (given) => {
      const read = isObject(given) && given["version"] === 1 && given["actions"];
      if (!isObject(read)) {
        return refuse("durations must be what JSON.stringify(durations) gave");
      }
      const restored = Object.entries(read).map(([action, bins]): [string, History] => [
        action,
        createHistory(readBins(`durations.actions[${describeValue(action)}]`, bins, refuse)),
      ]);
      actions.clear();
      for (const [action, history] of restored.slice(-maxActions)) actions.set(action, history);
    },
    toJSON: () => {
      const bins = [...actions].map(([action, history]) => {
        // The memory goes on from rounded weights, too: what is restored plans alike.
        const weights = history.weights.map((weight) => Math.round(100 * weight) / 100);
        actions.set(action, createHistory(weights));
        return [action, [...weights.entries()].filter(([, weight]) => weight > 0)];
      });
      return { version: 1, actions: Object.fromEntries(bins) };
    },
  };
  histories.set(durations, actions);
  if (snapshot !== undefined) durations.restore(snapshot);
  return durations;
};
