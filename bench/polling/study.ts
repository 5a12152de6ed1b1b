/** The table of one law: every contender's polls and delay, against a fixed interval's. */
import { printTable } from "../table.ts";
import {
  learnLives,
  loadHelpers,
  plainSchedules,
  waitBySchedule,
  waitCold,
  waitInTurn,
  waitWarm,
} from "./contenders.ts";
import { type Effort, effortOf, fixedPollsFor, type Wait } from "./effort.ts";
import { createJobService } from "./job-service.ts";
import { drawEvenly, type Law, sharesOf } from "./laws.ts";
import { optimumOf } from "./optimum.ts";
import { createRandom } from "./random.ts";
import { simulate } from "./schedules.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** A contender's numbers, and what others need for the same mean delay. */
export interface Row extends Effort {
  readonly name: string;
  /** Polls of a fixed interval. */
  readonly fixed: number;
  /** Polls of the best schedule for the law. Absent where it is not computed. */
  readonly optimum?: number | undefined;
}

const show = (ms: number): string => `${Math.round(ms)} ms`;

export const printRows = (title: string, rows: readonly Row[]): void => {
  console.log(`\n${title}`);
  printTable(
    ["", "polls", "mean delay", "95 % within", "fixed", "of fixed", "optimum"],
    rows.map(({ name, polls, delayMs, p95DelayMs, fixed, optimum }) => [
      name,
      polls.toFixed(2),
      show(delayMs),
      show(p95DelayMs),
      fixed.toFixed(2),
      `${(polls / fixed).toFixed(2)}×`,
      optimum?.toFixed(2) ?? "",
    ]),
  );
};

const jobsToCount = 400;
/** Lives of our client; the jobs that count are dealt out to them. */
const lives = 5;
/** The same for the schedule alone, by the jobs that it has learned from. */
const livesOfSchedule = { 0: 1, 50: 20, 200: 5 } as const;

const split = (jobs: readonly number[], parts: number): number[][] =>
  Array.from({ length: parts }, (_, part) => jobs.filter((_, place) => place % parts === part));

/** Judges waits: the durations of the law itself stand behind the fixed interval and the optimum. */
export const createJudge = (
  law: Law,
  optimum?: (delayMs: number) => number | undefined,
): ((name: string, waits: readonly Wait[]) => Row) => {
  const shares = sharesOf(law, jobsToCount);
  return (name, waits) => {
    const effort = effortOf(waits);
    const { delayMs } = effort;
    return { name, ...effort, fixed: fixedPollsFor(shares, delayMs), optimum: optimum?.(delayMs) };
  };
};

/** Names of our rows, which the bounds are about. */
export const ours = {
  cold: "adgen-sdk, cold",
  coldSchedule: "  its schedule alone, cold",
  warm: "adgen-sdk, after 50 jobs",
  warmSchedule: "  its schedule alone, after 50",
  settled: "adgen-sdk, after 200 jobs",
  settledSchedule: "  its schedule alone, after 200",
} as const;

/** Measures everything on one law. */
export const studyLaw = async (clock: VirtualClock, law: Law): Promise<Row[]> => {
  // For runway's jitter and ours: the same numbers in every table, whatever came before.
  Math.random = createRandom(7);
  const judge = createJudge(law, optimumOf(law));
  const jobs = drawEvenly(law, jobsToCount, createRandom(1));
  const rows: Row[] = [];
  for (const [name, schedule] of plainSchedules()) {
    rows.push(
      judge(
        name,
        jobs.map((durationMs) => simulate(schedule, durationMs)),
      ),
    );
  }
  const service = createJobService();
  for (const [name, wait] of await loadHelpers(service)) {
    rows.push(judge(name, await waitInTurn(clock, service, jobs, wait)));
  }

  const found: [Wait[], Wait[]] = [[], []];
  for (const [life, part] of split(jobs, lives).entries()) {
    const [warm = [], settled = []] = await waitWarm(clock, law, 100 + life, [part, part]);
    found[0].push(...warm);
    found[1].push(...settled);
  }
  const bySchedule = (history: keyof typeof livesOfSchedule): Wait[] =>
    waitBySchedule(learnLives(law, history, livesOfSchedule[history]), jobs);
  return [
    ...rows,
    judge(ours.cold, await waitCold(clock, jobs)),
    judge(ours.coldSchedule, bySchedule(0)),
    judge(ours.warm, found[0]),
    judge(ours.warmSchedule, bySchedule(50)),
    judge(ours.settled, found[1]),
    judge(ours.settledSchedule, bySchedule(200)),
  ];
};
