/** Lets a number of polls be under way at once; the others stand in line. */
export interface Semaphore {
  readonly isFree: () => boolean;
  /**
   * Takes a turn, at once or later: first come, first served.
   *
   * @returns Function that leaves the line
   */
  readonly acquire: (onTurn: () => void) => () => void;
  readonly release: () => void;
}

const usualLimit = 6;

/** Makes a semaphore for `limit` polls at once. */
export const createSemaphore = (limit = usualLimit): Semaphore => {
  const line = new Set<() => void>();
  let free = limit;
  return {
    isFree: () => free > 0,
    acquire: (onTurn) => {
      if (free > 0) {
        free--;
        onTurn();
      } else {
        line.add(onTurn);
      }
      return () => void line.delete(onTurn);
    },
    release: () => {
      const [next] = line;
      if (next === undefined) {
        free++;
        return;
      }
      line.delete(next);
      next();
    },
  };
};
