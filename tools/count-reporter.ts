import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Numbers of tests in a vitest run, by their end. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Writes the run's counts to the file that ADGEN_TEST_COUNTS names, for tools/test.ts to add up.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env["ADGEN_TEST_COUNTS"];
    if (file === undefined) return;
    const counts: TestCounts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "failed" : state] += 1;
      }
      // A file or describe block that broke outside its tests has no test to count.
      const suites = [module, ...module.children.allSuites()];
      counts.failed += suites.filter((suite) => suite.errors().length > 0).length;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(counts));
  }
}
