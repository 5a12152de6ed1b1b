import { describeValue } from "../../errors/text.ts";
import { forgetOldest } from "../../forget-oldest.ts";
import { isObject, refuseArgument } from "../../options/rules.ts";
import { createPlan, type Estimate, type Interval, type Plan } from "./plan.ts";

/** Durations of finished jobs, by action. Waits learn from it when to poll. */
export interface LearnedDurations {
  /** Adds the duration of a finished job: the last poll before its end, and the poll that saw it. */
  add(
    action: string,
    duration: {
      /** The job had not finished by then, in milliseconds from its submission. */
      readonly afterMs: number;
      /** The job had finished by then, in milliseconds from its submission. */
      readonly byMs: number;
    },
  ): void;
  /**
   * Returns what was learned, as JSON for the next run or for another machine. The lists of several
   * snapshots may be joined: the last 60 jobs of an action count.
   */
  toJSON(): {
    /** Version of this form. */
    readonly version: 2;
    /** For each action, its last jobs: between which two milliseconds each has ended. */
    readonly actions: {
      readonly [action: string]: readonly (readonly [from: number, to: number])[];
    };
  };
}

/** Duration of a finished job. */
export type SeenDuration = Parameters<LearnedDurations["add"]>[1];

/**
 * What waits ask of learned durations. These are methods, so that those made by the CommonJS files
 * serve a client of the ES modules.
 */
export interface Schedule extends LearnedDurations {
  /** Time of the next poll from the submission; always after `waitedMs`. */
  nextPollAt(action: string | undefined, waitedMs: number, targetDelayMs?: number): number;
  /** `undefined` where no job of the action has been seen. */
  estimate(action: string | undefined, waitedMs: number): Estimate | undefined;
}

/** A job that takes longer counts as one of this time. */
const longestMs = 90 * 60_000;

/** Beyond this number, the action that was longest without a job is forgotten. */
const maxActions = 50;
/** Names come from the service: longer ones are cut. */
const maxNameLength = 100;

/** Number of jobs of an action that count: older ones are forgotten. */
const rememberedJobs = 60;

interface History {
  readonly seen: readonly Interval[];
  /** Created when it is first used. */
  plan?: Plan;
}

const nothingKnown: Plan = /* @__PURE__ */ createPlan([]);

export const createSchedule = (): Schedule => {
  /** The action that was learned last comes last. */
  const histories = new Map<string, History>();

  const planOf = (action: string | undefined): Plan => {
    const history = histories.get(action ?? "");
    if (history === undefined) return nothingKnown;
    history.plan ??= createPlan(history.seen);
    return history.plan;
  };

  return {
    add: (action, { afterMs, byMs }) => {
      const from = Math.round(Math.min(Math.max(0, afterMs), longestMs - 1));
      const to = Math.round(Math.min(Math.max(byMs, from + 1), longestMs));
      if (Number.isNaN(to)) return;
      const name = action.slice(0, maxNameLength);
      const seen = [...(histories.get(name)?.seen ?? []), [from, to] as const];
      histories.delete(name);
      histories.set(name, { seen: seen.slice(-rememberedJobs) });
      forgetOldest(histories, maxActions);
    },
    toJSON: () => {
      const jobs = [...histories].map(([action, { seen }]) => [action, seen] as const);
      return { version: 2, actions: Object.fromEntries(jobs) };
    },
    nextPollAt: (action, waitedMs, targetDelayMs) =>
      planOf(action).nextPollAt(waitedMs, targetDelayMs),
    estimate: (action, waitedMs) => planOf(action).estimate(waitedMs),
  };
};

const isInterval = (value: unknown): value is Interval => {
  const [from, to, ...more] = Array.isArray(value) ? value : [];
  const areWhole = Number.isInteger(from) && Number.isInteger(to) && more.length === 0;
  return areWhole && 0 <= from && from < to && to <= longestMs;
};

/**
 * Creates a memory of durations for `createClient({ durations })`. A client creates an empty one by
 * itself. Clients may share one.
 *
 * @param snapshot Durations that an earlier run has learned, as `JSON.parse` gives it.
 * @throws {@link AdGenError} with `invalid_request`: the snapshot has another form.
 * @example
 * const durations = createLearnedDurations(JSON.parse(await readFile("durations.json", "utf8")));
 * const client = createClient({ baseUrl, apiKey, durations });
 */
export const createLearnedDurations = (
  snapshot: ReturnType<LearnedDurations["toJSON"]> = { version: 2, actions: {} },
): LearnedDurations => {
  const { version, actions } = isObject(snapshot) ? snapshot : {};
  if (version !== 2 || !isObject(actions)) {
    return refuseArgument(
      "a snapshot of durations must be what JSON.stringify(durations) gave, read by JSON.parse; " +
        `got ${describeValue(snapshot)}`,
    );
  }
  const schedule = createSchedule();
  for (const [action, jobs] of Object.entries<unknown>(actions)) {
    const name = `snapshot.actions[${describeValue(action)}]`;
    if (!Array.isArray(jobs)) {
      return refuseArgument(`${name} must be a list of [from, to], got ${describeValue(jobs)}`);
    }
    for (const [index, job] of jobs.entries()) {
      if (!isInterval(job)) {
        return refuseArgument(
          `${name}[${index}] must be [from, to], whole numbers from 0 to ${longestMs} that rise`,
        );
      }
      schedule.add(action, { afterMs: job[0], byMs: job[1] });
    }
  }
  return schedule;
};
