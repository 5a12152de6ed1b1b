import type { JobRecord } from "./job-timeline.ts";

/** Jobs by the time at which they are due. */
export interface DueJobs {
  add(at: number, job: JobRecord): void;
  /** Tells whether a job is due by `now`. */
  isDue(now: number): boolean;
  /** Removes and gives the job that is due first, when that is by `now`. */
  take(now: number): JobRecord | undefined;
}

export const createDueJobs = (): DueJobs => {
  /** Latest first: most jobs are due after all others, so that few move for a new one. */
  const waiting: { readonly at: number; readonly job: JobRecord }[] = [];
  const isDue = (now: number): boolean => (waiting.at(-1)?.at ?? Number.POSITIVE_INFINITY) <= now;
  return {
    add: (at, job) => {
      const place = waiting.findIndex((other) => other.at <= at);
      waiting.splice(place === -1 ? waiting.length : place, 0, { at, job });
    },
    isDue,
    take: (now) => (isDue(now) ? waiting.pop()?.job : undefined),
  };
};
