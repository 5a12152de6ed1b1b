import type { JobRecord } from "./job-timeline.ts";

interface Due {
  readonly at: number;
  readonly job: JobRecord;
}

/** Jobs by the time at which they are due: a binary heap. */
export interface DueJobs {
  add(at: number, job: JobRecord): void;
  /** Tells whether a job is due by `now`. */
  isDue(now: number): boolean;
  /** Removes and gives the job that is due first, when that is by `now`. */
  take(now: number): JobRecord | undefined;
}

export const createDueJobs = (): DueJobs => {
  const heap: Due[] = [];
  const timeOf = (place: number): number => heap[place]?.at ?? Number.POSITIVE_INFINITY;

  const swap = (one: number, other: number): void => {
    const [first, second] = [heap[one], heap[other]];
    if (first && second) [heap[one], heap[other]] = [second, first];
  };

  return {
    add: (at, job) => {
      let place = heap.push({ at, job }) - 1;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (timeOf(parent) <= at) break;
        swap(place, parent);
        place = parent;
      }
    },
    isDue: (now) => timeOf(0) <= now,
    take: (now) => {
      const [first] = heap;
      if (first === undefined || first.at > now) return undefined;
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return first.job;
      heap[0] = last;
      for (let place = 0; ; ) {
        const left = 2 * place + 1;
        const child = timeOf(left + 1) < timeOf(left) ? left + 1 : left;
        if (timeOf(child) >= timeOf(place)) return first.job;
        swap(place, child);
        place = child;
      }
    },
  };
};
