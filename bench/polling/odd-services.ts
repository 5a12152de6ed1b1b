/** Services that are hard to learn: the law changes on the way, or no job ever finishes. */
import { printTable } from "../table.ts";
import {
  loadHelpers,
  plainSchedules,
  pollsUntilDeadline,
  waitForAll,
  waitInTurn,
} from "./contenders.ts";
import { effortOf, fixedPollsFor, type Wait } from "./effort.ts";
import { createJobService } from "./job-service.ts";
import { drawEvenly, drawFreely, lognormal } from "./laws.ts";
import { optimumOf } from "./optimum.ts";
import { createRandom } from "./random.ts";
import { simulate } from "./schedules.ts";
import { printRows, type Row } from "./study.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const sigma = 0.6;
const lives = 4;
/** Jobs between two lines of the table. */
const stretch = 25;
const stretchesBefore = 3;
const stretchesAfter = 6;

/** The median changes after 75 jobs: how well do the next ones fare? */
export const studyDrift = async (
  clock: VirtualClock,
  fromMs: number,
  toMs: number,
): Promise<Row[]> => {
  const before = lognormal(fromMs, sigma);
  const after = lognormal(toMs, sigma);
  const random = createRandom(fromMs);
  // The jobs of one stretch in all lives together follow the law closely.
  const drawn = Array.from({ length: stretchesBefore + stretchesAfter }, (_, place) =>
    drawEvenly(place < stretchesBefore ? before : after, lives * stretch, random),
  );
  const found: Wait[][] = drawn.map(() => []);
  for (let life = 0; life < lives; life += 1) {
    const jobs = drawn.map((all) => all.slice(life * stretch, (life + 1) * stretch));
    const waits = await waitForAll(clock, jobs.flat());
    for (const [place, all] of found.entries()) {
      all.push(...waits.slice(place * stretch, (place + 1) * stretch));
    }
  }
  const rows = found.map((waits, place): Row => {
    const effort = effortOf(waits);
    const isAfter = place >= stretchesBefore;
    const from = place * stretch;
    return {
      name: `jobs ${from + 1} to ${from + stretch}${isAfter ? ", after the change" : ""}`,
      ...effort,
      fixed: fixedPollsFor(drawn[place] ?? [], effort.delayMs),
      optimum: optimumOf(isAfter ? after : before)(effort.delayMs),
    };
  });
  printRows(`adgen-sdk where the median changes from ${fromMs / 1000} to ${toMs / 1000} s`, rows);
  return rows;
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
  const history = drawFreely(lognormal(8_000, sigma), 50, createRandom(5));
  const cold = await pollsUntilDeadline(clock, []);
  const warm = await pollsUntilDeadline(clock, history);
  polls.set("adgen-sdk, cold", cold);
  polls.set("adgen-sdk, after 50 jobs of 8 s", warm);
  console.log("\nA job that never finishes: polls until the deadline of 31 minutes");
  printTable(
    ["", "polls"],
    [...polls].map(([name, count]) => [name, String(count)]),
  );
  return Math.max(cold, warm);
};
