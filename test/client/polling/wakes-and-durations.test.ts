import {
  type Job,
  type PollOptions,
  pollJob,
  pollJobs,
  type WaitProgress,
  type Wake,
} from "adgen-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { useFakedTime } from "../../helpers/faked-time.ts";
import {
  createFakedClient,
  type FakeRequest,
  idsOf,
  passTime,
  type Step,
  seen,
  silent,
  success,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();
afterEach(() => vi.unstubAllGlobals());

/** Creates a service whose jobs take `durationMs`, and a client without jitter. */
const createService = (durationMs: () => number) => {
  const ends: number[] = [];
  const polls: number[] = [];
  const answerTo = ({ at, id, isPost }: FakeRequest): Step => {
    const now = at + 20;
    if (isPost) {
      const index = ends.push(now + durationMs()) - 1;
      return success({ job_id: `job_${index}`, status: "queued" }, 202);
    }
    polls.push(at);
    return seen(now >= Number(ends[Number(id.slice(4))]) ? "completed" : "processing");
  };
  const { client, now } = createFakedClient(answerTo, { latencyMs: 20 });
  return { client, polls, now, submit: () => client.jobs.submit({ action: "generate-ad" }) };
};

test("waits of separate calls share nothing, so twenty hanging waits delay no other", async () => {
  const service = createFakedClient(({ id, at }) =>
    Number(id.slice(4)) < 20 ? silent : at < 3_000 ? "processing" : "completed",
  );
  const waits = idsOf(40).map((id) => watchPromise(pollJob(service.client, id), service.now));
  await passTime(6_000);
  expect(waits.slice(20).every(({ at }) => Number(at) < 6_000)).toBe(true);
});

test("a 429 delays only the waits of its own call", async () => {
  const { client, requests } = createFakedClient(({ id, at }) =>
    id === "job_0" && at < 1_000 ? 429 : at < 1_500 ? "processing" : "completed",
  );
  const many = pollJobs(client, idsOf(3), { concurrency: 1 });
  const single = pollJob(client, "job_2");
  await vi.runAllTimersAsync();
  expect(await many).toMatchObject(Array(3).fill({ ok: true }));
  expect(await single).toMatchObject({ status: "completed" });
  const at = (id: string) => requests.filter((r) => r.id === id).map((r) => r.at);
  expect(idsOf(3).map((id) => at(id)[0])).toEqual([0, expect.any(Number), 0]);
  expect(at("job_1")[0]).toBeGreaterThanOrEqual(1_000);
});

test("wake polls at once, but at most every 100 ms, and once more if it is called during a poll", async () => {
  const { client, polls } = createService(() => 60_000);
  const end = vi.fn();
  let pollNow = (): void => {};
  const wake = vi.fn((now: () => void) => {
    pollNow = now;
    return end;
  });
  const controller = new AbortController();
  const { signal } = controller;
  const ended = pollJob(client, "job_7", { wake, signal }).catch(({ code }) => code);
  await passTime(500);
  for (let times = 0; times < 10; times++) pollNow();
  await passTime(10); // the poll is under way
  pollNow();
  await passTime(2_400);
  expect(polls).toEqual([0, 500, 620, 2_640]);
  expect(end).not.toHaveBeenCalled();
  controller.abort();
  expect(await ended).toBe("aborted");
  expect([wake.mock.calls.length, end.mock.calls.length]).toEqual([1, 1]);
  pollNow();
  await passTime(5_000);
  expect(polls).toHaveLength(4);
});

test("wake is called once for each job with its id, so that a webhook wakes the wait for its job", async () => {
  const { client, requests } = createFakedClient(() => "processing");
  const wakes = new Map<string, () => void>();
  const wake = (pollNow: () => void, jobId: string) => {
    wakes.set(jobId, pollNow);
    return () => wakes.delete(jobId);
  };
  const all = pollJobs(client, idsOf(3), { wake, timeoutMs: 3_000 });
  await passTime(1_000);
  expect([...wakes.keys()]).toEqual(idsOf(3));
  wakes.get("job_1")?.();
  await passTime(500);
  expect(requests.map(({ id }) => id)).toEqual([...idsOf(3), "job_1"]);
  await vi.runAllTimersAsync();
  expect(await all).toHaveLength(3);
  expect(wakes.size).toBe(0);
});

test("what wake throws or rejects with is printed, and the wait goes on", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const { client, submit } = createService(() => 1_000);
  const bug = (): never => expect.fail("a bug");
  const wakes = [() => bug, bug, async () => bug()] as Wake[];
  const all = wakes.map(async (wake) => pollJob(client, await submit(), { wake }));
  await vi.runAllTimersAsync();
  expect(await Promise.all(all)).toHaveLength(3);
  expect(print.mock.calls.map(([what]) => what)).toEqual(Array(3).fill("adgen-sdk: wake failed"));
  print.mockRestore();
});

test("a wait polls when its page becomes visible again", async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  vi.stubGlobal("document", page);
  const { client, polls } = createService(() => 60_000);
  const ended = pollJob(client, "job_7", { timeoutMs: 1_900 }).catch(({ code }) => code);
  await passTime(500);
  page.dispatchEvent(new Event("visibilitychange"));
  page.visibilityState = "visible";
  await passTime(500);
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.runAllTimersAsync();
  expect(await ended).toBe("poll_timeout");
  expect(polls).toEqual([0, 1_000, 1_900]);
});

/** Waits for `count` jobs, one after another, and returns polls and progress of each. */
const waitFor = async (
  service: ReturnType<typeof createService>,
  count: number,
  options?: PollOptions,
) => {
  const seen: { polls: number[]; progress: WaitProgress[] }[] = [];
  const all = (async () => {
    for (let place = 0; place < count; place++) {
      const job = await service.submit();
      const begunAt = service.now();
      service.polls.length = 0;
      const progress: WaitProgress[] = [];
      const onUpdate = (_: Job, now: WaitProgress) => void progress.push(now);
      await pollJob(service.client, job, { ...options, onUpdate });
      seen.push({ polls: service.polls.map((at) => at - begunAt), progress });
    }
  })();
  await vi.runAllTimersAsync();
  await all;
  return seen;
};

test("the durations of five jobs move the next job's first poll, and progress never falls", async () => {
  const seen = await waitFor(
    createService(() => 9_000),
    6,
  );
  expect(seen[0]?.polls).toEqual([2_000, 4_020, 6_040, 8_060, 10_080]);
  expect(seen[0]?.progress.map(({ fraction }) => fraction)).toEqual([...Array(4), 1]);
  const expectedMs = (8_080 + 10_100) / 2;
  expect(seen[5]?.polls).toEqual([Math.ceil(1.05 * expectedMs)]);
  expect(seen[5]?.progress).toMatchObject([{ expectedMs, fraction: 1 }]);
});

test("the durations of slow jobs are forgotten once jobs are quick again", async () => {
  let durationMs = 120_000;
  const service = createService(() => durationMs);
  await waitFor(service, 25);
  durationMs = 10_000;
  const seen = await waitFor(service, 20);
  expect(seen[0]?.polls[0]).toBeGreaterThan(90_000);
  expect(seen.slice(15).every(({ polls }) => Number(polls.at(-1)) < 13_000)).toBe(true);
});

test("intervalMs and expectedMs of the caller replace known durations", async () => {
  const service = createService(() => 9_000);
  await waitFor(service, 5);
  const [seen] = await waitFor(service, 1, { intervalMs: 4_000, expectedMs: 8_000 });
  const fractions = seen?.progress.map(({ fraction }) => fraction?.toFixed(1));
  expect(fractions).toEqual(["0.0", "0.5", "1.0"]);
});
