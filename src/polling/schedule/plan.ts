/**
 * A duration as it is known, in whole milliseconds: the last poll before the end, and the poll that saw
 * it.
 */
export type Interval = readonly [from: number, to: number];

/** A guess, from the durations so far. */
export interface Estimate {
  /** Time from the submission to the end, in milliseconds. */
  readonly expectedMs: number;
  /** Progress in percent, 0 to 99 before the job has finished. It never falls. */
  readonly percent: number;
}

const leastGapMs = 50;

const leastTargetMs = 1_000;
const typicalPart = 0.05;

/** A job may have ended anywhere in its interval: it counts as five, spread over it. */
const partsOfJob = 5;

/** Fewer jobs predict nothing: polls are then evenly spaced, and rarer for old jobs. */
const fewJobs = 5;
const growth = 0.05;

/** However sure a plan is, no gap is longer than this many targets, or than the time so far. */
const longestGapInTargets = 30;

const endsOf = (seen: readonly Interval[]): number[] =>
  seen
    .flatMap(([from, to]) =>
      Array.from(
        { length: partsOfJob },
        (_, part) => from + ((to - from) * (part + 1)) / partsOfJob,
      ),
    )
    .sort((one, other) => one - other);

/** The time at which the jobs in `open`, by then finished or not, are late by `budgetMs` on average. */
const pollTime = (open: readonly number[], budgetMs: number): number => {
  let sum = open.length * budgetMs;
  for (const [index, end] of open.entries()) {
    sum += end;
    const at = sum / (index + 1);
    if (at <= (open[index + 1] ?? Number.POSITIVE_INFINITY)) return at;
  }
  return Number.POSITIVE_INFINITY;
};

/** Polls a job needs on average, when each poll adds a delay of `budgetMs`. */
const meanPolls = (ends: readonly number[], budgetMs: number): number => {
  let polls = 0;
  for (let open = ends; open.length > 0; ) {
    polls += open.length / ends.length;
    const at = pollTime(open, budgetMs);
    open = open.filter((end) => end > at);
  }
  return polls;
};

/** The delay that each poll may add, so that all of a job's polls together keep the target. */
const budgetFor = (ends: readonly number[], targetMs: number): number => {
  let [low, high] = [targetMs / 200, targetMs];
  for (let step = 0; step < 10; step += 1) {
    const budgetMs = Math.sqrt(low * high);
    if (budgetMs * meanPolls(ends, budgetMs) > targetMs) high = budgetMs;
    else low = budgetMs;
  }
  return low;
};

/** When to poll a job, and when it will end, by the durations of the jobs before it. */
export interface Plan {
  /** Time of the next poll from the submission; always after `waitedMs`. */
  nextPollAt(waitedMs: number, targetDelayMs?: number): number;
  /** `undefined` without any durations. */
  estimate(waitedMs: number): Estimate | undefined;
}

export const createPlan = (seen: readonly Interval[]): Plan => {
  const ends = endsOf(seen);
  const typicalMs = ends[ends.length >> 1] ?? 0;
  const budgets = new Map<number, number>();
  const openAt = (ms: number) => ends.filter((end) => end > ms);
  return {
    nextPollAt: (waitedMs, targetMs = Math.max(leastTargetMs, typicalPart * typicalMs)) => {
      const open = openAt(waitedMs);
      const budgetMs = budgets.get(targetMs) ?? budgetFor(ends, targetMs);
      budgets.set(targetMs, budgetMs);
      const longestMs =
        open.length < fewJobs * partsOfJob
          ? Math.max(2 * targetMs, ends.length > 0 ? growth * waitedMs : 0)
          : Math.max(longestGapInTargets * targetMs, waitedMs);
      const plannedMs = pollTime(open, budgetMs) - waitedMs;
      return waitedMs + Math.max(leastGapMs, Math.min(plannedMs, longestMs));
    },
    estimate: (waitedMs) => {
      if (ends.length === 0) return undefined;
      const open = openAt(waitedMs);
      const parts = ends.reduce((sum, end) => sum + Math.min(1, waitedMs / end), 0);
      return {
        // Half of the jobs that lasted longer had finished by then.
        expectedMs: Math.max(
          waitedMs + leastGapMs,
          open[open.length >> 1] ?? (1 + growth) * waitedMs,
        ),
        percent: Math.min(99, Math.floor((100 * parts) / ends.length)),
      };
    },
  };
};
