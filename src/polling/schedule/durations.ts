import { binCount, binOf, type Interval } from "./bins.ts";
import type { LookPlan } from "./inspection.ts";
import { type Law, lawFrom } from "./law.ts";

/**
 * Learned durations, as JSON for the next run or for another machine. The lists of several
 * snapshots may be joined: the last 60 jobs of an action count.
 */
export interface DurationsSnapshot {
  /** Version of this form. */
  readonly version: 1;
  /**
   * For each action, its last jobs: the bins of a logarithmic scale in which each may have ended, 0
   * to 580.
   */
  readonly actions: {
    readonly [action: string]: readonly (readonly [from: number, to: number])[];
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
  /** Gives what was learned, for `JSON.stringify`. */
  toJSON(): DurationsSnapshot;
}

/** Actions beyond this number push out the one that was longest without a job. */
const maxActions = 50;
/** Names come from the service: longer ones are cut. */
const maxNameLength = 100;

/** Number of jobs of an action that count: older ones are forgotten. */
const rememberedJobs = 60;

/** A law is estimated again when this part of its jobs is new. */
const newPart = 0.05;

/** Durations of one action. */
interface History {
  seen: readonly Interval[];
  /** Number of jobs since the begin. */
  count: number;
  /** Number of jobs when the law was estimated. */
  countOfLaw: number;
  law: Law;
  /** Plans by the law, by their target. */
  readonly plans: Map<number, LookPlan>;
}

const memories = new WeakMap<LearnedDurations, Map<string, History>>();

/** All actions together, for jobs of unknown action. */
export const allActions = "";

/** Finds the history of an action with its law; `undefined` where no job of it has been seen. */
export const learnedOf = (
  durations: LearnedDurations,
  action: string = allActions,
): Readonly<History> | undefined => {
  const history = memories.get(durations)?.get(action.slice(0, maxNameLength));
  if (history && history.count - history.countOfLaw > newPart * history.seen.length) {
    history.law = lawFrom(history.seen);
    history.countOfLaw = history.count;
    history.plans.clear();
  }
  return history;
};

/** Adds jobs to an action. The action that was learned last is the last to be forgotten. */
export const remember = (
  durations: LearnedDurations,
  action: string,
  jobs: readonly Interval[],
): void => {
  const memory = memories.get(durations);
  const name = action.slice(0, maxNameLength);
  const { seen = [], count = 0, ...known } = memory?.get(name) ?? {};
  memory?.delete(name);
  memory?.set(name, {
    law: { masses: [], chances: [] },
    countOfLaw: 0,
    plans: new Map(),
    ...known,
    seen: [...seen, ...jobs].slice(-rememberedJobs),
    count: count + jobs.length,
  });
  const [oldest = ""] = memory?.keys() ?? [];
  // All actions together come on top.
  if (memory && memory.size > maxActions + 1) memory.delete(oldest);
};

/** Tells whether waits learn from these durations: they were made by this copy of the package. */
export const isOwn = (durations: LearnedDurations): boolean => memories.has(durations);

/** Makes an empty memory of durations. */
export const emptyDurations = (): LearnedDurations => {
  const memory = new Map<string, History>();
  const durations: LearnedDurations = {
    add: (action, { afterMs, byMs }) => {
      const from = Math.round(Math.min(binOf(afterMs), binCount - 1));
      const to = Math.max(Math.round(Math.min(binOf(byMs), binCount)), from + 1);
      if (Number.isNaN(to)) return;
      remember(durations, allActions, [[from, to]]);
      if (action !== allActions) remember(durations, action, [[from, to]]);
    },
    toJSON: () => {
      const named = [...memory].filter(([action]) => action !== allActions);
      return {
        version: 1,
        actions: Object.fromEntries(named.map(([action, { seen }]) => [action, seen])),
      };
    },
  };
  memories.set(durations, memory);
  return durations;
};
