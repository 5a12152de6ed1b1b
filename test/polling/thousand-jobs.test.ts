import { createClient, type PollOptions, pollJob, pollJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { idsOf } from "./listed-jobs.ts";
import { silent, useFakedTime, watchPromise } from "./scripted-client.ts";

useFakedTime();

/**
 * A service on the faked clock whose jobs finish at these times.
 *
 * @param stuck - Job that its list shows as processing for ever
 */
const createTimedService = (ends: readonly number[], stuck?: number) => {
  const startedAt = performance.now();
  const asked: { at: number; isList: boolean }[] = [];
  const show = (index: number) => {
    const isOver = performance.now() - startedAt >= (ends[index] ?? 0);
    return { job_id: `job_${index}`, status: isOver ? "completed" : "processing", result: null };
  };
  let submitted = 0;
  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: async ({ url, method }: Request) => {
      const { pathname, searchParams } = new URL(url);
      if (method === "POST") {
        const data = { job_id: `job_${submitted++}`, status: "queued" };
        return Response.json({ success: true, data, error: null }, { status: 202 });
      }
      const isList = pathname === "/v1/jobs";
      asked.push({ at: performance.now() - startedAt, isList });
      const limit = Number(searchParams.get("limit"));
      const listed = (index: number) =>
        index === stuck ? { ...show(index), status: "processing" } : show(index);
      const data = isList
        ? { jobs: ends.slice(0, limit).map((_, index) => listed(index)) }
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
  ])("cost 1.1 requests a job, %s", async (_, options) => {
    const { client, asked } = createTimedService(ends);
    const results = pollJobs(client, idsOf(1_000), options);
    await vi.runAllTimersAsync();
    expect((await results).every(({ ok }) => ok)).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(1_100);
    const lists = asked.filter(({ isList }) => isList).map(({ at }) => at);
    const gaps = lists.slice(1).map((at, index) => at - (lists[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  });
});

test("1,000 waits for a silent service all end with the time of their last poll", async () => {
  let requests = 0;
  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: (request: Request) => {
      requests++;
      return silent(request) as Promise<Response>;
    },
  });
  const waits = idsOf(1_000).map((id) => pollJob(client, id, { timeoutMs: 10_000 }));
  const settled = watchPromise(Promise.allSettled(waits), () => performance.now());
  const startedAt = performance.now();
  await vi.runAllTimersAsync();
  expect((settled.at ?? 0) - startedAt).toBeLessThanOrEqual(25_010);
  for (const { reason } of settled.value as PromiseRejectedResult[]) {
    expect(reason).toMatchObject({ code: "poll_timeout", cause: { code: "timeout" } });
  }
  expect(requests).toBeLessThan(20);
});

describe("a list that is wrong about one job", () => {
  const endsOf = (count: number) => idsOf(count).map((_, index) => (index === 0 ? 5_000 : 600_000));
  const ends = endsOf(6);

  test.each<[string, number, PollOptions]>([
    ["of six, by plan", 6, {}],
    ["of six, at a forced second", 6, { intervalMs: 1_000, maxIntervalMs: 1_000 }],
    ["of four, by plan", 4, {}],
    ["of fifteen, by plan", 15, {}],
  ])("%s hides its end for 35 s at most", async (_, count, options) => {
    const { client } = createTimedService(endsOf(count), 0);
    const startedAt = performance.now();
    const waits = idsOf(count).map((id) => pollJob(client, id, options));
    const settled = watchPromise(waits[0] as Promise<unknown>, () => performance.now());
    await vi.runAllTimersAsync();
    expect((settled.at ?? 0) - startedAt).toBeLessThanOrEqual(40_000);
    await Promise.all(waits);
  });

  test("does not hide it from the last poll", async () => {
    const { client } = createTimedService(ends, 0);
    const waits = idsOf(6).map((id) => pollJob(client, id, { timeoutMs: 10_000 }));
    const settled = Promise.allSettled(waits);
    await vi.runAllTimersAsync();
    const [first, ...others] = await settled;
    expect(first).toMatchObject({ value: { status: "completed" } });
    for (const { reason } of others as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: "poll_timeout", lastJob: { status: "processing" } });
    }
  });
});

test.each([
  ["half of 3 s and half of 12 s", (index: number) => (index % 2 === 0 ? 3_000 : 12_000)],
  ["of 8 to 12 s", (index: number) => 8_000 + 40 * index],
])("a client's first batch is noticed within 1.5 s in the mean: %s", async (_, endOf) => {
  const ends = idsOf(100).map((__, index) => endOf(index));
  const { client } = createTimedService(ends);
  const startedAt = performance.now();
  const delays: number[] = [];
  const all = idsOf(100).map(async (__, index) => {
    await client.jobs.submitAndPoll({ action: "generate-ad", prompt: String(index) });
    delays.push(performance.now() - startedAt - (ends[index] ?? 0));
  });
  await vi.runAllTimersAsync();
  await Promise.all(all);
  expect(delays.reduce((sum, delay) => sum + delay, 0) / delays.length).toBeLessThanOrEqual(1_500);
});
