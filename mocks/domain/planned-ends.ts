import type { Action } from "../../src/contract/actions.ts";
import type { JobEnd } from "./job-timeline.ts";

/** The end of a job that has not been submitted yet. */
export interface PlannedEnd {
  readonly end: JobEnd;
  /** Only jobs of this action. */
  readonly action?: Action;
  /** Only jobs of this API key. */
  readonly account?: string;
  /** Number of submissions that still get it. */
  remaining: number;
}

/** Takes the oldest planned end that fits a submission. */
export const takePlannedEnd = (
  plannedEnds: PlannedEnd[],
  key: string,
  action: Action,
): JobEnd | undefined => {
  const place = plannedEnds.findIndex(
    (planned) => (planned.action ?? action) === action && (planned.account ?? key) === key,
  );
  const planned = plannedEnds[place];
  if (planned === undefined) return undefined;
  planned.remaining -= 1;
  if (planned.remaining <= 0) plannedEnds.splice(place, 1);
  return planned.end;
};
