import type { Action } from "../../src/contract/actions.ts";
import type { JobEnd } from "./job-timeline.ts";

/** The end of a job that has not been submitted yet. */
export interface PlannedEnd {
  /** Number among all that were planned, from which its id is made. */
  readonly number: number;
  readonly end: JobEnd;
  /** Only jobs of this action. */
  readonly action?: Action;
  /** Only jobs of this API key. */
  readonly account?: string;
  /** Number of submissions that have got it. */
  taken: number;
  /** Number of submissions that still get it. */
  remaining: number;
}

/** Planned ends of a service that wait for their submissions. */
export interface PlannedEnds {
  /** Count of all planned ends so far, from which the next id is made. */
  issued: number;
  /** Oldest first. */
  planned: readonly PlannedEnd[];
}

/** Takes the oldest planned end that fits a submission. */
export const takePlannedEnd = (
  plannedEnds: PlannedEnds,
  key: string,
  action: Action,
): JobEnd | undefined => {
  const taken = plannedEnds.planned.find(
    (planned) => (planned.action ?? action) === action && (planned.account ?? key) === key,
  );
  if (taken === undefined) return undefined;
  taken.taken += 1;
  taken.remaining -= 1;
  if (taken.remaining <= 0) {
    plannedEnds.planned = plannedEnds.planned.filter((planned) => planned !== taken);
  }
  return taken.end;
};
