import { createMockService } from "adgen-sdk/mocks";
import type { Finding } from "./measure.ts";
import { benchOptions, submitJob } from "./workload.ts";

const jobs = 10_000;

const timed = <Value>(run: () => Value): { value: Value; ms: number } => {
  const startedAt = performance.now();
  const value = run();
  return { value, ms: performance.now() - startedAt };
};

/** A snapshot of many jobs, written as JSON and restored: for information. */
export const measureSnapshot = async (): Promise<Finding[]> => {
  const service = createMockService(benchOptions);
  for (let count = 0; count < jobs; count += 1) await submitJob(service);
  return [true, false].map((journal) => {
    const written = timed(() => JSON.stringify(service.snapshot({ journal })));
    const restored = timed(() =>
      createMockService(benchOptions).restore(JSON.parse(written.value)),
    );
    const size = (written.value.length / 1e6).toFixed(1);
    return {
      what: `snapshot of ${jobs} jobs, ${journal ? "with" : "without"} journal`,
      measured: `${written.ms.toFixed(0)} ms, restored in ${restored.ms.toFixed(0)} ms, ${size} MB`,
      ok: true,
    };
  });
};
