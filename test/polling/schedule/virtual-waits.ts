import type { LearnedDurations } from "../../../src/polling/schedule/durations.ts";
import { createLearnedDurations } from "../../../src/polling/schedule/durations.ts";
import { nextPollAt } from "../../../src/polling/schedule/next-poll.ts";

/** Random numbers below 1, the same for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Draws the duration of a job. */
export type Law = (random: () => number) => number;

export const constant =
  (ms: number): Law =>
  () =>
    ms;
export const uniform =
  (fromMs: number, toMs: number): Law =>
  (random) =>
    fromMs + (toMs - fromMs) * random();
export const exponential =
  (meanMs: number): Law =>
  (random) =>
    -meanMs * Math.log(1 - random());
export const lognormal =
  (medianMs: number, sigma: number): Law =>
  (random) => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return medianMs * Math.exp(sigma * normal);
  };
export const mixed =
  (share: number, one: Law, other: Law): Law =>
  (random) =>
    random() < share ? one(random) : other(random);

/** Polls and delays of waits on a virtual clock, as means. */
export interface Waits {
  readonly polls: number;
  readonly delayMs: number;
}

/** Gives the means of several waits. */
export const meanOf = (waits: readonly Waits[]): Waits => ({
  polls: waits.reduce((sum, { polls }) => sum + polls, 0) / waits.length,
  delayMs: waits.reduce((sum, { delayMs }) => sum + delayMs, 0) / waits.length,
});

/** Waits for one job, without a poll its start. */
const wait = (ms: number, next: (waitedMs: number) => number, seen?: Seen): Waits => {
  let afterMs = 0;
  for (let polls = 1; ; polls += 1) {
    const byMs = next(afterMs);
    if (!(byMs > afterMs)) throw new Error(`a poll at ${byMs} after one at ${afterMs}`);
    if (byMs >= ms) {
      seen?.({ afterMs, byMs });
      return { polls, delayMs: byMs - ms };
    }
    afterMs = byMs;
  }
};

type Seen = (interval: { afterMs: number; byMs: number }) => void;

const action = "generate-ad";

/** Waits as a client does: each wait learns from those before. */
export const createWaits = (targetDelayMs?: number, durations = createLearnedDurations()) => {
  const next = (waitedMs: number) => nextPollAt({ durations, action, waitedMs, targetDelayMs });
  return {
    durations: durations as LearnedDurations,
    next,
    /** Waits for jobs and learns from them. */
    learn: (jobs: readonly number[]): Waits =>
      meanOf(jobs.map((ms) => wait(ms, next, (seen) => durations.add(action, seen)))),
    /** Waits for jobs by the present plan. */
    measure: (jobs: readonly number[]): Waits => meanOf(jobs.map((ms) => wait(ms, next))),
  };
};

/** Draws durations. */
export const draw = (law: Law, count: number, seed: number): number[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => law(random));
};

/** Gives the polls of a fixed interval, over nearby ones, at a mean delay. */
export const fixedPolls = (jobs: readonly number[], delayMs: number): number => {
  const at = (intervalMs: number): Waits =>
    meanOf(
      [0.9, 0.95, 1, 1.05, 1.1].map((factor) => {
        const gapMs = intervalMs * factor;
        return meanOf(
          jobs.map((ms) => wait(ms, (t) => (Math.floor(t / gapMs + 1e-9) + 1) * gapMs)),
        );
      }),
    );
  let low = delayMs / 4;
  let high = delayMs * 8;
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    if (at(middle).delayMs < delayMs) low = middle;
    else high = middle;
  }
  return at(low).polls;
};

/** Lets several clients learn and measures them together: luck of one draw counts less. */
export const average = (
  law: Law,
  learned: number,
  targetDelayMs: number | undefined,
  clients = 3,
) =>
  meanOf(
    Array.from({ length: clients }, (_, seed) => {
      const waits = createWaits(targetDelayMs);
      if (learned > 0) waits.learn(draw(law, learned, seed + 1));
      return waits.measure(draw(law, 1_000, seed + 101));
    }),
  );
