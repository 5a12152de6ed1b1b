import { type AnyAdGenError, type Job, type PollOptions, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { expectNoTimers, useFakedTime } from "../helpers/faked-time.ts";
import {
  completeAll,
  completed,
  createFakeService,
  type FakeOptions,
  idsOf,
  passTime,
  pollToEnd,
} from "./fake-service.ts";
import {
  late,
  offline,
  page,
  refused,
  type Step,
  silent,
  success,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

type AnswerOf = NonNullable<FakeOptions["answerOf"]>;

const everySecond = { intervalMs: 1_000, maxIntervalMs: 1_000 };
/** An answer to the list, and to nothing else. */
const toList =
  (step: Step): AnswerOf =>
  ({ list }) =>
    list ? step : undefined;

/** The service's answer to the first list. */
const toFirstList = (step: Step): FakeOptions => {
  let asked = 0;
  return {
    answerOf: ({ list }) => (list && asked++ === 0 ? step : undefined),
    ...{ endOf: () => 5_000, maxResponseBytes: 4_000 },
  };
};
const alone = (step: Step): FakeOptions => ({ answerOf: toList(step), endOf: () => 20_000 });
const tooLarge: Step = () => new Response("x".repeat(5_000));
const behind: FakeOptions = {
  endOf: () => 0,
  listed: ({ job_id }) => ({ job_id, status: "processing" }),
  latencyMs: 0,
};
const hangsAtFirst: FakeOptions = {
  answerOf: ({ list, at }) => (list || at > 500 ? undefined : silent),
  endOf: () => 1_000,
};
const quiet = { limits: ["40"], mostLists: 1, failed: 0 };
/** Answers after which the list is left alone. */
const left = [401, 403, 404, 500, success({ jobs: "many" }), success({ jobs: [{ job_id: 7 }] })];

interface Cost {
  readonly mostLists?: number;
  /** The limits of the first lists. */
  readonly limits?: readonly (string | null)[];
  readonly latestMs?: number;
  /** Number of failures that the waits are told of. */
  readonly failed?: number;
}

describe("a list", () => {
  test.each<readonly [string, number, FakeOptions, Cost]>([
    ...left.map((step) => ["fails, and is left alone", 20, alone(step), quiet] as const),
    ["gives 429s, and is left alone in the end", 20, alone(refused(429, 1)), { mostLists: 4 }],
    ["is not asked for nineteen", 19, { endOf: () => 10_000 }, { mostLists: 0 }],
    ["takes no limit", 22, toFirstList(400), { limits: ["44", null, null] }],
    ["is too large", 22, toFirstList(tooLarge), { limits: ["44", "20", "20"] }],
    ["is behind for ever, but not believed", 20, behind, { latestMs: 15_000 }],
    ["is behind for ever, but not believed", 40, behind, { latestMs: 15_000 }],
    ["is behind for ever, but not believed", 200, behind, { latestMs: 15_000 }],
    ["is held up for ten seconds by a poll that hangs", 20, hangsAtFirst, { latestMs: 15_000 }],
  ])("that %s keeps none of %i waits from their ends", async (_, count, fake, cost) => {
    const onPollFailed = vi.fn();
    const { all, lists } = await completeAll(count, fake, { onPollFailed });
    const { mostLists = 100, limits = [], latestMs = 30_000, failed } = cost;
    expect(lists().length).toBeLessThanOrEqual(mostLists);
    expect(lists().slice(0, limits.length)).toEqual(limits);
    expect(all.at).toBeLessThanOrEqual(latestMs);
    if (failed !== undefined) expect(onPollFailed).toHaveBeenCalledTimes(failed);
  });

  test("ends no other wait while the one leaves that is polled beside it", async () => {
    let answerOf: AnswerOf = () => undefined;
    const service = createFakeService(20, {
      endOf: () => 20_000,
      answerOf: (request) => answerOf(request),
      // Without a spread, all of them ask for the list.
      random: () => 0.5,
    });
    const stops = idsOf(20).map(() => new AbortController());
    const waits = service.pollEach((index) => ({ ...everySecond, signal: stops[index]?.signal }));
    await passTime(5_000);
    answerOf = ({ list }) => (list ? 404 : silent);
    const before = service.singles().length;
    while (service.singles().length === before) await passTime(10);
    const polled = service.singles().at(-1);
    stops[idsOf(20).indexOf(polled ?? "")]?.abort();
    await passTime(1_000);
    answerOf = () => undefined;
    await vi.runAllTimersAsync();
    expect(waits).toMatchObject(
      idsOf(20).map((id) =>
        id === polled ? { error: { code: "aborted" } } : { value: { status: "completed" } },
      ),
    );
  });
});

describe("a list that is wrong", () => {
  const aboutFirst: FakeOptions = {
    endOf: (index) => (index === 0 ? 5_000 : 60_000),
    listed: (job) => (job.job_id === "job_0" ? { ...job, status: "processing" } : job),
    latencyMs: 0,
  };

  test.each<[number, string, PollOptions]>([
    [20, "by plan", {}],
    [25, "by plan", {}],
    [100, "by plan", {}],
    [20, "at a forced second", everySecond],
  ])("about one job of %i hides its end for 35 s at most, %s", async (count, _, options) => {
    const waits = createFakeService(count, aboutFirst).pollEach(() => options);
    await passTime(65_000);
    expect(waits).toMatchObject(Array(count).fill({ value: { status: "completed" } }));
    expect(waits[0]?.at).toBeLessThanOrEqual(40_000);
  });

  test("about a job that goes on makes no hot loop", async () => {
    const listed: FakeOptions["listed"] = (job) => ({ ...job, status: "completed" });
    const options = { intervalMs: 100, timeoutMs: 450 };
    const { all, singles } = await pollToEnd(20, { listed }, options);
    expect(all.value).toMatchObject(Array(20).fill({ error: { code: "poll_timeout" } }));
    expect(singles().length).toBeLessThan(20 * 7);
  });
});

describe("an outage", () => {
  test("is one failed poll for all waits, each with an error of its own", async () => {
    const failed: AnyAdGenError[] = [];
    const answerOf: AnswerOf = ({ at }) => (at < 3_000 ? 503 : undefined);
    const onPollFailed = (error: AnyAdGenError) => failed.push(error);
    const fake = { answerOf, endOf: () => 0 };
    const { requests } = await completeAll(20, fake, { onPollFailed });
    expect(new Set(failed.map(({ jobId }) => jobId))).toEqual(new Set(idsOf(20)));
    for (const error of failed) expect(error).toMatchObject({ status: 503, attempts: 1 });
    // A list and the poll that it is held against, each second.
    expect(requests.filter(({ at }) => at < 3_000).length).toBeLessThanOrEqual(8);
  });

  test("of the key ends all waits, each with an error of its own", async () => {
    const { all, requests } = await pollToEnd(20, { answerOf: () => 401 });
    // A list, and the poll that it is held against.
    expect(requests).toHaveLength(2);
    const error = { code: "unauthorized", status: 401, attempts: 1 };
    expect(all.value).toMatchObject(idsOf(20).map((jobId) => ({ error: { ...error, jobId } })));
    expect(new Set(all.value.map((result: { error: object }) => result.error)).size).toBe(20);
  });

  test("of many faces has the list asked again, and not each job", async () => {
    const faces: Step[] = [500, page(200), offline, 503, 502];
    const service = createFakeService(300, {
      endOf: () => 2_000,
      answerOf: ({ at }) =>
        at > 1_000 && at < 60_000 ? faces[service.requests.length % faces.length] : undefined,
    });
    const all = service.pollAll();
    await passTime(60_000);
    expect(service.requests.length).toBeLessThanOrEqual(150);
    await vi.runAllTimersAsync();
    expect(all.value).toEqual(completed(300));
  });
});

describe("a 429", () => {
  test.each([
    ["that names 30 s", late(10, refused(429, 30)), 30_010],
    ["that names no time", 429, 1_000],
  ])("%s holds up those that stand in line for a turn, too", async (_, step, until) => {
    const answerOf: AnswerOf = ({ at }) => (at < until ? step : undefined);
    const fake = { answerOf, endOf: () => 0, latencyMs: 0, random: () => 0.5 };
    const { requests } = await completeAll(3, fake, { concurrency: 1 });
    expect(requests.map(({ at }) => at)).toEqual([0, until, until, until]);
  });

  test("of the list holds up all waits, also one that begins later", async () => {
    const answerOf: AnswerOf = ({ at }) => (at < 1_000 ? refused(429, 1) : undefined);
    const service = createFakeService(20, { answerOf, endOf: () => 0 });
    const all = service.pollAll();
    await passTime(600);
    const last = watchPromise(pollJob(service.client, "job_7"), service.now);
    await passTime(400);
    expect(service.requests).toHaveLength(1);
    await vi.runAllTimersAsync();
    expect(all.value).toEqual(completed(20));
    expect(last.value).toMatchObject({ status: "completed" });
  });

  test("of a wait whose own pace is slow holds up others for the time that it names", async () => {
    const answerOf: AnswerOf = ({ id }) => (id === "slow" ? refused(429, 1) : "completed");
    const { client, now } = createFakeService(0, { answerOf, latencyMs: 0 });
    const stop = new AbortController();
    pollJob(client, "slow", { intervalMs: 600_000, signal: stop.signal }).catch(() => {});
    await passTime(100);
    const quick = watchPromise(pollJob(client, "quick"), now);
    await passTime(2_000);
    stop.abort();
    expect(quick.at).toBe(1_000);
  });
});

describe("the deadline of many waits", () => {
  test.each<[string, number, AnswerOf, number, number]>([
    ["the service", 40, () => silent, 20_000, 25_010],
    ["the service", 1_000, () => silent, 10_000, 12_510],
    ["the list", 300, toList(silent), 1_000, 1_520],
  ])("is kept where %s is silent, by %i waits", async (_, count, answerOf, timeoutMs, latestMs) => {
    const { all } = await pollToEnd(count, { answerOf, latencyMs: 0 }, { timeoutMs });
    // A quarter more for the last polls, and a millisecond for each round of them.
    expect(all.at).toBeGreaterThanOrEqual(timeoutMs);
    expect(all.at).toBeLessThanOrEqual(latestMs);
    expect(all.value).toMatchObject(
      idsOf(count).map((jobId) => ({ error: { name: "PollTimeoutError", jobId } })),
    );
    await expectNoTimers();
  });

  test("gives each job its last poll", async () => {
    const { all, requests } = await pollToEnd(40, {}, { timeoutMs: 3_000, concurrency: 100 });
    // A list, and then all polls at once.
    expect(all.at).toBeLessThanOrEqual(3_040);
    const last = requests.filter(({ at, list }) => at >= 3_000 && !list).map(({ id }) => id);
    expect(last.sort()).toEqual(idsOf(40).sort());
    const lost = { error: { code: "poll_timeout", lastJob: { status: "processing" } } };
    expect(all.value).toMatchObject(Array(40).fill(lost));
  });

  test("is kept by a wait that stands in line behind silent polls", async () => {
    const { client, now } = createFakeService(0, { answerOf: () => silent, latencyMs: 0 });
    const withoutList = { jobs: { get: client.jobs.get } };
    const stop = new AbortController();
    for (const id of idsOf(6)) pollJob(withoutList, id, { signal: stop.signal }).catch(() => {});
    await passTime(10);
    const short = watchPromise(pollJob(withoutList, "short", { timeoutMs: 1_000 }), now);
    await passTime(2_000);
    expect(short).toMatchObject({ error: { code: "poll_timeout", jobId: "short" } });
    expect(short.at).toBeLessThanOrEqual(1_520);
    stop.abort();
  });

  test.each<[string, Step | undefined]>([
    ["a list", undefined],
    ["a list that fails", 503],
  ])("is not held up by the poll of another wait, beside %s", async (_, list) => {
    const answerOf: AnswerOf = (request) => {
      if (request.list) return list;
      return request.id === "job_0" ? silent : "completed";
    };
    const service = createFakeService(20, { answerOf, latencyMs: 0 });
    const waits = service.pollEach((index) => ({ timeoutMs: index === 0 ? 60_000 : 0 }));
    await vi.runAllTimersAsync();
    for (const { at, value } of waits.slice(1)) {
      expect(at).toBeLessThanOrEqual(510);
      expect(value).toMatchObject({ status: "completed" });
    }
  });
});

test("a reader of one's own that throws gives its turn back, to the last one", async () => {
  const bug = new Error("the reader is broken");
  const get = vi.fn(async (): Promise<Job> => ({ job_id: "a", status: "completed", result: 1 }));
  // As many as may poll at once, and more.
  for (let wait = 0; wait < 20; wait++) {
    get.mockRejectedValueOnce(bug);
    await expect(pollJob({ jobs: { get } }, "a")).rejects.toBe(bug);
  }
  expect(await pollJob({ jobs: { get } }, "a")).toMatchObject({ status: "completed" });
});
