import { pollJobs, watchJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { expectNoTimers, useFakedTime } from "../../helpers/faked-time.ts";
import {
  createFakedClient,
  createScriptedClient,
  idsOf,
  late,
  passTime,
  type Step,
  seen,
  silent,
  success,
  watchPromise,
} from "./scripted-client.ts";
import { collect } from "./ways.ts";

useFakedTime();

/** A service that answers by the job's id. */
const byId = (answers: Record<string, Step>) => createFakedClient(({ id }) => answers[id] ?? 404);

const bug = new TypeError("somebody's wrapper");

const answers = {
  slow: late(30, success({ status: "completed", result: 1 })),
  gone: late(10, 410),
  bad: success({ status: "failed", error: "no luck" }),
  quick: late(20, success({ status: "completed", result: 2 })),
};

/** The two ways to wait for many jobs. */
const manyWays = {
  pollJobs: (...given: Parameters<typeof pollJobs>) => pollJobs(...given),
  watchJobs: (...given: Parameters<typeof pollJobs>) => collect(watchJobs(...given)),
};

describe.each(Object.entries(manyWays))("%s", (name, wait) => {
  test("an abort ends all waits for many jobs at once, also the queued ones", async () => {
    const service = createFakedClient(() => silent);
    const controller = new AbortController();
    const waited = wait(service.client, idsOf(25), { signal: controller.signal });
    const all = watchPromise(waited, service.now);
    await passTime(500);
    controller.abort("enough");
    await passTime(0);
    expect(all.at).toBe(500);
    const aborted = { ok: false, error: { name: "AbortError", cause: "enough" } };
    expect(all.value).toMatchObject(Array(25).fill(aborted));
    const ids = all.value.map(({ error }: { error: { jobId: string } }) => error.jobId);
    expect(new Set(ids)).toEqual(new Set(idsOf(25)));
    await expectNoTimers();
    await passTime(60_000);
    expect(service.requests).toHaveLength(20);
  });

  test("a wait for many jobs gives a result or an error for each, and reads the list once", async () => {
    const updates: string[] = [];
    const unreadable = Object.create(null, { id: { value: 2 } });
    const refs = [...Object.keys(answers), undefined, unreadable];
    const given = (function* () {
      yield* refs;
    })();
    const options = { onUpdate: ({ job_id }: { job_id: string }) => updates.push(job_id) };
    const all = wait(byId(answers).client, given, options);
    await vi.runAllTimersAsync();
    const failure = (fields: object) => ({ ok: false, error: expect.objectContaining(fields) });
    const results = [
      { ok: true, data: { job_id: "slow", status: "completed", result: 1 } },
      failure({ status: 410, jobId: "gone" }),
      { ok: true, data: { job_id: "bad", status: "failed", error: "no luck" } },
      { ok: true, data: { job_id: "quick", status: "completed", result: 2 } },
      ...Array(2).fill(failure({ code: "invalid_request" })),
    ];
    const order = name === "pollJobs" ? [0, 1, 2, 3, 4, 5] : [4, 5, 2, 1, 3, 0];
    const expected = order.map((index) => {
      return { index, jobId: index < 4 ? refs[index] : undefined, ...results[index] };
    });
    expect(await all).toEqual(expected);
    expect(updates).toEqual(["bad", "quick", "slow"]);
  });

  test("a wait for no jobs gives no results", async () => {
    const { client, polls } = createScriptedClient(["completed"]);
    for (const jobs of [[], new Set<string>()]) expect(await wait(client, jobs)).toEqual([]);
    expect(polls).toEqual([]);
  });

  test.each([
    ["job_1", '"job_1"'],
    [{ job_id: "job_1" }, "an object"],
    [undefined, "undefined"],
    [null, "null"],
  ])("a wait for many jobs refuses %j instead of a list", async (jobs, got) => {
    const { client, polls } = createScriptedClient(["completed"]);
    const caught = (async () => await wait(client, jobs as never))();
    await expect(caught).rejects.toMatchObject({
      ...{ name: "InvalidRequestError", code: "invalid_request" },
      message:
        `${name} takes a list of jobs or ids (of jobs.list(): its items; for one job: pollJob), ` +
        `got ${got}`,
    });
    expect(polls).toEqual([]);
  });
});

test.each([
  [20, {}],
  [1, { concurrency: 1 }],
  [6, { concurrency: 6 }],
])("pollJobs has %i polls at once with %j, also after failures", async (limit, options) => {
  const answerTo = ({ at }: { at: number }) =>
    at < 2_000 ? 503 : at < 3_000 ? "processing" : "completed";
  const service = createFakedClient(answerTo, { latencyMs: 20 });
  const all = pollJobs(service.client, idsOf(30), { ...options, intervalMs: 500 });
  await vi.runAllTimersAsync();
  expect(await all).toMatchObject(Array(30).fill({ ok: true }));
  expect(service.maxAtOnce()).toBe(limit);
});

test("a job that waits for its next poll doesn't occupy a place", async () => {
  const service = byId({ slow: seen("processing", 50), quick: "completed" });
  const updates: (string | number)[] = [];
  const onUpdate = ({ job_id }: { job_id: string }) => updates.push(job_id, service.now());
  const options = { concurrency: 1, timeoutMs: 1_000, onUpdate };
  const all = watchPromise(pollJobs(service.client, ["slow", "quick"], options), service.now);
  await vi.runAllTimersAsync();
  expect(updates).toEqual(["slow", 0, "quick", 0, "slow", 1_000]);
  expect(all.value).toMatchObject([{ error: { code: "poll_timeout" } }, { ok: true }]);
});

const throwing = function* () {
  yield "job_1";
  throw bug;
};

test("pollJobs rejects if the list throws midway, and leaves no wait behind", async () => {
  const { client, polls } = createScriptedClient([silent]);
  await expect(pollJobs(client, throwing())).rejects.toBe(bug);
  await passTime(0);
  await expectNoTimers();
  await passTime(60_000);
  expect(polls).toEqual([]);
});

test("watchJobs ends all waits when its loop is left", async () => {
  const service = createFakedClient(({ id }) => (id === "job_0" ? "completed" : "processing"));
  const left = (async () => {
    for await (const { jobId } of watchJobs(service.client, idsOf(5))) return jobId;
  })();
  await passTime(1_000);
  expect(await left).toBe("job_0");
  const before = service.requests.length;
  await passTime(60_000);
  expect(service.requests).toHaveLength(before);
  await expectNoTimers();
});

test("watchJobs throws a foreign error when the loop reaches it, and leaves no rejection unhandled", async () => {
  const get = vi.fn(async (): Promise<never> => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw bug;
  });
  get.mockResolvedValueOnce({ job_id: "a", status: "completed", result: null } as never);
  const results = watchJobs({ jobs: { get } }, ["a", "b", "c"]);
  expect(await results.next()).toMatchObject({ value: { jobId: "a", ok: true } });
  await passTime(30);
  await expect(results.next()).rejects.toBe(bug);
});
