import { createMockService } from "adgen-sdk/mocks";
import type { Finding } from "./measure.ts";
import { benchOptions, submitJob } from "./workload.ts";

/** Most milliseconds to restore, or to fork, the largest of these snapshots. */
const maxMs = 2_000;

const timedOnce = <Value>(run: () => Value): { value: Value; ms: number } => {
  const startedAt = performance.now();
  const value = run();
  return { value, ms: performance.now() - startedAt };
};

/** Gives the fastest of three runs: the first one compiles. */
const timed = <Value>(run: () => Value) =>
  [run, run, run].map(timedOnce).reduce((best, each) => (each.ms < best.ms ? each : best));

/** Measures a snapshot of paid jobs, written as JSON, restored and forked. */
const measureJobs = async (jobs: number, journal: boolean) => {
  const service = createMockService(benchOptions);
  for (let count = 0; count < jobs; count += 1) await submitJob(service);
  const written = timed(() => JSON.stringify(service.snapshot({ journal })));
  const copy = createMockService(benchOptions);
  const restored = timed(() => copy.restore(JSON.parse(written.value)));
  const forked = timed(() => copy.fork());
  const size = (written.value.length / 1e6).toFixed(1);
  const finding: Finding = {
    what: `snapshot of ${jobs.toLocaleString("en")} paid jobs, ${journal ? "with" : "without"} journal`,
    measured:
      `${written.ms.toFixed(0)} ms, restored in ${restored.ms.toFixed(0)} ms, ` +
      `forked in ${forked.ms.toFixed(0)} ms, ${size} MB`,
    limit: `≤ ${maxMs} ms each`,
    ok: restored.ms <= maxMs && forked.ms <= maxMs,
  };
  return { finding, restoredMs: restored.ms };
};

/** Measures snapshots of few and of many jobs: their cost grows with the number, not its square. */
export const measureSnapshot = async (): Promise<Finding[]> => {
  const logged = await measureJobs(10_000, true);
  const few = await measureJobs(10_000, false);
  const many = await measureJobs(100_000, false);
  const ratio = many.restoredMs / few.restoredMs;
  return [
    ...[logged, few, many].map(({ finding }) => finding),
    {
      what: "restore of 100,000 paid jobs",
      measured: `${ratio.toFixed(1)}× that of 10,000`,
      // Linear is 10, and the garbage of many costs more; their square would be 100.
      limit: "≤ 25×",
      ok: ratio <= 25,
    },
  ];
};
