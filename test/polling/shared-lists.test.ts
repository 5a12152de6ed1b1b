import { createWaker, type PollOptions, pollJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { useFakedTime } from "../helpers/faked-time.ts";
import {
  completeAll,
  completed,
  createFakeService,
  idsOf,
  passTime,
  pollToEnd,
} from "./fake-service.ts";
import { type Step, silent, watchPromise } from "./scripted-client.ts";

useFakedTime();

const everySecond = { intervalMs: 1_000, maxIntervalMs: 1_000 };

describe("many waits share lists", () => {
  test.for([20, 30, 40])("of %i jobs, which end one after the other", async (count) => {
    const onUpdate = vi.fn();
    const fake = { endOf: (index: number) => 20_000 + 500 * index };
    const { singles, lists } = await completeAll(count, fake, { onUpdate });
    // Each job is fetched at its end. More single polls confirm what the lists said, each 8 s.
    const mostMs = fake.endOf(count);
    expect(singles().length).toBeLessThanOrEqual((1 + mostMs / 8_000) * count);
    expect(lists().length).toBeLessThanOrEqual(30);
    expect(lists()[0]).toBe(String(Math.max(20, 2 * count)));
    // A list updates all that it shows.
    expect(onUpdate.mock.calls.length).toBeGreaterThanOrEqual(3 * count);
  });

  test.each<[string, PollOptions]>([
    ["by plan", {}],
    ["at a forced second", everySecond],
  ])("of 1,000 jobs within a minute, for 1.1 requests a job, %s", async (_, options) => {
    const fake = { endOf: (index: number) => 60 * index, latencyMs: 0 };
    const { requests } = await completeAll(1_000, fake, options);
    expect(requests.length).toBeLessThanOrEqual(1_100);
    const lists = requests.filter(({ list }) => list).map(({ at }) => at);
    const gaps = lists.slice(1).map((at, index) => at - (lists[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  });

  test("in separate calls, and an abort of some disturbs no other", async () => {
    const service = createFakeService(20, { endOf: () => 10_000 });
    const stops = [new AbortController(), new AbortController()];
    const waits = service.pollEach((index) => ({ signal: stops[index]?.signal }));
    // One leaves while they gather for the first list.
    await undefined;
    stops[0]?.abort();
    await passTime(5_000);
    stops[1]?.abort("enough");
    await passTime(0);
    expect(waits[1]).toMatchObject({ at: 5_000, error: { cause: "enough", jobId: "job_1" } });
    await passTime(10_000);
    expect(waits.filter(({ value }) => value?.status === "completed")).toHaveLength(18);
    expect(service.lists().length).toBeGreaterThan(2);
    expect(service.singles().length).toBeLessThan(40);
  });

  test("also when all that gathered for it have left, and another joins", async () => {
    const service = createFakeService(20, { endOf: () => 1_500, latencyMs: 0, random: () => 0.5 });
    const leaving = new AbortController();
    const { signal } = new AbortController();
    const waits = service.pollEach((index) => {
      if (index < 2) return { signal: [signal, leaving.signal][index], intervalMs: 1_000 };
      return { intervalMs: 30_000 };
    });
    await passTime(1_000);
    // The first one has polled beside the list, so it joins last, and looks at its signal before.
    const look = vi.fn(() => {
      leaving.abort();
      return false;
    });
    Object.defineProperty(signal, "aborted", { get: look });
    await passTime(200);
    expect(look).toHaveBeenCalled();
    expect(service.lists()).toHaveLength(2);
    expect(waits[1]).toMatchObject({ error: { code: "aborted" } });
    await vi.runAllTimersAsync();
    expect(waits[0]).toMatchObject({ value: { status: "completed" } });
  });

  test("begun at once: the list first, and then six polls at a time", async () => {
    const service = createFakeService(300, { endOf: () => 0 });
    const waits = service.pollEach(() => ({}));
    await vi.runAllTimersAsync();
    expect(waits.map(({ value }) => value)).toEqual(completed(300).map(({ data }) => data));
    expect(service.mostAtOnce()).toBe(6);
    expect(service.singles()).toHaveLength(300);
    expect(service.lists()).toEqual(["600"]);
  });

  // Of twenty waits, 25 lists and a last poll of each.
  test.each(Object.entries({ 1: 22, 2: 44, 20: 25 + 20 }))(
    "%s of them in no hot loop: at most %i requests in 2 s",
    async (count, most) => {
      const options = { maxIntervalMs: 0, timeoutMs: 2_000 };
      const { requests } = await pollToEnd(Number(count), { latencyMs: 0 }, options);
      expect(requests.length).toBeLessThanOrEqual(most);
    },
  );

  test("that many wakes do not ask for", async () => {
    const service = createFakeService(200);
    const waker = createWaker();
    const all = service.pollAll({ waker });
    await passTime(1_500);
    const before = service.lists().length;
    for (const id of idsOf(200)) {
      service.ends.set(id, 0);
      waker.wake(id);
      await passTime(5);
    }
    await passTime(5_000);
    expect(all.value).toEqual(completed(200));
    // The usual polls of six seconds.
    expect(service.lists().length - before).toBeLessThanOrEqual(10);
    expect(service.mostAtOnce()).toBeLessThanOrEqual(7);
  });

  test.each([
    ["half of 3 s and half of 12 s", (index: number) => (index % 2 === 0 ? 3_000 : 12_000)],
    ["of 8 to 12 s", (index: number) => 8_000 + 40 * index],
  ])("of a client's first jobs, whose end is seen within 1.5 s: %s", async (_, endOf) => {
    const service = createFakeService(100, { endOf, latencyMs: 0 });
    const delays: number[] = [];
    const all = idsOf(100).map(async (__, index) => {
      await service.client.jobs.submitAndPoll({ action: "generate-ad", prompt: String(index) });
      delays.push(service.now() - endOf(index));
    });
    await vi.runAllTimersAsync();
    await Promise.all(all);
    const meanMs = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
    expect(meanMs).toBeLessThanOrEqual(1_500);
  });
});

describe("a list that is no help", () => {
  const minute = 60_000;
  const ends: [string, (index: number, count: number) => number][] = [
    ["of 3 s", () => 3_000],
    [
      "that end in a minute",
      (index, count) => 3_000 + (minute * ((index * 7_919) % count)) / count,
    ],
  ];
  /** The time whose statuses it shows, or its answer. */
  const lists: [string, (nowMs: number) => number, Step?][] = [
    ["is 30 s old", (nowMs) => nowMs - 30_000],
    ["is renewed each 30 s", (nowMs) => nowMs - (nowMs % 30_000)],
    ["never changes", () => 0],
    ["fails", () => 0, 500],
    ["is silent", () => 0, silent],
  ];
  const rows = ends.flatMap(([jobs, endOf]) =>
    lists.map(([list, shownAt, answer]) => ({ jobs, list, endOf, shownAt, answer })),
  );

  test.each(rows)("and $list delays none of 1 to 100 jobs $jobs by more than 10 s", async (row) => {
    // A thousand take too long here: see `npm run bench:waits`.
    for (const count of [1, 4, 19, 20, 25, 100]) {
      const endOf = (index: number) => row.endOf(index, count);
      const service = createFakeService(count, {
        endOf,
        answerOf: ({ list }) => list && row.answer,
        listed: ({ job_id }) => {
          const hasEnded = row.shownAt(service.now()) >= endOf(Number(job_id.slice(4)));
          return { job_id, status: hasEnded ? "completed" : "processing" };
        },
      });
      const waits = service.pollEach(() => ({}));
      await passTime(80_000);
      const delays = waits.map(({ at }, index) => Number(at) - endOf(index));
      expect(Math.max(...delays)).toBeLessThanOrEqual(10_000);
      const meanMs = delays.reduce((sum, delay) => sum + delay) / count;
      expect(meanMs).toBeLessThanOrEqual(3_000);
    }
  });
});

test.each([9, 40])(
  "a service that moves a job only when it is polled delays no wait of %i",
  async (count) => {
    const service = createFakeService(count, {
      endOf: () => 0,
      listed: ({ job_id }) => {
        const isPolled = service.singles().includes(job_id);
        return { job_id, status: isPolled ? "completed" : "processing" };
      },
    });
    const waits = service.pollEach(() => ({}));
    await passTime(3_000);
    expect(waits.map(({ value }) => value?.status)).toEqual(Array(count).fill("completed"));
  },
);

describe("a job that the list does not show", () => {
  test("is polled singly", async () => {
    const listed = (job: { job_id: string; status: string }) =>
      Number(job.job_id.slice(4)) < 12 ? job : undefined;
    const { singles } = await completeAll(24, { endOf: () => 10_000, listed });
    const pollsOf = (id: string) => singles().filter((polled) => polled === id).length;
    expect(Math.min(...idsOf(24).slice(12).map(pollsOf))).toBeGreaterThanOrEqual(4);
    // Its end, and two that confirm the list.
    expect(Math.max(...idsOf(12).map(pollsOf))).toBeLessThanOrEqual(3);
  });

  test("is sought in a longer list where the limit may have cut it off", async () => {
    const service = createFakeService(0);
    // Jobs of others come first.
    for (let other = 0; other < 50; other++) service.ends.set(`other_${other}`, 0);
    for (const id of idsOf(20)) service.ends.set(id, 20_000);
    const all = watchPromise(pollJobs(service.client, idsOf(20)), service.now);
    await vi.runAllTimersAsync();
    expect(all.value).toEqual(completed(20));
    expect(service.lists().slice(0, 3)).toEqual(["40", "160", "160"]);
  });

  test("or that has failed, or is unknown, settles for itself", async () => {
    const answerOf = ({ id }: { id: string }) => (id === "job_0" ? "failed" : undefined);
    const service = createFakeService(20, { answerOf, endOf: (index) => (index < 2 ? 0 : 1e9) });
    const ids = [...idsOf(20), "unknown"];
    const all = watchPromise(pollJobs(service.client, ids, { timeoutMs: 5_000 }), service.now);
    await vi.runAllTimersAsync();
    expect(all.value).toMatchObject([
      { ok: true, data: { job_id: "job_0", status: "failed" } },
      { ok: true, data: { job_id: "job_1", status: "completed" } },
      ...idsOf(20)
        .slice(2)
        .map((jobId) => ({ error: { code: "poll_timeout", jobId, lastJob: { job_id: jobId } } })),
      { error: { code: "poll_timeout", jobId: "unknown", cause: { code: "not_found" } } },
    ]);
  });
});
