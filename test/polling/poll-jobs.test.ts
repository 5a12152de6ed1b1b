import { type AdGenClient, type PollClient, pollJobs, watchJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { createFakeService, idsOf, passTime } from "./fake-service.ts";
import {
  createScriptedClient,
  late,
  type Step,
  seen,
  silent,
  success,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

/** A client whose waits poll each job by its id. */
const withoutList = ({ jobs }: AdGenClient): PollClient => ({
  jobs: { get: (job, options) => jobs.get(job, options) },
});

/** A service that answers by the job's id, and has no list. */
const byId = (answers: Record<string, Step>) => {
  const answerOf = ({ id }: { id: string }) => answers[id] ?? 404;
  const { client, now } = createFakeService(0, { answerOf, latencyMs: 0 });
  return { client: withoutList(client), now };
};

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};

const bug = new TypeError("somebody's wrapper");
const broken = { jobs: { get: () => Promise.reject(bug) } };

const outcomes = {
  slow: { ok: true, data: { job_id: "slow", status: "completed", result: 1 } },
  gone: { ok: false, error: expect.objectContaining({ status: 410, jobId: "gone" }) },
  bad: { ok: true, data: { job_id: "bad", status: "failed", error: "no luck" } },
  quick: { ok: true, data: { job_id: "quick", status: "completed", result: 2 } },
};
const answers = {
  slow: late(30, success({ status: "completed", result: 1 })),
  gone: late(10, 410),
  bad: success({ status: "failed", error: "no luck" }),
  quick: late(20, success({ status: "completed", result: 2 })),
};
const unusable = { ok: false, error: expect.objectContaining({ code: "invalid_request" }) };

test.each(["pollJobs", "watchJobs"])(
  "an abort ends all waits of %s at once, also those in line",
  async (name) => {
    const service = createFakeService(20, { answerOf: () => silent });
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const client = withoutList(service.client);
    const all = watchPromise(
      name === "pollJobs"
        ? pollJobs(client, idsOf(20), options)
        : collect(watchJobs(client, idsOf(20), options)),
      service.now,
    );
    await passTime(500);
    controller.abort("enough");
    await passTime(0);
    expect(all.at).toBe(500);
    const error = { name: "AbortError", cause: "enough" };
    expect(all.value).toHaveLength(20);
    expect(all.value).toEqual(
      expect.arrayContaining(
        idsOf(20).map((jobId) =>
          expect.objectContaining({ error: expect.objectContaining({ ...error, jobId }) }),
        ),
      ),
    );
    expect(vi.getTimerCount()).toBe(0);
    await passTime(60_000);
    expect(service.requests).toHaveLength(6);
  },
);

describe("pollJobs", () => {
  test("gives a result for each job in the order given, errors in their places", async () => {
    const updates: string[] = [];
    const refs = [...Object.keys(outcomes), undefined, Object.create(null, { id: { value: 2 } })];
    const options = { onUpdate: ({ job_id }: { job_id: string }) => updates.push(job_id) };
    const all = pollJobs(byId(answers).client, refs, options);
    await vi.runAllTimersAsync();
    expect(await all).toEqual([...Object.values(outcomes), unusable, unusable]);
    expect(updates).toEqual(["bad", "quick", "slow"]);
  });

  test.each([
    [6, {}],
    [1, { concurrency: 1 }],
    [20, { concurrency: 20 }],
  ])("has %i polls under way at once with %j, also after failures", async (limit, options) => {
    const service = createFakeService(30, {
      answerOf: ({ at }) => (at < 2_000 ? 503 : undefined),
      endOf: () => 3_000,
    });
    const all = watchPromise(
      pollJobs(withoutList(service.client), idsOf(30), { ...options, intervalMs: 500 }),
      service.now,
    );
    await vi.runAllTimersAsync();
    expect(all.value).toMatchObject(Array(30).fill({ ok: true }));
    expect(service.mostAtOnce()).toBe(limit);
  });

  test("lets no job that waits for its next poll hold the place of another", async () => {
    const service = byId({ slow: seen("processing", 50), quick: "completed" });
    const updates: (string | number)[] = [];
    const onUpdate = ({ job_id }: { job_id: string }) => updates.push(job_id, service.now());
    const options = { concurrency: 1, timeoutMs: 1_000, onUpdate };
    const all = watchPromise(pollJobs(service.client, ["slow", "quick"], options), service.now);
    await vi.runAllTimersAsync();
    expect(updates).toEqual(["slow", 0, "quick", 0, "slow", 1_000]);
    expect(all.value).toMatchObject([{ error: { code: "poll_timeout" } }, { ok: true }]);
  });

  test("of no jobs gives no results", async () => {
    const { client } = createScriptedClient([silent]);
    expect(await pollJobs(client, [])).toEqual([]);
    expect(await pollJobs(client, new Set<string>())).toEqual([]);
    expect(await watchJobs(client, []).next()).toEqual({ done: true, value: undefined });
  });

  test("takes a generator, and reads it once", async () => {
    const { client, polls } = createScriptedClient(["completed"]);
    const steps = vi.fn();
    const ids = function* () {
      for (const id of ["a", "b", "c"]) {
        steps();
        yield id;
      }
    };
    const all = pollJobs(client, ids());
    await vi.runAllTimersAsync();
    expect(await all).toMatchObject(Array(3).fill({ ok: true }));
    expect([steps.mock.calls.length, polls.length]).toEqual([3, 3]);
  });

  const unreadable = {
    get job_id(): string {
      throw bug;
    },
  };

  test.each<[string, () => Iterable<string>, number]>([
    [
      "throws midway, before it sends anything",
      function* () {
        yield "job_1";
        throw bug;
      },
      0,
    ],
    ["holds a job that cannot be read", () => ["job_1", unreadable as never], 1],
  ])("rejects where the list %s, and leaves no wait behind", async (_, list, begun) => {
    const { client, polls } = createScriptedClient([silent]);
    await expect(pollJobs(client, list())).rejects.toBe(bug);
    await passTime(0);
    expect(vi.getTimerCount()).toBe(0);
    await passTime(60_000);
    expect(polls).toHaveLength(begun);
  });
});

describe("watchJobs", () => {
  test("gives each result as it comes, with the job's place", async () => {
    const refs = [...Object.keys(outcomes), undefined as unknown as string];
    const all = collect(watchJobs(byId(answers).client, refs));
    await vi.runAllTimersAsync();
    expect(await all).toEqual([
      { index: 4, jobId: undefined, ...unusable },
      { index: 2, jobId: "bad", ...outcomes.bad },
      { index: 1, jobId: "gone", ...outcomes.gone },
      { index: 3, jobId: "quick", ...outcomes.quick },
      { index: 0, jobId: "slow", ...outcomes.slow },
    ]);
  });

  test("ends all waits where its loop is left", async () => {
    const service = createFakeService(5, { endOf: (index) => (index === 0 ? 0 : 1e9) });
    const consume = async () => {
      for await (const { jobId } of watchJobs(service.client, idsOf(5))) return jobId;
      return undefined;
    };
    const left = watchPromise(consume(), service.now);
    await passTime(1_000);
    expect(left.value).toBe("job_0");
    const before = service.requests.length;
    await passTime(60_000);
    expect(service.requests).toHaveLength(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("throws a foreign error where the loop comes to it, and leaves none unhandled", async () => {
    const get = vi.fn(async (): Promise<never> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw bug;
    });
    get.mockResolvedValueOnce({ job_id: "a", status: "completed", result: null } as never);
    const results = watchJobs({ jobs: { get } }, ["a", "b", "c"]);
    expect(await results.next()).toMatchObject({ value: { jobId: "a", ok: true } });
    await passTime(30);
    await expect(results.next()).rejects.toBe(bug);
    await expect(watchJobs(broken, ["a"]).next()).rejects.toBe(bug);
  });
});

describe.each<[string, (...args: Parameters<typeof pollJobs>) => Promise<unknown>]>([
  ["pollJobs", async (...args) => await pollJobs(...args)],
  ["watchJobs", async (...args) => watchJobs(...args)],
])("%s refuses", (name, wait) => {
  test.each([
    ["no place at all", 0, "0"],
    ["more places than 100", 101, "101"],
    ["a number that is none", Number.NaN, "NaN"],
    ["half a place", 1.5, "1.5"],
    ["a text", "6", '"6"'],
  ])("%s", async (_, concurrency, got) => {
    const { client, polls } = createScriptedClient(["completed"]);
    const waited = wait(client, ["a"], { concurrency: concurrency as number });
    await expect(waited).rejects.toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      message: `concurrency must be a whole number from 1 to 100, got ${got}`,
    });
    expect(polls).toEqual([]);
  });

  test.each([
    ["one id", "job_1", '"job_1"'],
    ["one job", { job_id: "job_1" }, "an object"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
  ])("%s in the list's place", async (_, jobs, got) => {
    const { client, polls } = createScriptedClient(["completed"]);
    await expect(wait(client, jobs as unknown as string[])).rejects.toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      message:
        `${name} takes a list of jobs or ids (of jobs.list(): its items; for one job: pollJob), ` +
        `got ${got}`,
    });
    expect(polls).toEqual([]);
  });
});
