/** Our schedule without any history, on many laws, against a fixed interval. */
import { createSchedule } from "../../src/polling/schedule/durations.ts";
import { waitInLives } from "./bounds.ts";
import {
  drawEvenly,
  exponential,
  gamma,
  type Law,
  lognormal,
  logUniform,
  pareto,
  uniform,
} from "./laws.ts";
import { createRandom } from "./random.ts";
import { createJudge, printRows, type Row } from "./study.ts";

const minute = 60_000;

/**
 * A constant is drawn from a range here, from 0.3 s to 25 min in all. At a single constant, an
 * interval that is no part of it may poll just after the end or just before, by luck.
 */
const coldLaws: readonly Law[] = [
  logUniform(300, 1_000),
  logUniform(1_000, 3_000),
  logUniform(3_000, 10_000),
  logUniform(10_000, 30_000),
  logUniform(30_000, 100_000),
  logUniform(100_000, 5 * minute),
  logUniform(5 * minute, 25 * minute),
  uniform(0, 16_000),
  uniform(10_000, minute),
  exponential(2_000),
  exponential(8_000),
  exponential(minute),
  pareto(3_000, 2),
  gamma(4, 12_000),
  lognormal(8_000, 0.6),
  lognormal(90_000, 0.4),
];

/** Delays to aim at, in milliseconds; absent: the default. */
const targets: readonly (number | undefined)[] = [undefined, 300, 5_000];

export const studyCold = (): Row[] =>
  targets.flatMap((targetDelayMs) => {
    const rows = coldLaws.map((law) => {
      const jobs = drawEvenly(law, 400, createRandom(1));
      const waits = waitInLives(jobs, [createSchedule()], targetDelayMs);
      return createJudge(law)(law.name, waits);
    });
    const aim = targetDelayMs === undefined ? "" : `, targetDelayMs: ${targetDelayMs}`;
    printRows(`The schedule of adgen-sdk without any history${aim}`, rows);
    return rows;
  });
