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
export const endOfTimeMs = 8.64e15;

/** A clock that goes with another one, and can be moved on from there. */
export interface OffsetClock extends ManualClock {
  /** How far it is from the other one, in milliseconds; only a reset or a restore takes some back. */
  offsetMs: number;
}

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
    if (typeof ms !== "number") throw new TypeError("A manual clock's time must be milliseconds");
    if (!(ms >= time && ms <= endOfTimeMs)) {
      throw new RangeError(`A manual clock at ${time} cannot be set to ${ms}`);
    }
    time = ms;
  };
  setTime(start);
  return {
    now: () => time,
    advance: (ms) => {
      if (!(Number(ms) === ms && ms >= 0))
        throw new RangeError(`A manual clock cannot advance by ${ms} ms`);
      setTime(time + ms);
    },
    setTime,
  };
};

/** Goes with `base`, and leaves that where it is when it is moved. */
export const createOffsetClock = (base: Clock): OffsetClock => {
  const clock: OffsetClock = {
    offsetMs: 0,
    now: () => Math.min(base.now() + clock.offsetMs, endOfTimeMs),
    advance: (ms) => {
      if (!(ms >= 0)) throw new RangeError(`The clock cannot advance by ${ms} ms`);
      clock.setTime(clock.now() + ms);
    },
    setTime: (ms) => {
      const now = clock.now();
      if (typeof ms !== "number") throw new TypeError("The clock's time must be milliseconds");
      if (!(ms >= now && ms <= endOfTimeMs)) {
        throw new RangeError(`The clock at ${now} cannot be set to ${ms}`);
      }
      clock.offsetMs += ms - now;
    },
  };
  return clock;
};

/** The last second that was written: most times that are written together are of the same one. */
let second = Number.NaN;
let writtenSecond = "";

/** A time as the service writes it. */
export const timestamp = (ms: number): string => {
  // Dates know whole milliseconds; `toISOString` cuts off what is beyond them.
  const whole = Math.trunc(ms);
  const milliseconds = ((whole % 1000) + 1000) % 1000;
  if (whole - milliseconds !== second) {
    writtenSecond = new Date(whole - milliseconds).toISOString().slice(0, -4);
    second = whole - milliseconds;
  }
  return `${writtenSecond}${String(milliseconds).padStart(3, "0")}Z`;
};
