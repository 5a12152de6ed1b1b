import fc from "fast-check";
import { expect, it } from "vitest";
import { createBench } from "./model/bench.ts";
import { rules, runsOf } from "./model/generators.ts";
import { requireHistory, requireWorld } from "./model/invariants.ts";

/** `MODEL_RUNS=20000 npm exec -- vitest run --project=node test/mocks/model.test.ts` searches longer. */
const runs = Number(process.env["MODEL_RUNS"] ?? 60);

it.each([
  ["always the same", { numRuns: 50, seed: 2026 }],
  // A failure prints the seed and the path that repeat it.
  ["random", { numRuns: runs }],
])(
  "does what a simple model of the service does, whatever three tenants ask for: %s",
  async (_, search) => {
    let finished = 0;
    const property = fc.asyncProperty(rules, runsOf(80), async (ours, steps) => {
      const bench = createBench(ours);
      await fc.asyncModelRun(() => ({ model: bench, real: bench }), steps);
      for (const left of [...bench.left, bench]) {
        requireWorld({ ...bench, ...left });
        requireHistory({ ...bench, ...left });
      }
      finished += 1;
    });
    await fc.assert(property, search);
    expect(finished).toBeGreaterThanOrEqual(search.numRuns);
  },
  180_000 + runs * 100,
);
