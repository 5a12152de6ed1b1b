/** A semaphore: tasks beyond the limit queue, first in, first out. */
export interface Limit {
  /**
   * Returns whether the caller gets a place now. If not, the caller is queued, and called when
   * there is a place.
   */
  readonly enter: (begin: () => void) => boolean;
  /**
   * Frees the caller's place for the next in the queue. A caller without a place leaves the queue.
   */
  readonly leave: (begin: () => void) => void;
  /** Runs a task when there is a place for it. */
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  /** Lets everything run at once from now on. */
  readonly lift: () => void;
}

export const createLimit = (max: number): Limit => {
  let places = max;
  const inside = new Set<() => void>();
  const queue = new Set<() => void>();
  const fill = (): void => {
    for (const begin of queue) {
      if (inside.size >= places) return;
      queue.delete(begin);
      inside.add(begin);
      begin();
    }
  };
  const limit: Limit = {
    enter: (begin) => {
      if (inside.size < places) inside.add(begin);
      else if (!inside.has(begin)) queue.add(begin);
      return inside.has(begin);
    },
    leave: (begin) => {
      queue.delete(begin);
      inside.delete(begin);
      fill();
    },
    run: async (task) => {
      let place = (): void => {};
      await new Promise<void>((resolve) => {
        place = resolve;
        if (limit.enter(place)) resolve();
      });
      try {
        return await task();
      } finally {
        limit.leave(place);
      }
    },
    lift: () => {
      places = Number.POSITIVE_INFINITY;
      fill();
    },
  };
  return limit;
};
