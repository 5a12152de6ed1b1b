import { pollJob, pollJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import {
  createScriptedClient,
  late,
  type Poll,
  refused,
  seen,
  silent,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

const listing =
  (jobIds: readonly string[]): Poll =>
  () =>
    Response.json({
      success: true,
      data: { jobs: jobIds.map((job_id) => ({ job_id, status: "processing" })) },
      error: null,
    });

const ids = Array.from({ length: 40 }, (_, index) => `job_${index}`);

describe("the deadline of many waits", () => {
  test("holds for those in line too when the service is silent", async () => {
    const { client, now } = createScriptedClient([silent]);
    const settled = watchPromise(pollJobs(client, ids, { timeoutMs: 20_000 }), now);
    await vi.runAllTimersAsync();
    // A quarter more for the last polls, and a millisecond for each round of them.
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

  test("is one for all: each job gets its last poll", async () => {
    const { client, polls, now } = createScriptedClient([late(10, seen("processing"))]);
    const options = { timeoutMs: 3_000, concurrency: 100 };
    const settled = watchPromise(pollJobs(client, ids, options), now);
    await vi.runAllTimersAsync();
    expect(settled.at).toBe(3_010);
    expect(polls.filter((at) => at === 3_000)).toHaveLength(ids.length);
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
  const { client, polls } = createScriptedClient([late(10, refused(429, 30)), seen("completed")]);
  const settled = pollJobs(client, ids.slice(0, 3), { concurrency: 1 });
  await vi.runAllTimersAsync();
  expect((await settled).every(({ ok }) => ok)).toBe(true);
  expect(polls).toEqual([0, 30_010, 30_010, 30_010]);
});

test("a 429 that names no time holds up those in line for a second", async () => {
  const { client, polls } = createScriptedClient([refused(429), seen("completed")]);
  const settled = pollJobs(client, ids.slice(0, 3), { concurrency: 1 });
  await vi.runAllTimersAsync();
  expect((await settled).every(({ ok }) => ok)).toBe(true);
  expect(polls).toEqual([0, 1_000, 1_000, 1_000]);
});

describe("a wait at its deadline", () => {
  const others = ids.slice(1, 6);

  test.each<[string, Poll]>([
    ["a list", listing(ids.slice(0, 6))],
    ["a list that fails", refused(503)],
  ])("is not held up by the single poll of another one, beside %s", async (_, list) => {
    const { client, now } = createScriptedClient([
      (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/v1/jobs") return list(request);
        return (pathname.endsWith("job_0") ? silent : seen("completed"))(request);
      },
    ]);
    const slow = pollJob(client, "job_0", { timeoutMs: 60_000 }).catch(() => {});
    const settled = others.map((id) => watchPromise(pollJob(client, id, { timeoutMs: 0 }), now));
    await vi.runAllTimersAsync();
    await slow;
    for (const { at, value } of settled) {
      expect(at).toBeLessThanOrEqual(510);
      expect(value).toMatchObject({ status: "completed" });
    }
  });
});

test("a wait whose own pace is slow holds up others for the time that its 429 names", async () => {
  const { client, now } = createScriptedClient([
    (request) => (request.url.endsWith("slow") ? refused(429, 1) : seen("completed"))(request),
  ]);
  const stop = new AbortController();
  const slow = pollJob(client, "slow", { intervalMs: 600_000, signal: stop.signal });
  slow.catch(() => {});
  await vi.advanceTimersByTimeAsync(100);
  const quick = watchPromise(pollJob(client, "quick"), now);
  await vi.advanceTimersByTimeAsync(2_000);
  stop.abort();
  expect(quick.at).toBe(1_000);
});

test("a pause ends under fake timers that leave performance alone", async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const { client } = createScriptedClient([refused(429, 3), seen("completed")]);
  const begunAt = performance.now();
  const waited = pollJob(client, "job_1");
  await vi.runAllTimersAsync();
  expect(await waited).toMatchObject({ status: "completed" });
  expect(performance.now() - begunAt).toBeLessThan(1_500);
});

test("a batch that one wait leaves while it gathers still shares a list", async () => {
  const { client, polls } = createScriptedClient([
    (request) =>
      (new URL(request.url).pathname === "/v1/jobs"
        ? listing(ids.slice(0, 8))
        : seen("processing"))(request),
  ]);
  const stop = new AbortController();
  const waits = ids.slice(0, 8).map((id, index) =>
    pollJob(client, id, {
      timeoutMs: 10_000,
      ...(index === 0 && { signal: stop.signal }),
    }).catch(() => {}),
  );
  await undefined;
  stop.abort();
  await vi.runAllTimersAsync();
  await Promise.all(waits);
  expect(polls.length).toBeLessThan(25);
});

test("a reference that is no text loses no other job", async () => {
  const { client } = createScriptedClient([seen("completed")]);
  const row = Object.assign(Object.create(null), { id: "job_2" });
  const all = pollJobs(client, ["job_1", row]);
  await vi.runAllTimersAsync();
  expect(await all).toMatchObject([
    { ok: true },
    { ok: false, error: { code: "invalid_request" } },
  ]);
});
