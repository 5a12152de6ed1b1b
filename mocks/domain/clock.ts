/** The source of the mock's time. */
export interface Clock {
  /** The present, in milliseconds since 1970. */
  now(): number;
}

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves forward by so many milliseconds; zero or more. */
  advance(ms: number): void;
  /** Moves to a time in milliseconds since 1970; never backwards. */
  setTime(ms: number): void;
}

/** The last instant a `Date` can hold. */
export const endOfTimeMs = 8.64e15;

/** The distance between two clocks. A clock can increase it; only a reset takes it back. */
export interface TimeOffset {
  /** Milliseconds, zero or more. */
  offsetMs: number;
}

/** Clock of the system. It asks `Date` at every call, so that fake timers drive it. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Creates a clock that is ahead of another one. Moving it changes the offset, not the other clock.
 *
 * @param findOffset - Finds the offset anew at each use, because a reset replaces it
 */
export const createOffsetClock = (base: Clock, findOffset: () => TimeOffset): ManualClock => {
  const now = (): number => Math.min(base.now() + findOffset().offsetMs, endOfTimeMs);
  const setTime = (ms: number): void => {
    if (typeof ms !== "number") {
      const given = JSON.stringify(ms);
      throw new TypeError(`The clock's time must be milliseconds; it is ${given}`);
    }
    const ahead = findOffset();
    const baseMs = base.now();
    const present = Math.min(baseMs + ahead.offsetMs, endOfTimeMs);
    if (!(ms >= present && ms <= endOfTimeMs)) {
      throw new RangeError(`The clock at ${present} cannot be set to ${ms}`);
    }
    ahead.offsetMs = ms - baseMs;
  };
  return {
    now,
    setTime,
    advance: (ms) => {
      if (!(Number(ms) === ms && ms >= 0)) {
        const given = typeof ms === "number" ? ms : JSON.stringify(ms);
        const takes = "it takes milliseconds, zero or more (an hour is 3600000)";
        throw new RangeError(`The clock cannot advance by ${given}: ${takes}`);
      }
      setTime(now() + ms);
    },
  };
};

/**
 * Creates a clock for tests: jobs move on and expire only when the test moves it.
 *
 * @param start - Milliseconds since 1970. @default 2026-01-01T00:00:00Z
 */
export const createManualClock = (start: number = Date.UTC(2026, 0, 1)): ManualClock => {
  const ahead = { offsetMs: 0 };
  const clock = createOffsetClock({ now: () => 0 }, () => ahead);
  clock.setTime(start);
  return clock;
};

/** Writes a time as the service does. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
