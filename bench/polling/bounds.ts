/** What our schedule needs, without a client, after 50 jobs: its limits for each law. */

import { createSchedule, type Schedule as Learned } from "../../src/polling/schedule/durations.ts";
import { type Effort, effortOf, type Wait } from "./effort.ts";
import {
  drawFreely,
  exponential,
  type Law,
  lognormal,
  sharesOf,
  twoKinds,
  uniform,
} from "./laws.ts";
import { createRandom } from "./random.ts";
import { learned, simulate, simulateLearning } from "./schedules.ts";

export interface Bound {
  readonly law: Law;
  /** Polls a job on average; absent: only the delay counts. */
  readonly mostPolls?: number;
  readonly mostDelayMs: number;
}

const wide = lognormal(8_000, 0.6);
const constant: Law = { ...uniform(19_600, 20_400), name: "20 s ± 2 %" };
const kinds = twoKinds(
  "two kinds, 3 s and 40 s, half each",
  uniform(2_940, 3_060),
  uniform(39_200, 40_800),
  0.5,
);
const mixture = twoKinds(
  "lognormal as the first, but 20 % of jobs are 10 × slower",
  wide,
  lognormal(80_000, 0.6),
  0.8,
);
const slow = exponential(60_000);

export const bounds: readonly Bound[] = [
  { law: wide, mostPolls: 4.5, mostDelayMs: 1_050 },
  { law: lognormal(8_000, 0.25), mostPolls: 2.9, mostDelayMs: 850 },
  { law: constant, mostPolls: 2, mostDelayMs: 600 },
  { law: kinds, mostPolls: 3.5, mostDelayMs: 700 },
  { law: exponential(10_000), mostPolls: 5.5, mostDelayMs: 1_200 },
  // Heavy tails: twice the target, which is 5 % of the median where that is more than a second.
  { law: slow, mostDelayMs: 2 * 0.05 * slow.quantile(0.5) },
  { law: mixture, mostDelayMs: 2_000 },
];

/** Lets clients learn from jobs of several laws, one after the other. */
export const livesAfter = (
  lives: number,
  targetMs: number | undefined,
  ...laws: readonly (readonly [law: Law, jobs: number])[]
): Learned[] =>
  Array.from({ length: lives }, (_, life) => {
    const random = createRandom(life + 1);
    const durations = createSchedule();
    for (const [law, jobs] of laws) {
      simulateLearning(durations, drawFreely(law, jobs, random), targetMs);
    }
    return durations;
  });

/** Waits for each job in each life. */
export const waitInLives = (
  jobs: readonly number[],
  lives: readonly Learned[],
  targetMs?: number,
): Wait[] =>
  lives.flatMap((durations) => jobs.map((ms) => simulate(learned(durations, targetMs), ms)));

export const measure = ({ law }: Bound, jobs = 1_000): Effort =>
  effortOf(waitInLives(sharesOf(law, jobs), livesAfter(8, undefined, [law, 50])));
