/** Lets a number of polls be under way at once; the others stand in line. */
export interface Semaphore {
  readonly isFree: () => boolean;
  /**
   * Takes a turn, at once or later: first come, first served.
   *
   * @returns Function that leaves the line
   */
  readonly acquire: (holder: object, onTurn: () => void) => () => void;
  /** Gives a turn back, where the holder has one. */
  readonly release: (holder: object) => void;
}

const usualLimit = 6;

/** Makes a semaphore for `limit` polls at once. */
export const createSemaphore = (limit = usualLimit): Semaphore => {
  const line = new Map<object, () => void>();
  const holders = new Set<object>();
  const isFree = () => holders.size < limit;

  const serve = (): void => {
    for (const [next, onTurn] of line) {
      if (!isFree()) return;
      line.delete(next);
      holders.add(next);
      onTurn();
    }
  };

  return {
    isFree,
    acquire: (holder, onTurn) => {
      line.set(holder, onTurn);
      serve();
      return () => void line.delete(holder);
    },
    release: (holder) => {
      if (holders.delete(holder)) serve();
    },
  };
};
