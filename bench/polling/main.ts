/**
 * `npm run bench:polling`: polls a job and delays of waits, on a virtual clock. All contenders wait
 * for the same jobs; the same numbers come out every time. It exits with 1 when a bound is broken.
 */
import type { Finding } from "../measure.ts";
import { installPeers } from "../peers.ts";
import { printTable } from "../table.ts";
import { studyCold } from "./cold.ts";
import { learnLives, waitBySchedule } from "./contenders.ts";
import { effortOf } from "./effort.ts";
import { measureFirstBatches } from "./first-batch.ts";
import { drawEvenly, type Law, lognormal, twoKinds, uniform } from "./laws.ts";
import { studyDrift, studyNeverFinishing } from "./odd-services.ts";
import { optimumOf } from "./optimum.ts";
import { createRandom } from "./random.ts";
import { ours, printRows, type Row, studyLaw } from "./study.ts";
import { installVirtualClock } from "./virtual-clock.ts";

const startedAt = performance.now();
installPeers();
const clock = installVirtualClock();

const wide = lognormal(8_000, 0.6);
const narrow = lognormal(8_000, 0.25);
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

const rowsOf = new Map<Law, readonly Row[]>();
for (const law of [wide, narrow, constant, kinds, mixture]) {
  const rows = await studyLaw(clock, law);
  printRows(law.name, rows);
  rowsOf.set(law, rows);
}
const slower = await studyDrift(clock, 8_000, 24_000);
const quicker = await studyDrift(clock, 24_000, 8_000);
const mostPolls = await studyNeverFinishing(clock);
const cold = studyCold();
const firstBatches = await measureFirstBatches(clock);
clock.uninstall();

/** Polls of our schedule after 50 jobs when it is aimed so that it is late by just 1,000 ms. */
const pollsAtOneSecond = (law: Law): number => {
  const jobs = drawEvenly(law, 2_000, createRandom(2));
  const lives = learnLives(law, 50, 20);
  const effortAt = (targetDelayMs: number) => effortOf(waitBySchedule(lives, jobs, targetDelayMs));
  let [low, high] = [500, 2_000];
  for (let step = 0; step < 7; step += 1) {
    const target = Math.sqrt(low * high);
    if (effortAt(target).delayMs > 1_000) high = target;
    else low = target;
  }
  const [early, late] = [effortAt(low), effortAt(high)];
  const share = (1_000 - early.delayMs) / (late.delayMs - early.delayMs || 1);
  return early.polls + Math.min(1, Math.max(0, share)) * (late.polls - early.polls);
};

const rowOf = (law: Law, name: string): Row => {
  const row = rowsOf.get(law)?.find((one) => one.name === name);
  if (row === undefined) throw new Error(`No row "${name}"`);
  return row;
};

const findings: Finding[] = [];
const expectAtMost = (what: string, value: number, bound: number, unit: string): void => {
  const [measured, limit] = [`${value.toFixed(2)} ${unit}`, `≤ ${bound} ${unit}`];
  findings.push({ what, measured, limit, ok: value <= bound });
};

for (const [law, bound] of [
  [wide, 4.7],
  [narrow, 2.4],
] as const) {
  const best = optimumOf(law)(1_000)?.toFixed(2);
  const what = `${law.name}: at 1,000 ms, after 50 jobs (optimum ${best})`;
  expectAtMost(what, pollsAtOneSecond(law), bound, "polls");
  const { polls, fixed } = rowOf(law, ours.warm);
  const ofFixed = bound / (law === wide ? 5.29 : 4.63);
  expectAtMost(
    `${law.name}: the client by default, after 50 jobs`,
    polls / fixed,
    Math.round(ofFixed * 100) / 100,
    "× fixed",
  );
}
for (const name of [ours.warm, ours.warmSchedule]) {
  expectAtMost(`${constant.name}: ${name.trim()}`, rowOf(constant, name).polls, 1.6, "polls");
}
const ofKinds = rowOf(kinds, ours.warm);
expectAtMost(`${kinds.name}: after 50 jobs`, ofKinds.polls / ofKinds.fixed, 0.5, "× fixed");

const worstOf = (rows: readonly Row[]): Row =>
  rows.reduce((worst, row) => (row.polls / row.fixed > worst.polls / worst.fixed ? row : worst));
const worstCold = worstOf(cold);
expectAtMost(
  `cold, the worst of ${cold.length} (${worstCold.name})`,
  worstCold.polls / worstCold.fixed,
  1.1,
  "× fixed",
);
const worstClient = worstOf([...rowsOf.keys()].map((law) => rowOf(law, ours.cold)));
expectAtMost(
  "cold, the client, the worst of its laws",
  worstClient.polls / worstClient.fixed,
  1.1,
  "× fixed",
);
const worstDrift = worstOf([...slower, ...quicker]);
expectAtMost(
  `a change of the median, the worst stretch (${worstDrift.name})`,
  worstDrift.polls / worstDrift.fixed,
  1.25,
  "× fixed",
);
for (const { what, meanDelayMs } of firstBatches) {
  expectAtMost(`${what}: mean delay`, meanDelayMs / 1_000, 1.5, "s");
}
// An even pace of 2 s makes 930; ours varies a little from wait to wait.
expectAtMost("a job that never finishes", mostPolls, 980, "polls");

console.log();
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
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.error(`(${seconds} s)`);
console.log(`\n${broken === 0 ? "All bounds are met" : `Bounds not met: ${broken}`}.`);
process.exitCode = broken === 0 ? 0 : 1;
