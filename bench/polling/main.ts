/**
 * `npm run bench:polling`: polls a job and delays of waits, on a virtual clock. All contenders wait
 * for the same jobs; the same numbers come out every time. It exits with 1 when a bound is broken.
 */
import type { Finding } from "../measure.ts";
import { installPeers } from "../peers.ts";
import { printTable } from "../table.ts";
import { bounds, measure } from "./bounds.ts";
import { measureFirstBatches } from "./first-batch.ts";
import { ours, printRows, type Row, studyLaw, studyNeverFinishing } from "./study.ts";
import { installVirtualClock } from "./virtual-clock.ts";

const startedAt = performance.now();
installPeers();
const clock = installVirtualClock();

const findings: Finding[] = [];
const expectAtMost = (what: string, value: number, bound: number, unit: string): void => {
  const [measured, limit] = [`${value.toFixed(2)} ${unit}`, `≤ ${bound.toFixed(2)} ${unit}`];
  findings.push({ what, measured, limit, ok: value <= bound });
};
const worstOf = (rows: readonly Row[]): Row =>
  rows.reduce((worst, row) => (row.polls / row.fixed > worst.polls / worst.fixed ? row : worst));

const coldClients: Row[] = [];
for (const bound of bounds) {
  const { law, mostPolls, mostDelayMs } = bound;
  const rows = await studyLaw(clock, law);
  printRows(law.name, rows);
  coldClients.push(...rows.filter(({ name }) => name === ours.cold));
  const { polls, delayMs } = measure(bound);
  const what = `${law.name}: its schedule after 50 jobs`;
  if (mostPolls !== undefined) expectAtMost(what, polls, mostPolls, "polls");
  expectAtMost(what, delayMs / 1_000, mostDelayMs / 1_000, "s late");
}

// An even pace of 2 s makes 930; ours varies a little from wait to wait.
const mostPolls = await studyNeverFinishing(clock);
expectAtMost("a job that never finishes", mostPolls, 980, "polls");

const firstBatches = await measureFirstBatches(clock);
clock.uninstall();

const { polls, fixed } = worstOf(coldClients);
const what = `cold client, the worst of ${coldClients.length} laws`;
expectAtMost(what, polls / fixed, 1.1, "× fixed");
for (const { what, meanDelayMs } of firstBatches) {
  expectAtMost(`${what}: mean delay`, meanDelayMs / 1_000, 1.5, "s");
}

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
