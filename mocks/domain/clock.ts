/** The source of the mock's time. */
export interface Clock {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
}

/** A clock that a test can move forward. */
export interface ManualClock extends Clock {
  /** Moves the clock forward by this many milliseconds, zero or more. */
  advance(ms: number): void;
  /** Sets the time in milliseconds since 1970. The clock can't go back. */
  setTime(ms: number): void;
}

/** The last instant a `Date` can hold. */
export const endOfTimeMs = 8.64e15;

/** How far a clock is ahead of another one. Only a reset makes it smaller. */
export interface TimeOffset {
  /** Milliseconds, zero or more. */
  offsetMs: number;
}

/** The system's clock. It reads `Date` at each call, so that fake timers drive it. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Creates a clock that is ahead of another one. Moving it changes the offset and leaves the other
 * clock alone.
 *
 * @param findOffset - Returns the object with the offset. It is called at each use, because a reset
 *   may replace the object
 */
export const createOffsetClock = (base: Clock, findOffset: () => TimeOffset): ManualClock => {
  const now = (): number => Math.min(base.now() + findOffset().offsetMs, endOfTimeMs);
  const setTime = (ms: number): void => {
    const ahead = findOffset();
    const baseMs = base.now();
    const present = Math.min(baseMs + ahead.offsetMs, endOfTimeMs);
    if (!(Number(ms) === ms && ms >= present && ms <= endOfTimeMs)) {
      const rule = "it can only move forward";
      throw new RangeError(`The clock at ${present} cannot be set to ${ms}: ${rule}`);
    }
    ahead.offsetMs = ms - baseMs;
  };
  return {
    now,
    setTime,
    advance: (ms) => {
      if (!(Number(ms) === ms && ms >= 0)) {
        const expected = "pass milliseconds, zero or more (an hour is 3600000)";
        throw new RangeError(`The clock cannot advance by ${ms}: ${expected}`);
      }
      setTime(now() + ms);
    },
  };
};

/**
 * Creates a clock that stands still until a test moves it, so that jobs progress and expire only then.
 *
 * @param start - Milliseconds since 1970. @default 2026-01-01T00:00:00Z
 */
export const createManualClock = (start: number = Date.UTC(2026, 0, 1)): ManualClock => {
  const ahead = { offsetMs: 0 };
  const clock = createOffsetClock({ now: () => 0 }, () => ahead);
  clock.setTime(start);
  return clock;
};

/** Formats a time as the service does. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
