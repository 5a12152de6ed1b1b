/**
 * `npm run bench:waits`: many waits at once. Requests are counted on a virtual clock; the heap and
 * the time of an abort are measured in a process of its own. It exits with 1 when a bound is broken.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { pollJob, pollJobs } from "adgen-sdk";
import type { Finding } from "../measure.ts";
import { printTable } from "../table.ts";
import { type Crowd, createCrowd, type HasEnded } from "./crowd.ts";
import { drawEvenly, type Law, lognormal, uniform } from "./laws.ts";
import { createRandom } from "./random.ts";
import { installVirtualClock } from "./virtual-clock.ts";
import type { WaitingHeap } from "./waiting-heap.ts";

/** Largest number of requests a job, of a thousand jobs at ticks of a second. */
const maxRequestsEach = 1.1;
/** Largest number of bytes in the heap of a waiting job. */
const maxBytesEach = 6_144;
const maxAbortMs = 1_000;
/** How late the end of a job is seen, with a list that is no help. */
const maxMeanDelayMs = 3_000;
const maxDelayMs = 10_000;
/** Largest number of requests under way at once, whatever the number of waits. */
const maxAtOnce = 100;

const latencyMs = 20;
const tick = { intervalMs: 1_000, maxIntervalMs: 1_000 };

const findings: Finding[] = [];
const add = (what: string, value: number, bound: number, unit = ""): void => {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(3);
  findings.push({
    what,
    measured: `${shown}${unit}`,
    limit: `≤ ${bound}${unit}`,
    ok: value <= bound,
  });
};

const clock = installVirtualClock();

const countRequests = async (
  what: string,
  law: Law,
  wait: (crowd: Crowd) => Promise<unknown>,
): Promise<void> => {
  Math.random = createRandom(1);
  const crowd = createCrowd(drawEvenly(law, 1_000, createRandom(2)), latencyMs);
  await clock.run(() => wait(crowd));
  add(`${what}, ${law.name}: requests a job`, crowd.requests() / 1_000, maxRequestsEach);
};

for (const law of [lognormal(8_000, 0.6), uniform(0, 50_000)]) {
  await countRequests("pollJobs, 1,000 jobs, 1 s", law, ({ client, ids }) =>
    pollJobs(client, ids, tick),
  );
  await countRequests("1,000 calls of pollJob, 1 s", law, ({ client, ids }) =>
    Promise.all(ids.map((id) => pollJob(client, id, tick))),
  );
}

const herd = createCrowd(drawEvenly(uniform(1_000, 30_000), 10_000, createRandom(3)), latencyMs);
await clock.run(() => Promise.all(herd.ids.map((id) => pollJob(herd.client, id))));
add("10,000 calls of pollJob: requests a job", herd.requests() / 10_000, maxRequestsEach);
add("10,000 waits begun at once: most requests at once", herd.mostAtOnce(), maxAtOnce);

/** Lists that are no help: whether they show a job finished, and the time that they take. */
const poorLists: [string, HasEnded | undefined, listMs?: number][] = [
  ["30 s old", (nowMs, durationMs) => nowMs - 30_000 >= durationMs],
  ["renewed each 30 s", (nowMs, durationMs) => nowMs - (nowMs % 30_000) >= durationMs],
  ["that fails", () => undefined],
  ["that takes 8 s", undefined, 8_000],
  ["that is silent", undefined, 600_000],
];

/** Waits for jobs beside such a list, and returns how late the end of each was seen. */
const delaysOf = async (
  durations: readonly number[],
  hasEnded: HasEnded | undefined,
  listMs?: number,
): Promise<number[]> => {
  Math.random = createRandom(4);
  const { client, ids } = createCrowd(durations, latencyMs, hasEnded, listMs);
  const startedAt = clock.now();
  const wait = async (id: string, place: number): Promise<number> => {
    await pollJob(client, id);
    return clock.now() - startedAt - Math.max(0, durations[place] ?? 0);
  };
  return clock.run(() => Promise.all(ids.map(wait)));
};

const counts = [1, 4, 19, 20, 25, 100, 1_000];
for (const [list, hasEnded, listMs] of poorLists) {
  const all: number[][] = [];
  for (const count of counts) {
    all.push(await delaysOf(new Array<number>(count).fill(3_000), hasEnded, listMs));
    // Of the last ones, half have ended before the waits begin.
    for (const law of [uniform(3_000, 63_000), uniform(-60_000, 60_000)]) {
      all.push(await delaysOf(drawEvenly(law, count, createRandom(5)), hasEnded, listMs));
    }
  }
  const means = all.map((delays) => delays.reduce((sum, ms) => sum + ms) / delays.length);
  const what = `1 to 1,000 waits with a list ${list}`;
  add(`${what}: mean delay`, Math.round(Math.max(...means)), maxMeanDelayMs, " ms");
  add(`${what}: longest delay`, Math.round(Math.max(...all.flat())), maxDelayMs, " ms");
}

const wrong: number[] = [];
for (const count of counts) {
  const durations = Array.from({ length: count }, (_, place) => (place === 0 ? 5_000 : 60_000));
  const [first = 0] = await delaysOf(
    durations,
    (nowMs, durationMs, place) => place > 0 && nowMs >= durationMs,
  );
  wrong.push(first);
}
add("a list that is wrong about one job of up to 1,000", Math.max(...wrong), 35_000, " ms");
clock.uninstall();

const child = fork(new URL("./waiting-heap.ts", import.meta.url), {
  execArgv: ["--expose-gc", "--max-old-space-size=4096"],
});
const failed = once(child, "exit").then(([code]) => {
  throw new Error(`The process with 10,000 waits ended with ${code}`);
});
failed.catch(() => {});
const [heap] = (await Promise.race([once(child, "message"), failed])) as [WaitingHeap];
child.disconnect();
for (const { what, bytesEach, abortMs } of heap) {
  add(`${what}: heap of a waiting job`, Math.round(bytesEach), maxBytesEach, " bytes");
  add(`${what}: all aborted within`, Math.round(abortMs), maxAbortMs, " ms");
}

printTable(
  ["", "what", "measured", "bound"],
  findings.map(({ ok, what, measured, limit = "" }) => [
    ok ? "ok" : "NOT MET",
    what,
    measured,
    limit,
  ]),
);
const broken = findings.filter(({ ok }) => !ok).length;
console.log(`\n${broken === 0 ? "All bounds are met" : `Bounds not met: ${broken}`}.`);
process.exitCode = broken === 0 ? 0 : 1;
