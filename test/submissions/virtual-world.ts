import { vi } from "vitest";
import { createRandom as createNumbers } from "../helpers/random.ts";

/** Creates random choices that are the same for the same seed. */
export const createRandom = (seed: number) => {
  const next = createNumbers(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (from: number, to: number): number => from + below(to - from + 1),
    happens: (rate: number): boolean => next() < rate,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
  };
};

export type Random = ReturnType<typeof createRandom>;

/** Waits until no promise can make progress without time. */
const drain = (): Promise<void> => new Promise((done) => setImmediate(done));

/** Time that jumps from event to event. */
export const createTime = () => {
  let now = 0;
  let events: { readonly at: number; readonly run: () => void }[] = [];
  const after = (ms: number, run: () => void): (() => void) => {
    const event = { at: now + Math.max(0, ms), run };
    // Events of the same time run in the order in which they were added.
    const place = events.findLastIndex(({ at }) => at <= event.at) + 1;
    events.splice(place, 0, event);
    return () => {
      events = events.filter((other) => other !== event);
    };
  };
  return {
    now: () => now,
    after,
    wait: (ms: number): Promise<void> => new Promise((done) => void after(ms, done)),
    /** Runs events until a time, or until `isDone` returns true. */
    async runUntil(end: number, isDone = (): boolean => false): Promise<void> {
      for (await drain(); ; await drain()) {
        if (isDone()) return;
        const next = events[0];
        if (next === undefined || next.at > end) break;
        events.shift();
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
};

export type Time = ReturnType<typeof createTime>;

const never = new Promise<never>(() => {});

/** Probabilities of a crash and of a suspension at each step of a process. */
export interface Dangers {
  readonly crash: number;
  readonly suspend: number;
}

/** Creates a process that may die, be suspended with its machine, and have its clock set. */
export const createProcess = (
  time: Time,
  random: Random,
  dangers: () => Dangers,
  /** Some monotonic clocks stop while their machine is suspended. */
  stops: boolean = random.happens(0.5),
) => {
  let isDead = false;
  let awakeAt = 0;
  let lostMs = 0;
  let offsetMs = random.between(-25_000, 25_000);

  const awake = async (): Promise<void> => {
    while (!isDead && time.now() < awakeAt) await time.wait(awakeAt - time.now());
    if (isDead) await never;
  };

  const suspend = (ms: number): void => {
    if (awakeAt > time.now()) return;
    awakeAt = time.now() + ms;
    if (stops) lostMs += ms;
  };

  /** Makes one step to or from the outside, at which the process may die or be suspended. */
  const step = async (): Promise<void> => {
    const { crash, suspend: sleep } = dangers();
    if (random.happens(crash)) isDead = true;
    else if (random.happens(sleep)) suspend(random.pick([3_000, 20_000, 90_000, 600_000]));
    await awake();
  };

  return {
    step,
    suspend,
    isDead: () => isDead,
    isAsleep: () => time.now() < awakeAt,
    /** Time of the last wake-up. Limits on time do not apply to calls that began before it. */
    slept: () => awakeAt,
    kill: (): void => {
      isDead = true;
    },
    setClock: (): void => {
      // If one clock stops and the other is set back, a process cannot notice its suspension.
      offsetMs = random.between(stops ? offsetMs : -25_000, 25_000);
    },
    clock: {
      now: () => time.now() - lostMs,
      wall: () => 1_000_000_000_000 + time.now() + offsetMs,
      async sleep(ms: number, signal?: AbortSignal): Promise<void> {
        await new Promise<void>((done) => {
          const cancel = time.after(ms, done);
          const stop = (): void => {
            cancel();
            done();
          };
          if (signal?.aborted) stop();
          signal?.addEventListener("abort", stop, { once: true });
        });
        await awake();
      },
      async rest(ms: number): Promise<void> {
        await time.wait(ms);
        await awake();
      },
    },
  };
};

export type Process = ReturnType<typeof createProcess>;

/**
 * Replaces timers and clocks by ones that jump from timer to timer, so that minutes take moments.
 * Faked timers of vitest would wait a real millisecond after each. `vi.unstubAllGlobals` and
 * `vi.restoreAllMocks` end it.
 */
export const startVirtualTime = () => {
  // At noon: windows of a day do not end while a test runs.
  const startedAt = Date.UTC(2026, 0, 1, 12);
  const { now, after, wait, runUntil } = createTime();
  const stops: (() => void)[] = [];
  const setTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number =>
    stops.push(after(ms, () => run(...args)));
  vi.stubGlobal("setTimeout", setTimer);
  vi.stubGlobal("clearTimeout", (id = 0) => stops[id - 1]?.());
  vi.spyOn(Date, "now").mockImplementation(() => startedAt + now());
  vi.spyOn(performance, "now").mockImplementation(now);
  return {
    ...{ now, wait },
    pass: (ms: number) => runUntil(now() + ms),
    /**
     * Runs timers in their order until `isDone` returns true. Throws if that takes longer than
     * `maxMs`.
     */
    async runUntil(isDone: () => boolean, maxMs: number): Promise<void> {
      await runUntil(now() + maxMs, isDone);
      if (!isDone()) throw new Error(`something is missing after ${maxMs} ms`);
    },
  };
};

export type VirtualTime = ReturnType<typeof startVirtualTime>;
