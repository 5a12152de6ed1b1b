import { expect, test, vi } from "vitest";
import { type Job, type PollClient, pollJobs } from "../../src/index.ts";

test.each([8, 40, 200])("a list that lags hides no end of %i jobs for long", async (count) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  const startedAt = performance.now();
  const ids = Array.from({ length: count }, (_, index) => `job_${index}`);
  const jobs = {
    get: async (ref: { job_id: string } | string) => ({
      job_id: typeof ref === "string" ? ref : ref.job_id,
      status: "completed",
    }),
    // All jobs have finished, and the list never learns of it.
    list: async () => ({ items: ids.map((job_id) => ({ job_id, status: "processing" })) as Job[] }),
  };
  const waits = pollJobs({ jobs } as unknown as PollClient, ids);
  let hasEnded = false;
  void waits.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && performance.now() - startedAt < 600_000) {
    await vi.advanceTimersByTimeAsync(200);
  }
  expect((await waits).every(({ ok }) => ok)).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  vi.useRealTimers();
});
