import { describeValue } from "../../errors/text.ts";
import { isObject, refuseArgument } from "../../options/rules.ts";
import {
  binCount,
  binOf,
  type Distribution,
  estimateDistribution,
  type Interval,
  timeOf,
} from "./distribution.ts";
import type { PollPlan } from "./plan.ts";

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

/** A duration is known as an interval: the last poll before the end, and the poll that saw it. */
export interface SeenDuration {
  /** The job had not finished by then, in milliseconds from its submission. */
  readonly afterMs: number;
  /** The job had finished by then, in milliseconds from its submission. */
  readonly byMs: number;
}

/** Durations of finished jobs, by action. Waits learn from it when to poll. */
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

/** A distribution is estimated again when this part of its jobs is new. */
const newPart = 0.05;

/** It is, too, when jobs still run that had run less, by this factor, when it was estimated. */
const openGrowth = 1.1;
const leastOpenGrowthMs = 250;

interface History {
  readonly seen: readonly Interval[];
  /** Number of jobs since the begin. */
  readonly count: number;
}

export interface Learned extends History {
  readonly distribution: Distribution;
  /** Plans by the distribution, by their target. */
  readonly plans: Map<number, PollPlan>;
  /** The longest time for which a job was seen to run that had not finished. */
  readonly openMs: number;
}

/** The history of each action, and the last conclusions from it. */
type Memory = Map<string, { readonly history: History; learned: Learned | undefined }>;

const memories = new WeakMap<LearnedDurations, Memory>();

/** All actions together, for jobs of unknown action. */
const allActions = "";

/** Source of all that waits learn from. */
export interface Lessons {
  readonly durations: LearnedDurations;
  /** Gives the times for which the jobs of an action have run that still run. */
  readonly openTimes?: ((action: string) => readonly number[]) | undefined;
}

/** A job for which something that was learned is of use. */
export interface RunningJob extends Lessons {
  /** Absent: the job's action is not known. All actions together then stand for it. */
  readonly action: string | undefined;
  /** Time since the submission, or since the wait began where that is not known. */
  readonly waitedMs: number;
}

/** Finds what was learned of an action; `undefined` where no job of it has been seen. */
export const learnedOf = ({
  durations,
  action = allActions,
  waitedMs,
  openTimes,
}: RunningJob): Learned | undefined => {
  const name = action.slice(0, maxNameLength);
  const known = memories.get(durations)?.get(name);
  if (known === undefined) return undefined;
  const { history, learned: last } = known;
  if (last !== undefined && history.count - last.count <= newPart * history.seen.length) {
    const longestMs = Math.max(openGrowth * last.openMs, last.openMs + leastOpenGrowthMs);
    if (openTimes === undefined || waitedMs <= longestMs) return { ...last, ...history };
  }
  const open = openTimes?.(name) ?? [];
  const distribution = estimateDistribution(history.seen, open);
  const openMs = open.reduce((most, ms) => Math.max(most, ms), waitedMs);
  known.learned = { ...history, distribution, plans: new Map(), openMs };
  return known.learned;
};

/** Adds a job to an action. The action that was learned last is the last to be forgotten. */
const remember = (memory: Memory, action: string, job: Interval): void => {
  const name = action.slice(0, maxNameLength);
  const { history, learned } = memory.get(name) ?? {};
  const seen = [...(history?.seen ?? []), job].slice(-rememberedJobs);
  memory.delete(name);
  memory.set(name, { history: { seen, count: (history?.count ?? 0) + 1 }, learned });
  const [oldest = ""] = memory.keys();
  // All actions together come on top.
  if (memory.size > maxActions + 1) memory.delete(oldest);
};

/** Tells whether waits learn from these durations: they were made by this copy of the package. */
export const isOwn = (durations: LearnedDurations): boolean => memories.has(durations);

export const emptyDurations = (): LearnedDurations => {
  const memory: Memory = new Map();
  const durations: LearnedDurations = {
    add: (action, { afterMs, byMs }) => {
      const from = Math.round(Math.min(binOf(afterMs), binCount - 1));
      const to = Math.max(Math.round(Math.min(binOf(byMs), binCount)), from + 1);
      if (Number.isNaN(to)) return;
      for (const name of new Set([allActions, action])) remember(memory, name, [from, to]);
    },
    toJSON: () => {
      const named = [...memory].filter(([action]) => action !== allActions);
      const jobs = named.map(([action, { history }]) => [action, history.seen] as const);
      return { version: 1, actions: Object.fromEntries(jobs) };
    },
  };
  memories.set(durations, memory);
  return durations;
};

const isInterval = (value: unknown): value is Interval => {
  const [from, to, ...more] = Array.isArray(value) ? value : [];
  const areBins = Number.isInteger(from) && Number.isInteger(to) && more.length === 0;
  return areBins && 0 <= from && from < to && to <= binCount;
};

export const addSnapshot = (
  durations: LearnedDurations,
  actions: DurationsSnapshot["actions"],
): void => {
  for (const [action, jobs] of Object.entries(actions)) {
    for (const [from, to] of jobs) {
      durations.add(action, { afterMs: timeOf(from), byMs: timeOf(to) });
    }
  }
};

const checkJobs = (name: string, given: unknown): void => {
  if (!Array.isArray(given)) {
    refuseArgument(`${name} must be a list of [from, to], got ${describeValue(given)}`);
  }
  const wrong = (given as unknown[]).findIndex((each) => !isInterval(each));
  if (wrong < 0) return;
  refuseArgument(
    `${name}[${wrong}] must be [from, to], whole numbers from 0 to ${binCount} that rise`,
  );
};

/**
 * Makes a memory of durations for `createClient({ durations })`. A client makes an empty one by
 * itself. Clients may share one.
 *
 * @param snapshot Durations that an earlier run has learned, as `JSON.parse` gives it.
 * @throws {@link AdGenError} with `invalid_request`: the snapshot has another form.
 * @example
 * const durations = createLearnedDurations(JSON.parse(await readFile("durations.json", "utf8")));
 * const client = createClient({ baseUrl, apiKey, durations });
 */
export const createLearnedDurations = (snapshot?: DurationsSnapshot): LearnedDurations => {
  const durations = emptyDurations();
  if (snapshot === undefined) return durations;
  const { version, actions } = isObject(snapshot) ? snapshot : {};
  if (version !== 1 || !isObject(actions)) {
    return refuseArgument(
      "a snapshot of durations must be what JSON.stringify(durations) gave, read by JSON.parse; " +
        `got ${describeValue(snapshot)}`,
    );
  }
  for (const [action, jobs] of Object.entries(actions)) {
    checkJobs(`snapshot.actions[${describeValue(action)}]`, jobs);
  }
  addSnapshot(durations, snapshot.actions);
  return durations;
};
