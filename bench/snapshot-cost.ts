import { createMockService } from "adgen-sdk/mocks";
import type { Finding } from "./measure.ts";
import { benchOptions, submitJob } from "./workload.ts";

/** Most milliseconds to restore, or to fork, the largest of these snapshots. */
const maxMs = 2_000;

const timed = <Value>(run: () => Value): { value: Value; ms: number } => {
  const startedAt = performance.now();
  const value = run();
  return { value, ms: performance.now() - startedAt };
};

/** Measures a snapshot of paid jobs, written as JSON, restored and forked. */
const measureJobs = async (jobs: number, journal: boolean): Promise<Finding> => {
  const service = createMockService(benchOptions);
  for (let count = 0; count < jobs; count += 1) await submitJob(service);
  const written = timed(() => JSON.stringify(service.snapshot({ journal })));
  const copy = createMockService(benchOptions);
  const restored = timed(() => copy.restore(JSON.parse(written.value)));
  const forked = timed(() => copy.fork());
  const size = (written.value.length / 1e6).toFixed(1);
  return {
    what: `snapshot of ${jobs.toLocaleString("en")} paid jobs, ${journal ? "with" : "without"} journal`,
    measured:
      `${written.ms.toFixed(0)} ms, restored in ${restored.ms.toFixed(0)} ms, ` +
      `forked in ${forked.ms.toFixed(0)} ms, ${size} MB`,
    limit: `≤ ${maxMs} ms each`,
    ok: restored.ms <= maxMs && forked.ms <= maxMs,
  };
};

/** Measures snapshots of few and of many jobs: their cost grows with the number, not its square. */
export const measureSnapshot = async (): Promise<Finding[]> => [
  await measureJobs(10_000, true),
  await measureJobs(10_000, false),
  await measureJobs(100_000, false),
];
