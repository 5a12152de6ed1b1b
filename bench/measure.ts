/** One line of the table. */
export interface Finding {
  readonly what: string;
  /** The measurement in words. */
  readonly measured: string;
  /** The limit in words; absent when the measurement is for information. */
  readonly limit?: string;
  readonly ok: boolean;
  /** Distance between the measurements. */
  readonly noise?: string;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** The middle one, and those at a quarter and at three quarters. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: at(sorted, 0.5), low: at(sorted, 0.25), high: at(sorted, 0.75) };
};

export const showSpread = ({ low, high }: Spread, digits = 2): string =>
  `${low.toFixed(digits)} to ${high.toFixed(digits)}`;

/** Microseconds that each of so many runs takes, one after the other. */
export const costOf = async (runs: number, run: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  for (let count = 0; count < runs; count += 1) await run();
  return ((performance.now() - startedAt) * 1000) / runs;
};

interface Comparison {
  /** Time of `one` divided by the time of `other`; the middle is that of the two middles. */
  readonly ratio: Spread;
  /** Microseconds a run. */
  readonly one: Spread;
  readonly other: Spread;
}

/** Until then code is compiled anew, and garbage is in places of its own. */
const warmUpRuns = 4_000;

const rounds = 2_000;
/** So few that nearly every round ends before another process gets the processor. */
const runs = 2;

/**
 * Compares the time of `one` with that of `other`. Both run in turn, in many short rounds, so that
 * other work of the machine slows both alike.
 */
export const compare = async (
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<Comparison> => {
  for (const run of [one, other]) await costOf(warmUpRuns, run);
  const [ones, others, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    // Whoever comes second pays for the other's garbage: take turns.
    const firstIsOne = round % 2 === 0;
    const first = await costOf(runs, firstIsOne ? one : other);
    const second = await costOf(runs, firstIsOne ? other : one);
    const [costOfOne, costOfOther] = firstIsOne ? [first, second] : [second, first];
    ones.push(costOfOne);
    others.push(costOfOther);
    ratios.push(costOfOne / costOfOther);
  }
  const [spread, otherSpread] = [spreadOf(ones), spreadOf(others)];
  const median = spread.median / otherSpread.median;
  return { ratio: { ...spreadOf(ratios), median }, one: spread, other: otherSpread };
};
