/** Runs checks one after the other, prints a line for each, and counts. */
export interface Checks {
  /** Runs one check: it fails when `run` throws. */
  readonly check: (title: string, run: () => unknown) => Promise<void>;
  /** Prints the sum. Gives the count of the failed ones. */
  readonly sumUp: () => number;
}

/** Time for one check, in milliseconds: a build on a busy machine takes more than a minute. */
const longestMs = 300_000;

const within = async (run: () => unknown): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${longestMs} ms`)), longestMs);
  });
  try {
    await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
};

export const createChecks = (): Checks => {
  let passed = 0;
  let failed = 0;
  return {
    async check(title, run) {
      const startedAt = performance.now();
      try {
        await within(run);
        passed += 1;
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        console.log(`  ok      ${title} (${seconds} s)`);
      } catch (error) {
        failed += 1;
        console.log(`  FAILED  ${title}\n${error instanceof Error ? error.stack : error}`);
      }
    },
    sumUp() {
      console.log(`\n${passed} passed, ${failed} failed`);
      return failed;
    },
  };
};
