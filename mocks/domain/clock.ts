/** Where the mock gets its time from. */
export interface Clock {
  /** The present, in milliseconds since 1970. */
  now(): number;
}

/** A clock that stands still until it is told to move. */
export interface ManualClock extends Clock {
  /** Moves forward by so many milliseconds; zero or more. */
  advance(ms: number): void;
  /** Moves to a time in milliseconds since 1970; never backwards. */
  setTime(ms: number): void;
}

/** The last instant a `Date` can hold. */
const endOfTimeMs = 8.64e15;

/** Asks `Date` at every call, so that a test runner's fake timers drive it. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * A clock for tests: jobs move on and expire only when the test says so.
 *
 * @param start - Milliseconds since 1970. @default 2026-01-01T00:00:00Z
 */
export const createManualClock = (start: number = Date.UTC(2026, 0, 1)): ManualClock => {
  let time = 0;
  const setTime = (ms: number): void => {
    if (!(ms >= time && ms <= endOfTimeMs)) {
      throw new RangeError(`A manual clock at ${time} cannot be set to ${ms}`);
    }
    time = ms;
  };
  setTime(start);
  return {
    now: () => time,
    advance: (ms) => {
      if (!(ms >= 0)) throw new RangeError(`A manual clock cannot advance by ${ms} ms`);
      setTime(time + ms);
    },
    setTime,
  };
};

/** A time as the service writes it. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
