import { type AdGenClient, createClient, createWaker, pollJob, pollJobs } from "adgen-sdk";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { idsOf } from "./listed-jobs.ts";
import { offline, type Poll, refused, silent, watchPromise } from "./scripted-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answer = (data: unknown): Response => Response.json({ success: true, data, error: null });

interface FakedJobs {
  readonly client: AdGenClient;
  /** Time at which each job finishes, on the faked clock. */
  readonly ends: Map<string, number>;
  readonly now: () => number;
  /** Failure of a request, by its path. */
  failureOf: (path: string) => Poll | undefined;
  lists: number;
  singles: number;
  atOnce: number;
  mostAtOnce: number;
}

/** A service without a network, that takes 20 ms for an answer. */
const createFakedJobs = (failureOf: FakedJobs["failureOf"] = () => undefined): FakedJobs => {
  const startedAt = performance.now();
  const now = () => Math.round(performance.now() - startedAt);
  const ends = new Map<string, number>();
  const jobOf = (job_id: string) => {
    const hasEnded = now() >= (ends.get(job_id) ?? Number.POSITIVE_INFINITY);
    return { job_id, status: hasEnded ? "completed" : "processing" };
  };
  const respond = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const isList = path === "/v1/jobs";
    if (isList) service.lists++;
    else service.singles++;
    const failure = service.failureOf(path);
    if (failure !== undefined) return failure(request);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return answer(isList ? { jobs: [...ends.keys()].map(jobOf) } : jobOf(path.slice(9)));
  };
  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: async (request) => {
      service.mostAtOnce = Math.max(service.mostAtOnce, ++service.atOnce);
      try {
        return await respond(request);
      } finally {
        service.atOnce--;
      }
    },
  });
  const counts = { lists: 0, singles: 0, atOnce: 0, mostAtOnce: 0 };
  const service: FakedJobs = { client, ends, now, failureOf, ...counts };
  return service;
};

describe("a list in place of single polls", () => {
  test.for([10, 20, 30, 40])("is used for %i jobs that end one after the other", async (count) => {
    const service = createFakedJobs();
    for (const [index, id] of idsOf(count).entries()) service.ends.set(id, 20_000 + 500 * index);
    const all = watchPromise(pollJobs(service.client, idsOf(count)), service.now);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(all.value).toHaveLength(count);
    expect(service.singles).toBeLessThanOrEqual(1.8 * count + 8);
    expect(service.lists).toBeLessThanOrEqual(30);
  });

  test("is not asked for each of many wakes", async () => {
    const service = createFakedJobs();
    const waker = createWaker();
    for (const id of idsOf(200)) service.ends.set(id, Number.POSITIVE_INFINITY);
    const all = watchPromise(pollJobs(service.client, idsOf(200), { waker }), service.now);
    await vi.advanceTimersByTimeAsync(1_500);
    const before = service.lists;
    for (const id of idsOf(200)) {
      service.ends.set(id, 0);
      waker.wake(id);
      await vi.advanceTimersByTimeAsync(5);
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(all.value).toHaveLength(200);
    // The usual polls of six seconds.
    expect(service.lists - before).toBeLessThanOrEqual(10);
    expect(service.mostAtOnce).toBeLessThanOrEqual(7);
  });
});

describe("a deadline", () => {
  test("is kept by a thousand waits whose list is silent", async () => {
    const service = createFakedJobs((path) => (path === "/v1/jobs" ? silent : undefined));
    const waits = pollJobs(service.client, idsOf(1_000), { timeoutMs: 1_000 });
    const all = watchPromise(waits, service.now);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(all.at).toBeLessThanOrEqual(1_520);
  });

  test("is kept by a wait that stands in line behind silent polls", async () => {
    const service = createFakedJobs(() => silent);
    const { get } = service.client.jobs;
    const withoutList = { jobs: { get } };
    const controller = new AbortController();
    const { signal } = controller;
    const others = idsOf(6).map((id) => pollJob(withoutList, id, { signal }));
    await vi.advanceTimersByTimeAsync(10);
    const short = watchPromise(pollJob(withoutList, "short", { timeoutMs: 1_000 }), service.now);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(short).toMatchObject({ error: { code: "poll_timeout", jobId: "short" } });
    expect(short.at).toBeLessThanOrEqual(1_520);
    controller.abort();
    await Promise.allSettled(others);
  });
});

test("A poll that hangs holds up the list for ten seconds at most", async () => {
  const service = createFakedJobs((path) => (path === "/v1/jobs" ? undefined : silent));
  for (const id of idsOf(10)) service.ends.set(id, 1_000);
  const all = watchPromise(pollJobs(service.client, idsOf(10)), service.now);
  await vi.advanceTimersByTimeAsync(500);
  service.failureOf = () => undefined;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(all.value).toHaveLength(10);
  expect(all.at).toBeLessThanOrEqual(15_000);
});

describe("a list that fails", () => {
  test("by 429s alone leaves the jobs to single polls", async () => {
    const service = createFakedJobs();
    service.failureOf = (path) => (path === "/v1/jobs" ? refused(429, 1) : undefined);
    for (const id of idsOf(10)) service.ends.set(id, 5_000);
    const all = watchPromise(pollJobs(service.client, idsOf(10)), service.now);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(all.value).toMatchObject(Array(10).fill({ ok: true }));
    expect(service.lists).toBeLessThanOrEqual(4);
  });

  test("ends no other wait while the one leaves that is polled beside it", async () => {
    const service = createFakedJobs();
    for (const id of idsOf(6)) service.ends.set(id, 20_000);
    const stops = new Map(idsOf(6).map((id) => [id, new AbortController()]));
    // Without a spread, all of them ask for the list.
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    onTestFinished(() => void vi.restoreAllMocks());
    const pace = { intervalMs: 1_000, maxIntervalMs: 1_000 };
    const waits = idsOf(6).map((id) =>
      pollJob(service.client, id, { ...pace, signal: stops.get(id)?.signal }),
    );
    const all = watchPromise(Promise.allSettled(waits), service.now);
    await vi.advanceTimersByTimeAsync(5_000);
    let polled = "";
    service.failureOf = (path) => {
      if (path === "/v1/jobs") return refused(404);
      polled ||= path.slice(9);
      return silent;
    };
    while (polled === "") await vi.advanceTimersByTimeAsync(10);
    stops.get(polled)?.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    service.failureOf = () => undefined;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(all.value).toMatchObject(
      idsOf(6).map((id) =>
        id === polled ? { reason: { code: "aborted" } } : { value: { status: "completed" } },
      ),
    );
  });

  test("in an outage of many faces is asked again, and not each job", async () => {
    const service = createFakedJobs();
    const page: Poll = () => new Response("<h1>Be right back</h1>");
    const faces = [refused(500), page, offline, refused(503), refused(502)];
    for (const id of idsOf(300)) service.ends.set(id, 2_000);
    const all = watchPromise(pollJobs(service.client, idsOf(300)), service.now);
    await vi.advanceTimersByTimeAsync(1_000);
    service.failureOf = () => faces[(service.lists + service.singles) % faces.length];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.lists + service.singles).toBeLessThanOrEqual(150);
    service.failureOf = () => undefined;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(all.value).toMatchObject(Array(300).fill({ ok: true }));
  });
});
