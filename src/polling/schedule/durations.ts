import { describeValue } from "../../errors/text.ts";
import { notify } from "../../hooks.ts";
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

/** All actions together, for jobs of unknown action. */
const allActions = "";

/** The last jobs of an action, and the conclusions from them. */
interface History {
  seen: readonly Interval[];
  /** Number of jobs since the begin. */
  count: number;
  /** This number, when the distribution was estimated. */
  learnedCount: number;
  distribution: Distribution;
  /** Plans by the distribution, by their target. */
  plans: Map<number, PollPlan>;
  /** The longest time for which a job was seen to run that had not finished. */
  openMs: number;
}

type Memory = Map<string, History>;

/** Jobs that waits have read or learned, by the durations of their client. */
const memories = new WeakMap<LearnedDurations, Memory>();
/** The durations of this copy of the package: what is added to them, waits learn. */
const own = new WeakSet<LearnedDurations>();

/** Adds a job to an action. The action that was learned last is the last to be forgotten. */
const addJob = (memory: Memory, action: string, job: Interval): void => {
  for (const whole of new Set([allActions, action])) {
    const name = whole.slice(0, maxNameLength);
    const { seen = [], count = 0, ...learned } = memory.get(name) ?? {};
    memory.delete(name);
    memory.set(name, {
      ...{ learnedCount: Number.NEGATIVE_INFINITY, distribution: [], plans: new Map(), openMs: 0 },
      ...learned,
      seen: [...seen, job].slice(-rememberedJobs),
      count: count + 1,
    });
  }
  const [oldest = ""] = memory.keys();
  // All actions together come on top.
  if (memory.size > maxActions + 1) memory.delete(oldest);
};

const addDurationTo = (memory: Memory, action: string, { afterMs, byMs }: SeenDuration): void => {
  const from = Math.round(Math.min(binOf(afterMs), binCount - 1));
  const to = Math.max(Math.round(Math.min(binOf(byMs), binCount)), from + 1);
  if (!Number.isNaN(to)) addJob(memory, action, [from, to]);
};

const addSnapshot = (memory: Memory, { actions }: Pick<DurationsSnapshot, "actions">): void => {
  for (const [action, jobs] of Object.entries(actions)) {
    for (const [from, to] of jobs) {
      addDurationTo(memory, action, { afterMs: timeOf(from), byMs: timeOf(to) });
    }
  }
};

/** Those of another copy of the package, or of one's own, are read once. */
const memoryOf = (durations: LearnedDurations): Memory => {
  const memory: Memory = memories.get(durations) ?? new Map();
  if (memories.has(durations)) return memory;
  memories.set(durations, memory);
  const read = () => {
    const snapshot: { version: number } & Pick<DurationsSnapshot, "actions"> = durations.toJSON();
    const { version } = snapshot;
    if (version !== 1) throw new TypeError(`its version must be 1, got ${version}`);
    addSnapshot(memory, snapshot);
  };
  notify("durations.toJSON", read, undefined);
  return memory;
};

/** Adds the duration of a finished job. What durations of one's own throw loses no job. */
export const addDuration = (
  durations: LearnedDurations,
  action: string = allActions,
  duration: SeenDuration,
): void => {
  const memory = memoryOf(durations);
  if (!own.has(durations)) addDurationTo(memory, action, duration);
  notify("durations.add", () => durations.add(action, duration), undefined);
};

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
export const learnedOf = (job: RunningJob): Readonly<History> | undefined => {
  const { durations, action = allActions, waitedMs, openTimes } = job;
  const history = memoryOf(durations).get(action);
  if (history === undefined) return undefined;
  const { seen, count, learnedCount, openMs } = history;
  const isOpenLonger = waitedMs > Math.max(openGrowth * openMs, openMs + leastOpenGrowthMs);
  if (count - learnedCount > newPart * seen.length || (openTimes && isOpenLonger)) {
    const open = openTimes?.(action) ?? [];
    history.distribution = estimateDistribution(seen, open);
    history.plans = new Map();
    history.learnedCount = count;
    history.openMs = open.reduce((most, ms) => Math.max(most, ms), waitedMs);
  }
  return history;
};

/** Makes durations of a snapshot that was checked. */
export const durationsFrom = (
  snapshot: Pick<DurationsSnapshot, "actions"> = { actions: {} },
): LearnedDurations => {
  const memory: Memory = new Map();
  addSnapshot(memory, snapshot);
  const durations: LearnedDurations = {
    add: (action, duration) => addDurationTo(memory, action, duration),
    toJSON: () => {
      const named = [...memory].filter(([action]) => action !== allActions);
      const jobs = named.map(([action, { seen }]) => [action, seen] as const);
      return { version: 1, actions: Object.fromEntries(jobs) };
    },
  };
  memories.set(durations, memory);
  own.add(durations);
  return durations;
};

const isInterval = (value: unknown): boolean => {
  const [from, to, ...more] = Array.isArray(value) ? value : [];
  const areBins = Number.isInteger(from) && Number.isInteger(to) && more.length === 0;
  return areBins && 0 <= from && from < to && to <= binCount;
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
export const createLearnedDurations = (
  snapshot: DurationsSnapshot = { version: 1, actions: {} },
): LearnedDurations => {
  const { version, actions } = isObject(snapshot) ? snapshot : {};
  if (version !== 1 || !isObject(actions)) {
    return refuseArgument(
      "a snapshot of durations must be what JSON.stringify(durations) gave, read by JSON.parse; " +
        `got ${describeValue(snapshot)}`,
    );
  }
  for (const [action, jobs] of Object.entries<unknown>(actions)) {
    const name = `snapshot.actions[${describeValue(action)}]`;
    if (!Array.isArray(jobs)) {
      return refuseArgument(`${name} must be a list of [from, to], got ${describeValue(jobs)}`);
    }
    const wrong = jobs.findIndex((job) => !isInterval(job));
    if (wrong < 0) continue;
    refuseArgument(
      `${name}[${wrong}] must be [from, to], whole numbers from 0 to ${binCount} that rise`,
    );
  }
  return durationsFrom(snapshot);
};
