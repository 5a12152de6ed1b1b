/**
 * Measures what the built mock costs, and exits with 1 when the cost is above a limit.
 * The limits are ratios within one run, because machines differ in speed.
 */
import { measureFetch } from "./fetch-cost.ts";
import { measureHttp } from "./http-cost.ts";
import { measureManyJobs } from "./many-jobs.ts";
import { type Finding, printTable } from "./measure.ts";

interface Measurement {
  readonly title: string;
  readonly measure: (say: (what: string) => void) => Promise<Finding[]>;
}

const measurements: readonly Measurement[] = [
  { title: "service.fetch against a bare function", measure: measureFetch },
  { title: "HTTP server against a bare node:http handler", measure: measureHttp },
  { title: "Twenty thousand jobs", measure: measureManyJobs },
];

const columns = ["", "what", "measured", "limit", "noise (quartiles)"];

const mark = ({ limit, ok }: Finding): string => (limit === undefined ? "info" : ok ? "ok" : "BAD");

const startedAt = performance.now();
const findings: Finding[] = [];
// The measurements run one after the other, because they would slow each other.
for (const { title, measure } of measurements) {
  console.log(title);
  findings.push(...(await measure((what) => console.log(`  ${what}`))));
}

console.log();
printTable(
  columns,
  findings.map((finding) => [
    mark(finding),
    finding.what,
    finding.measured,
    finding.limit ?? "",
    finding.noise ?? "",
  ]),
);
const broken = findings.filter(({ ok }) => !ok).length;
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(`\n${broken === 0 ? "All limits held" : `Limits broken: ${broken}`}, in ${seconds} s.`);
process.exitCode = broken === 0 ? 0 : 1;
