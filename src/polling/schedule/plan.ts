import type { LearnedDurations } from "./durations.ts";

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

/** Gives the time from the submission at which to look next: always after `waitedMs`. */
export const nextLookAt = ({ waitedMs, targetDelayMs = 1_000 }: PlanInput): number =>
  (Math.floor(waitedMs / (2 * targetDelayMs)) + 1) * 2 * targetDelayMs;

/** What is likely, from the durations so far. */
export interface Estimate {
  /** Time from the submission to the end, in milliseconds. */
  readonly expectedMs: number;
  /** Part of it that is over, 0 to 99 before the job has finished. */
  readonly percent: number;
}

/** Estimates how long a job will take that has not finished yet; nothing without durations. */
export const estimate = (_: Omit<PlanInput, "targetDelayMs">): Estimate | undefined => undefined;
