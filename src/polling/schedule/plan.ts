import { edgeOf, horizonMs, timeOf, valueAt } from "./bins.ts";
import { historyOf, type LearnedDurations } from "./durations.ts";
import { leastGapMs } from "./inspection.ts";
import { forEachBin, type Law, sumOf } from "./law.ts";

/** What the time of the next look depends on. */
export interface PlanInput {
  readonly durations: LearnedDurations;
  /** Absent: the job's action is not known. */
  readonly action: string | undefined;
  /** Time since the submission, or since the wait began where that is not known. */
  readonly waitedMs: number;
  /** Mean delay to aim at; absent: a second, or 5 % of the typical duration where that is more. */
  readonly targetDelayMs?: number | undefined;
}

const leastTargetMs = 1_000;
const typicalPart = 0.05;

/** Without durations, looks are even: the best plan where a job may end at any time. */
const evenPlan = (targetMs: number) => (ms: number) =>
  ms + Math.min(Math.max(2 * targetMs, leastGapMs), horizonMs);

/** Gives the time from the submission at which to look next: always after `waitedMs`. */
export const nextLookAt = ({ durations, action, waitedMs, targetDelayMs }: PlanInput): number => {
  const history = historyOf(durations, action);
  const law = history?.law();
  const targetMs =
    targetDelayMs ??
    Math.max(leastTargetMs, law === undefined ? 0 : typicalPart * timeOf(law.seen, 0.5));
  const plan = history?.plan(targetMs) ?? evenPlan(targetMs);
  return plan(waitedMs);
};

/** What is likely, from the durations so far. */
export interface Estimate {
  /** Time from the submission to the end, in milliseconds. */
  readonly expectedMs: number;
  /** Part of it that is over, 0 to 99 before the job has finished. */
  readonly percent: number;
}

/** Mean part of all jobs' work that is done by then: it grows with time, whatever the law. */
const percentOf = ({ seen }: Law, waitedMs: number): number => {
  const parts = forEachBin((bin) => {
    const mass = (seen[bin + 1] ?? 0) - (seen[bin] ?? 0);
    return mass * Math.min(1, waitedMs / edgeOf(bin + 1));
  });
  return Math.min(99, Math.floor(100 * sumOf(parts)));
};

/** Estimates how long a job will take that has not finished yet; nothing without durations. */
export const estimate = ({
  durations,
  action,
  waitedMs,
}: Omit<PlanInput, "targetDelayMs">): Estimate | undefined => {
  const law = historyOf(durations, action)?.law();
  if (law === undefined) return undefined;
  return {
    expectedMs: Math.max(
      waitedMs + 1,
      timeOf(law.believed, (1 + valueAt(law.believed, waitedMs)) / 2),
    ),
    percent: percentOf(law, waitedMs),
  };
};
