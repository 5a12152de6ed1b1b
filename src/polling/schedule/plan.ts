import { at, edges, interpolate, sumOf } from "./bins.ts";
import { type LearnedDurations, learnedOf } from "./durations.ts";
import { leastGapMs, planLooks } from "./inspection.ts";

/** Facts that the time of the next look depends on. */
export interface PlanInput {
  readonly durations: LearnedDurations;
  /** Absent: the job's action is not known. All actions together then stand for it. */
  readonly action: string | undefined;
  /** Time since the submission, or since the wait began where that is not known. */
  readonly waitedMs: number;
  /** Mean delay to aim at; absent: a second, or 5 % of the typical duration where that is more. */
  readonly targetDelayMs?: number | undefined;
}

const leastTargetMs = 1_000;
const typicalPart = 0.05;

/** Number of plans that are kept for an action, for different targets. */
const keptPlans = 4;

/** Gives the time from the submission at which to look next: always after `waitedMs`. */
export const nextLookAt = ({ durations, action, waitedMs, targetDelayMs }: PlanInput): number => {
  const learned = learnedOf(durations, action);
  // Without durations, looks are even: the best plan where a job may end at any time.
  if (learned === undefined) {
    return waitedMs + Math.max(2 * (targetDelayMs ?? leastTargetMs), leastGapMs);
  }
  const { law, plans } = learned;
  const targetMs =
    targetDelayMs ?? Math.max(leastTargetMs, typicalPart * interpolate(law.chances, edges, 0.5));
  const plan = plans.get(targetMs) ?? planLooks(law, targetMs);
  if (plans.size >= keptPlans) plans.clear();
  plans.set(targetMs, plan);
  return plan(waitedMs);
};

/** A guess, from the durations so far. */
export interface Estimate {
  /** Time from the submission to the end, in milliseconds. */
  readonly expectedMs: number;
  /** Part of it that is over, 0 to 99 before the job has finished. */
  readonly percent: number;
}

/**
 * Estimates how long a job will take that has not finished yet; nothing without durations.
 *
 * Half of the jobs that last longer than `waitedMs` have finished at `expectedMs`. `percent` is the
 * mean part of all jobs' durations that is over by now. It never falls while a job waits.
 */
export const estimate = ({
  durations,
  action,
  waitedMs,
}: Omit<PlanInput, "targetDelayMs">): Estimate | undefined => {
  const law = learnedOf(durations, action)?.law;
  if (law === undefined) return undefined;
  const chance = interpolate(edges, law.chances, waitedMs);
  const parts = law.masses.map((mass, bin) => mass * Math.min(1, waitedMs / at(edges, bin + 1)));
  return {
    expectedMs: Math.max(waitedMs + leastGapMs, interpolate(law.chances, edges, (1 + chance) / 2)),
    percent: Math.min(99, Math.floor(100 * sumOf(parts))),
  };
};
