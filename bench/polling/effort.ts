/** Polls and delays of many waits, and how many polls a fixed interval needs for the same delay. */

/** One wait that has ended. */
export interface Wait {
  readonly durationMs: number;
  readonly polls: number;
  /** Time from the job's end to the end of the wait. */
  readonly delayMs: number;
}

/** Numbers of a job, on average. */
export interface Effort {
  readonly polls: number;
  readonly delayMs: number;
  readonly p95DelayMs: number;
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const effortOf = (waits: readonly Wait[]): Effort => {
  const delays = waits.map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  return {
    polls: meanOf(waits.map(({ polls }) => polls)),
    delayMs: meanOf(delays),
    p95DelayMs: delays[Math.floor(delays.length * 0.95)] ?? Number.NaN,
  };
};

/** Durations are smeared by up to so much, up and down. */
const smear = 0.25;
const smearedTo = 97;

/**
 * Gives the polls that a fixed interval needs for a mean delay, in milliseconds. Its first poll
 * comes after one interval. Where all jobs take 20 s, an interval of 20 s would be late by nothing.
 * That is luck: the durations are smeared by ±25 % here, with the same mean, so that none has it.
 */
export const fixedPollsFor = (durations: readonly number[], delayMs: number): number => {
  const smeared = durations.flatMap((duration) =>
    Array.from(
      { length: smearedTo },
      (_, place) => duration * (1 + smear * ((2 * place + 1) / smearedTo - 1)),
    ),
  );
  const meanMs = meanOf(smeared);
  const pollsWith = (intervalMs: number): number =>
    meanOf(smeared.map((duration) => Math.max(1, Math.ceil(duration / intervalMs))));
  // An interval is late by its own length at most; a very long one, by all but the duration.
  let [short, long] = [Math.max(1, delayMs), delayMs + 2 * Math.max(...durations)];
  for (let step = 0; step < 40; step += 1) {
    const interval = (short + long) / 2;
    if (interval * pollsWith(interval) - meanMs > delayMs) long = interval;
    else short = interval;
  }
  // Where the delay jumps, the polls of the two sides lie far apart: these lie on the line.
  return (meanMs + delayMs) / ((short + long) / 2);
};
