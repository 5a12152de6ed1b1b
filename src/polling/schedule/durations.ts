import { type Refuse, refuseArgument } from "../../options/rules.ts";

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

/** Makes a memory of durations. */
export const createLearnedDurations = (
  snapshot?: DurationsSnapshot,
  refuse: Refuse = refuseArgument,
): LearnedDurations => {
  const durations: LearnedDurations = {
    add: () => {},
    restore: (given) => {
      if (given?.version !== 1) refuse("durations must be what JSON.stringify(durations) gave");
    },
    toJSON: () => ({ version: 1, actions: {} }),
  };
  if (snapshot !== undefined) durations.restore(snapshot);
  return durations;
};
