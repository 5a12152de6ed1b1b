import { createClient, type PollOptions, pollJob, pollJobs } from "adgen-sdk";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { idsOf } from "./listed-jobs.ts";
import { silent, watchPromise } from "./scripted-client.ts";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** A service on the faked clock whose jobs finish at these times. */
const createTimedService = (ends: readonly number[]) => {
  const startedAt = performance.now();
  const asked: { at: number; isList: boolean }[] = [];
  const show = (index: number) => {
    const isOver = performance.now() - startedAt >= (ends[index] ?? 0);
    return { job_id: `job_${index}`, status: isOver ? "completed" : "processing", result: null };
  };
  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: async ({ url }: Request) => {
      const { pathname, searchParams } = new URL(url);
      const isList = pathname === "/v1/jobs";
      asked.push({ at: performance.now() - startedAt, isList });
      const limit = Number(searchParams.get("limit"));
      const data = isList
        ? { jobs: ends.slice(0, limit).map((_, index) => show(index)) }
        : show(Number(pathname.split("_").at(-1)));
      return Response.json({ success: true, data, error: null });
    },
  });
  return { client, asked };
};

describe("1,000 jobs that take up to a minute", () => {
  const ends = idsOf(1_000).map((_, index) => 60 * index);

  test.each<[string, PollOptions]>([
    ["by plan", {}],
    ["at a forced second", { intervalMs: 1_000, maxIntervalMs: 1_000 }],
  ])("cost 1.06 requests a job, %s", { timeout: 20_000 }, async (_, options) => {
    const { client, asked } = createTimedService(ends);
    const results = pollJobs(client, idsOf(1_000), options);
    await vi.runAllTimersAsync();
    expect((await results).every(({ ok }) => ok)).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(1_060);
    const lists = asked.filter(({ isList }) => isList).map(({ at }) => at);
    const gaps = lists.slice(1).map((at, index) => at - (lists[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  });
});

test("1,000 waits for a silent service all end with the time of their last look", async () => {
  let requests = 0;
  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: (request: Request) => {
      requests++;
      return silent(request) as Promise<Response>;
    },
  });
  const waits = idsOf(1_000).map((id) => pollJob(client, id, { timeoutMs: 20_000 }));
  const settled = watchPromise(Promise.allSettled(waits), () => performance.now());
  const startedAt = performance.now();
  await vi.runAllTimersAsync();
  expect((settled.at ?? 0) - startedAt).toBeLessThanOrEqual(25_010);
  for (const { reason } of settled.value as PromiseRejectedResult[]) {
    expect(reason).toMatchObject({ code: "poll_timeout", cause: { code: "timeout" } });
  }
  expect(requests).toBeLessThan(20);
});
