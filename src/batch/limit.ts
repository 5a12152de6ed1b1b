/** Runs a number of tasks at once; the others queue. */
export const createLimit = (most: number) => {
  let free = most;
  const queue: (() => void)[] = [];
  const begin = (): void => {
    while (free > 0 && queue.length > 0) {
      free -= 1;
      queue.shift()?.();
    }
  };
  return {
    run: async <T>(task: () => Promise<T>): Promise<T> => {
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        begin();
      });
      try {
        return await task();
      } finally {
        free += 1;
        begin();
      }
    },
    /** Lets everything run at once from now on. */
    lift: (): void => {
      free = Number.POSITIVE_INFINITY;
      begin();
    },
  };
};
