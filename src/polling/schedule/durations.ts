import { describeValue } from "../../errors/text.ts";
import { notify } from "../../hooks.ts";
import { isObject, refuseArgument } from "../../options/rules.ts";
import {
  binCount,
  binOf,
  type Distribution,
  estimateDistribution,
  type Interval,
  type OpenJobs,
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

/** Durations of one action, as they were when its distribution was estimated. */
interface Estimation {
  readonly distribution: Distribution;
  /** Plans by the distribution, by their target. */
  readonly plans: Map<number, PollPlan>;
  readonly count: number;
  openMs: number;
}

/** Durations of one action. */
interface History {
  seen: readonly Interval[];
  /** Number of jobs since the begin. */
  count: number;
  /** Jobs that still run: how long each was seen to run. */
  readonly open: Map<string, number>;
  /** The longest of these times. */
  openMs: number;
  last?: Estimation;
}

const memories = new WeakMap<LearnedDurations, Map<string, History>>();

/** All actions together, for jobs of unknown action. */
const allActions = "";

/** Counts the jobs that still run by the bins of their times. */
const binsOf = (open: ReadonlyMap<string, number>): OpenJobs => {
  const bins = new Map<number, number>();
  for (const ms of open.values()) {
    const bin = Math.min(Math.round(binOf(ms)), binCount - 1);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  return bins;
};

/** What was learned of an action. */
interface Learned
  extends Pick<Estimation, "distribution" | "plans">,
    Pick<History, "seen" | "count"> {}

/** Finds an action's history and distribution; `undefined` where no job of it has been seen. */
export const learnedOf = (
  durations: LearnedDurations,
  action: string = allActions,
): Learned | undefined => {
  const history = memories.get(durations)?.get(action.slice(0, maxNameLength));
  if (history === undefined || history.seen.length === 0) return undefined;
  const { seen, count, open, openMs, last } = history;
  const isFresh =
    last !== undefined &&
    count - last.count <= newPart * seen.length &&
    openMs <= Math.max(openGrowth * last.openMs, last.openMs + leastOpenGrowthMs);
  const { distribution, plans } = isFresh
    ? last
    : { distribution: estimateDistribution(seen, binsOf(open)), plans: new Map() };
  if (!isFresh) history.last = { distribution, plans, count, openMs };
  return { seen, count, distribution, plans };
};

const emptyHistory = (): History => ({ seen: [], count: 0, open: new Map(), openMs: 0 });

/** Notes how long a job has run that had not finished then; without a time, it runs no more. */
export const noteOpen = (
  durations: LearnedDurations,
  action: string,
  jobId: string,
  openMs: number | undefined,
): void => {
  const memory = memories.get(durations);
  const name = action.slice(0, maxNameLength);
  const history = memory?.get(name) ?? emptyHistory();
  if (openMs !== undefined) {
    if (!memory || memory.size > maxActions) return;
    memory.set(name, history);
    history.open.set(jobId, openMs);
    history.openMs = Math.max(history.openMs, openMs);
  } else if (history.open.delete(jobId) && history.open.size === 0) {
    history.openMs = 0;
    if (history.last) history.last.openMs = 0;
  }
};

/** Adds jobs to an action. The action that was learned last is the last to be forgotten. */
const remember = (durations: LearnedDurations, action: string, jobs: readonly Interval[]): void => {
  const memory = memories.get(durations);
  const name = action.slice(0, maxNameLength);
  const history = memory?.get(name) ?? emptyHistory();
  history.seen = [...history.seen, ...jobs].slice(-rememberedJobs);
  history.count += jobs.length;
  memory?.delete(name);
  memory?.set(name, history);
  const [oldest = ""] = memory?.keys() ?? [];
  // All actions together come on top.
  if (memory && memory.size > maxActions + 1) memory.delete(oldest);
};

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
      const named = [...memory].filter(
        ([action, { seen }]) => action !== allActions && seen.length > 0,
      );
      return {
        version: 1,
        actions: Object.fromEntries(named.map(([action, { seen }]) => [action, seen])),
      };
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

const readJobs = (name: string, given: unknown): readonly Interval[] => {
  if (!Array.isArray(given)) {
    return refuseArgument(`${name} must be a list of [from, to], got ${describeValue(given)}`);
  }
  const wrong = given.findIndex((each) => !isInterval(each));
  return wrong < 0
    ? given
    : refuseArgument(
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
    const name = `snapshot.actions[${describeValue(action)}]`;
    const read = readJobs(name, jobs);
    if (read.length === 0) continue;
    for (const each of new Set([allActions, action])) remember(durations, each, read);
  }
  return durations;
};

/**
 * Gives durations from which waits learn. Those of another copy of the package, or of one's own,
 * are read once; what is learned here is added to them, too.
 */
export const durationsOf = (given: LearnedDurations = emptyDurations()): LearnedDurations => {
  if (memories.has(given)) return given;
  let own = emptyDurations();
  const read = () => {
    own = createLearnedDurations(given.toJSON());
  };
  notify("durations.toJSON", read, undefined);
  const { add } = own;
  return Object.assign(own, {
    add: (...seen: Parameters<typeof add>) => {
      add(...seen);
      given.add(...seen);
    },
  });
};

/** Adds the duration of a finished job. What durations of one's own throw loses no job. */
export const addDuration = (
  durations: LearnedDurations,
  action = "",
  duration: SeenDuration,
): void => notify("durations.add", () => durations.add(action, duration), undefined);
