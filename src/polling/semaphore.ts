interface Holder {
  resume?: ((given: "turn") => void) | undefined;
}

/** Lets a number of polls be under way at once; the others stand in line. */
export interface Semaphore {
  /** Takes a turn, or gets into the line: it resumes with its turn, first come, first served. */
  readonly take: (holder: Holder) => boolean;
  readonly leaveLine: (holder: Holder) => void;
  readonly release: () => void;
}

const usualLimit = 6;

export const createSemaphore = (limit = usualLimit): Semaphore => {
  const line = new Set<Holder>();
  let free = limit;
  return {
    take: (holder) => {
      if (free === 0) line.add(holder);
      else free--;
      return !line.has(holder);
    },
    leaveLine: (holder) => void line.delete(holder),
    release: () => {
      const [next] = line;
      if (next === undefined) free++;
      else next.resume?.("turn");
    },
  };
};
