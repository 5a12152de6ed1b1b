/** The table of one law: every contender's polls and delay, against a fixed interval's. */
import { printTable } from "../table.ts";
import {
  loadHelpers,
  plainSchedules,
  pollsUntilDeadline,
  waitCold,
  waitInTurn,
  waitWarm,
} from "./contenders.ts";
import { type Effort, effortOf, fixedPollsFor, type Wait } from "./effort.ts";
import { createJobService } from "./job-service.ts";
import { drawEvenly, drawFreely, type Law, lognormal, sharesOf } from "./laws.ts";
import { createRandom } from "./random.ts";
import { simulate } from "./schedules.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** A contender's numbers, and the polls of a fixed interval with the same mean delay. */
export interface Row extends Effort {
  readonly name: string;
  readonly fixed: number;
}

const show = (ms: number): string => `${Math.round(ms)} ms`;

export const printRows = (title: string, rows: readonly Row[]): void => {
  console.log(`\n${title}`);
  printTable(
    ["", "polls", "mean delay", "95 % within", "fixed", "of fixed"],
    rows.map(({ name, polls, delayMs, p95DelayMs, fixed }) => [
      name,
      polls.toFixed(2),
      show(delayMs),
      show(p95DelayMs),
      fixed.toFixed(2),
      `${(polls / fixed).toFixed(2)}×`,
    ]),
  );
};

const jobsToCount = 400;
/** Lives of our client; the jobs that count are dealt out to them. */
const lives = 5;
/** Jobs that a warm client has seen. */
const history = 50;

/** Judges waits: the durations of the law itself stand behind the fixed interval. */
const createJudge = (law: Law): ((name: string, waits: readonly Wait[]) => Row) => {
  const shares = sharesOf(law, jobsToCount);
  return (name, waits) => {
    const effort = effortOf(waits);
    return { name, ...effort, fixed: fixedPollsFor(shares, effort.delayMs) };
  };
};

/** Names of our rows, which the bounds are about. */
export const ours = { cold: "adgen-sdk, cold", warm: "adgen-sdk, after 50 jobs" } as const;

/** Measures everyone on one law. */
export const studyLaw = async (clock: VirtualClock, law: Law): Promise<Row[]> => {
  // For runway's jitter and ours: the same numbers in every table, whatever came before.
  Math.random = createRandom(7);
  const judge = createJudge(law);
  const jobs = drawEvenly(law, jobsToCount, createRandom(1));
  const rows = [...plainSchedules()].map(([name, schedule]) =>
    judge(
      name,
      jobs.map((durationMs) => simulate(schedule, durationMs)),
    ),
  );
  const service = createJobService();
  for (const [name, wait] of await loadHelpers(service)) {
    rows.push(judge(name, await waitInTurn(clock, service, jobs, wait)));
  }
  const warm: Wait[] = [];
  for (let life = 0; life < lives; life += 1) {
    const part = jobs.filter((_, place) => place % lives === life);
    const before = drawFreely(law, history, createRandom(100 + life));
    warm.push(...(await waitWarm(clock, before, part)));
  }
  return [...rows, judge(ours.cold, await waitCold(clock, jobs)), judge(ours.warm, warm)];
};

const deadlineMs = 31 * 60_000;

/** Counts the polls of a job that never finishes, until the default deadline of 31 minutes. */
export const studyNeverFinishing = async (clock: VirtualClock): Promise<number> => {
  const polls = new Map<string, number>();
  for (const [name, schedule] of plainSchedules()) {
    polls.set(name, simulate(schedule, Number.POSITIVE_INFINITY, deadlineMs).polls);
  }
  const service = createJobService();
  for (const [name, wait] of await loadHelpers(service)) {
    // Most have no deadline: the job ends at ours. Others give up a moment before.
    const [last] = await waitInTurn(clock, service, [deadlineMs], () => wait().catch(() => {}));
    polls.set(name, last?.polls ?? Number.NaN);
  }
  const before = drawFreely(lognormal(8_000, 0.6), history, createRandom(5));
  const cold = await pollsUntilDeadline(clock, []);
  const warm = await pollsUntilDeadline(clock, before);
  polls.set(ours.cold, cold);
  polls.set(`${ours.warm} of 8 s`, warm);
  console.log("\nA job that never finishes: polls until the deadline of 31 minutes");
  printTable(
    ["", "polls"],
    [...polls].map(([name, count]) => [name, String(count)]),
  );
  return Math.max(cold, warm);
};
