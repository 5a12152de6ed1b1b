import { pollJobs } from "adgen-sdk";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  createScriptedClient,
  late,
  refused,
  seen,
  silent,
  watchPromise,
} from "./scripted-client.ts";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const ids = Array.from({ length: 40 }, (_, index) => `job_${index}`);

describe("the deadline of many waits", () => {
  test("holds for those in line too when the service is silent", async () => {
    const { client, now } = createScriptedClient([silent]);
    const settled = watchPromise(pollJobs(client, ids, { timeoutMs: 20_000 }), now);
    await vi.runAllTimersAsync();
    // A quarter more for the last looks, and a millisecond for each round of them.
    expect(settled.at).toBeGreaterThanOrEqual(25_000);
    expect(settled.at).toBeLessThanOrEqual(25_010);
    expect(settled.value).toEqual(
      ids.map((jobId) => ({
        ok: false,
        error: expect.objectContaining({ name: "PollTimeoutError", jobId }),
      })),
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is one for all: each job gets its last look", async () => {
    const { client, looks, now } = createScriptedClient([late(10, seen("processing"))]);
    const options = { timeoutMs: 3_000, concurrency: 100 };
    const settled = watchPromise(pollJobs(client, ids, options), now);
    await vi.runAllTimersAsync();
    expect(settled.at).toBe(3_010);
    expect(looks.filter((at) => at === 3_000)).toHaveLength(ids.length);
    expect(settled.value).toEqual(
      ids.map((job_id) => ({
        ok: false,
        error: expect.objectContaining({
          code: "poll_timeout",
          lastJob: { job_id, status: "processing" },
        }),
      })),
    );
  });
});

test("a 429 holds up those that stand in line, too", async () => {
  const { client, looks } = createScriptedClient([late(10, refused(429, 30)), seen("completed")]);
  const settled = pollJobs(client, ids.slice(0, 3), { concurrency: 1 });
  await vi.runAllTimersAsync();
  expect((await settled).every(({ ok }) => ok)).toBe(true);
  expect(looks).toEqual([0, 30_010, 30_010, 30_010]);
});
