import { at, binOf, probabilityBy, sumOf, timeBy, timeOf } from "./distribution.ts";
import { learnedOf, type RunningJob } from "./durations.ts";
import { leastGapMs, planPolls } from "./plan.ts";

export interface PlanInput extends RunningJob {
  /** Mean delay to aim at; absent: a second, or 5 % of the typical duration where that is more. */
  readonly targetDelayMs?: number | undefined;
}

const leastTargetMs = 1_000;
const typicalPart = 0.05;

/** One job in so many gets an earlier poll, too, where first polls find all jobs finished. */
const jobsPerEarlyPoll = 8;
const earlyPart = 0.4;

/** Gives the time from the submission at which to poll next: always after `waitedMs`. */
export const nextPollAt = ({ targetDelayMs, ...job }: PlanInput): number => {
  const { waitedMs } = job;
  const learned = learnedOf(job);
  // Without durations, polls are even: the best plan where a job may end at any time.
  if (learned === undefined) {
    return waitedMs + Math.max(2 * (targetDelayMs ?? leastTargetMs), leastGapMs);
  }
  const { distribution, plans, seen, count } = learned;
  const targetMs =
    targetDelayMs ?? Math.max(leastTargetMs, typicalPart * timeBy(distribution, 0.5));
  const plan = plans.get(targetMs) ?? planPolls(distribution, targetMs);
  plans.set(targetMs, plan);

  // A service that became quicker shows itself only to a poll that comes before all others.
  const firstMs = plan(0);
  const isSearching =
    count % jobsPerEarlyPoll === 0 &&
    waitedMs + leastGapMs < earlyPart * firstMs &&
    seen.slice(-jobsPerEarlyPoll).every(([from]) => from < binOf(firstMs) - 1);
  return isSearching ? earlyPart * firstMs : plan(waitedMs);
};

/** A guess, from the durations so far. */
export interface Estimate {
  /** Time from the submission to the end, in milliseconds. */
  readonly expectedMs: number;
  /** Progress in percent, 0 to 99 before the job has finished. It never falls. */
  readonly percent: number;
}

/**
 * Estimates how long a job will take that has not finished yet; nothing without durations.
 *
 * Half of the jobs that last longer than `waitedMs` have finished at `expectedMs`. `percent` is the
 * mean part of all jobs' durations that is over by now. It never falls while a job waits.
 */
export const estimate = (job: RunningJob): Estimate | undefined => {
  const { waitedMs } = job;
  const distribution = learnedOf(job)?.distribution;
  if (distribution === undefined) return undefined;
  const parts = distribution.map(
    (by, bin) => (at(distribution, bin + 1) - by) * Math.min(1, waitedMs / timeOf(bin + 1)),
  );
  return {
    expectedMs: Math.max(
      waitedMs + leastGapMs,
      timeBy(distribution, (1 + probabilityBy(distribution, waitedMs)) / 2),
    ),
    percent: Math.min(99, Math.floor(100 * sumOf(parts.slice(0, -1)))),
  };
};
