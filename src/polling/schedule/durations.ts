import { describeValue } from "../../errors/text.ts";
import { isObject, type Refuse, refuseArgument } from "../../options/rules.ts";
import { binCount, horizonMs } from "./bins.ts";
import { createHistory, type History } from "./history.ts";

/** What has been learned, as JSON: hand it to the next run, or to another machine. */
export interface DurationsSnapshot {
  /** Version of this form. */
  readonly version: 1;
  /** For each action, weights of the bins of a logarithmic histogram. */
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

const histories = new WeakMap<LearnedDurations, (action: string | undefined) => History>();

/** Finds the durations of an action, or of all actions together; `undefined` where none are. */
export const historyOf = (
  durations: LearnedDurations,
  action: string | undefined,
): History | undefined => histories.get(durations)?.(action);

const refuseBin = (place: string, given: unknown, refuse: Refuse): never =>
  refuse(
    `${place} must be [bin, weight], with a bin from 0 to ${binCount - 1} and a weight from 0 to ` +
      `${maxWeight}, got ${describeValue(given)}`,
  );

/** Checks the bins of one action, and gives the weights of all. */
const readBins = (name: string, given: unknown, refuse: Refuse): number[] => {
  if (!Array.isArray(given)) {
    return refuse(`${name} must be a list of [bin, weight], got ${describeValue(given)}`);
  }
  const weights: number[] = Array(binCount).fill(0);
  for (const [index, entry] of given.entries()) {
    const place = `${name}[${index}]`;
    if (!Array.isArray(entry)) refuseBin(place, entry, refuse);
    const [bin, weight] = entry;
    const before = weights[bin];
    if (before === undefined) refuseBin(`${place}[0]`, bin, refuse);
    if (!(weight >= 0 && weight <= maxWeight)) refuseBin(`${place}[1]`, weight, refuse);
    weights[bin] = before + weight;
  }
  return weights;
};

/** Makes a memory of durations. */
export const createLearnedDurations = (
  snapshot?: DurationsSnapshot,
  refuse: Refuse = refuseArgument,
): LearnedDurations => {
  let actions = new Map<string, History>();
  const none = createHistory();

  const durations: LearnedDurations = {
    add: (action, { afterMs, byMs }) => {
      if (!(byMs >= 0)) return;
      const name = action.slice(0, maxNameLength);
      const history = actions.get(name) ?? createHistory();
      // The action that was learned last is the last to be forgotten.
      actions.delete(name);
      actions.set(name, history);
      const [oldest] = actions.keys();
      if (oldest !== undefined && actions.size > maxActions) actions.delete(oldest);
      const to = Math.min(byMs, horizonMs);
      history.learn(Math.min(Math.max(0, afterMs), to), to);
    },
    restore: (given) => {
      if (!isObject(given) || given["version"] !== 1 || !isObject(given["actions"])) {
        refuse("durations must be what JSON.stringify(durations) gave");
      }
      actions = new Map(
        Object.entries(given["actions"]).map(([action, bins]) => {
          const history = createHistory();
          history.replace(readBins(`durations.actions[${describeValue(action)}]`, bins, refuse));
          return [action, history];
        }),
      );
    },
    toJSON: () => ({
      version: 1,
      actions: Object.fromEntries(
        [...actions].map(([action, history]) => {
          history.refresh();
          return [
            action,
            history
              .weights()
              .flatMap((weight, bin) => (weight > 0 ? [[bin, weight] as const] : [])),
          ];
        }),
      ),
    }),
  };
  histories.set(durations, (action) =>
    action === undefined ? none : (actions.get(action.slice(0, maxNameLength)) ?? none),
  );
  if (snapshot !== undefined) durations.restore(snapshot);
  return durations;
};
