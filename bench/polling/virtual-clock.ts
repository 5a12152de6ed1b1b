/** One simulated time for every program of a benchmark: it jumps from timer to timer. */
import { setImmediate } from "node:timers/promises";

interface Timer {
  readonly id: number;
  readonly at: number;
  readonly run: () => void;
}

/** Timers in the order of their time; those of one time in the order in which they were set. */
const createTimerQueue = () => {
  const heap: Timer[] = [];
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [heap[a] as Timer, heap[b] as Timer];
    return one.at < other.at || (one.at === other.at && one.id < other.id);
  };
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Timer, heap[a] as Timer];
  };
  return {
    add: (timer: Timer): void => {
      let place = heap.push(timer) - 1;
      for (let above = (place - 1) >> 1; place > 0 && isBefore(place, above); ) {
        swap(place, above);
        place = above;
        above = (place - 1) >> 1;
      }
    },
    /** Takes the earliest timer out. */
    take: (): Timer | undefined => {
      const [first] = heap;
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let place = 0; ; ) {
        const [left, right] = [2 * place + 1, 2 * place + 2];
        let least = place;
        if (left < heap.length && isBefore(left, least)) least = left;
        if (right < heap.length && isBefore(right, least)) least = right;
        if (least === place) return first;
        swap(place, least);
        place = least;
      }
    },
  };
};

/** A time that stands still until `run` moves it. */
export interface VirtualClock {
  /** Milliseconds since the clock was made. */
  readonly now: () => number;
  /** Starts a task, and moves the time on until the task has ended. */
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  /** Gives the real functions back to the process. */
  readonly uninstall: () => void;
}

/** The first moment of every clock. `performance.now()` gives so many milliseconds then. */
const startOfPerformance = 1_000_000;
const startOfDate = Date.UTC(2026, 0, 1);

/** Turns of the event loop after which what a timer or an answer has begun is at rest. */
const turnsToRest = 3;

const rest = async (): Promise<void> => {
  for (let turn = 0; turn < turnsToRest; turn += 1) await setImmediate();
};

/**
 * Puts a virtual clock in the place of the process's own: `setTimeout`, `clearTimeout`,
 * `performance.now` and `Date.now`. Code that took these functions before keeps the real ones.
 */
export const installVirtualClock = (): VirtualClock => {
  const { setTimeout, clearTimeout } = globalThis;
  const dateNow = Date.now;
  const queue = createTimerQueue();
  const waiting = new Set<number>();
  let nowMs = 0;
  let lastId = 0;

  const set = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): object => {
    lastId += 1;
    const id = lastId;
    waiting.add(id);
    queue.add({ id, at: nowMs + Math.max(1, ms), run: () => run(...given) });
    const handle = { ref: () => handle, unref: () => handle, [Symbol.toPrimitive]: () => id };
    return handle;
  };
  const clear = (handle: unknown): void => {
    if (handle !== undefined && handle !== null) waiting.delete(Number(handle));
  };
  const fireNext = (): void => {
    for (;;) {
      const timer = queue.take();
      if (timer === undefined) throw new Error("The task waits, but no timer is set.");
      if (!waiting.delete(timer.id)) continue;
      nowMs = timer.at;
      timer.run();
      return;
    }
  };

  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  Date.now = () => startOfDate + nowMs;
  performance.now = () => startOfPerformance + nowMs;

  return {
    now: () => nowMs,
    run: async (task) => {
      let hasEnded = false;
      const ended = task().finally(() => {
        hasEnded = true;
      });
      ended.catch(() => {});
      await rest();
      while (!hasEnded) {
        fireNext();
        await rest();
      }
      return ended;
    },
    uninstall: () => {
      Object.assign(globalThis, { setTimeout, clearTimeout });
      Date.now = dateNow;
      // The method of the prototype is there again.
      Reflect.deleteProperty(performance, "now");
    },
  };
};
