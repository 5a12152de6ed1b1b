import { getEventListeners } from "node:events";
import { type AdGenClient, type PollOptions, watchJob, watchJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { passTime } from "./fake-service.ts";
import {
  createScriptedClient,
  phases,
  success,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

const end = { done: true, value: undefined };

/** The two ways that give something before their end. */
const watches = {
  watchJob: (client: AdGenClient, options?: PollOptions) => watchJob(client, "job_1", options),
  watchJobs: (client: AdGenClient, options?: PollOptions) => watchJobs(client, ["job_1"], options),
};
type Watch = ReturnType<(typeof watches)[keyof typeof watches]>;

const enough = new Error("enough");
const leave: Record<string, (watch: Watch) => Promise<unknown>> = {
  "return()": (watch) => watch.return(),
  "throw()": (watch) => watch.throw(enough).catch((error) => error === enough && end),
  "await using": async (watch) => (await watch[Symbol.asyncDispose]()) ?? end,
};

const cases = phases.flatMap((phase) =>
  (Object.keys(watches) as (keyof typeof watches)[]).flatMap((name) =>
    Object.keys(leave).map((by) => ({ ...phase, name, by })),
  ),
);

describe("leaving a watch", () => {
  test.each(cases)("ends $name at once, by $by during $phase", async (each) => {
    const { client, polls, now } = createScriptedClient(each.script);
    const { signal } = new AbortController();
    const watch = watches[each.name](client, { intervalMs: 1_000, signal });
    const consume = async () => {
      for (;;) {
        const step = await watch.next();
        if (step.done) return step;
      }
    };
    const pending = watchPromise(consume(), now);
    await passTime(each.atMs);
    const left = watchPromise(leave[each.by]?.(watch) as Promise<unknown>, now);
    await passTime(0);
    expect(left).toEqual({ at: each.atMs, value: end });
    expect(pending).toEqual({ at: each.atMs, value: end });
    expect(await watch.next()).toEqual(end);
    // Nothing is left, the caller's signal is as it was, and nothing is sent afterwards.
    expect([vi.getTimerCount(), getEventListeners(signal, "abort").length]).toEqual([0, 0]);
    expect(signal.aborted).toBe(false);
    await passTime(120_000);
    expect(polls).toHaveLength(each.script.length);
  });

  test.each(Object.values(watches))("before its first step sends nothing", async (watch) => {
    const { client, polls } = createScriptedClient(["completed"]);
    const left = watch(client);
    await passTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect([await left.return(), await left.next()]).toEqual([end, end]);
    expect(polls).toEqual([]);
  });

  test.each(Object.entries(leave))("between two steps ends it, by %s", async (_, leaveBy) => {
    const { client, polls } = createScriptedClient(["processing"]);
    const { signal } = new AbortController();
    const watch = watchJob(client, "job_1", { signal });
    await watch.next();
    expect(await Promise.all([leaveBy(watch), watch.next()])).toEqual([end, end]);
    expect(await watch.return()).toEqual(end);
    await passTime(60_000);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(polls).toEqual([0]);
  });
});

describe("watchJob", () => {
  test("gives the job of each poll that shows one, and ends after the finished one", async () => {
    const jobs = [
      { status: "queued" },
      { status: "processing", progress: 1 },
      { status: "processing", progress: 1 },
      { status: "failed", error: "no luck" },
    ];
    const script = [503, ...jobs.map((job) => success(job))];
    const { client, polls } = createScriptedClient(script);
    const seenJobs: object[] = [];
    const told = vi.fn();
    const consume = async () => {
      for await (const job of watchJob(client, "job_1", { onUpdate: told })) {
        seenJobs.push(job);
        // Observers see it first.
        expect(told).toHaveBeenCalledTimes(seenJobs.length);
      }
    };
    const settled = watchPromise(consume(), () => 0);
    await vi.runAllTimersAsync();
    expect(settled).toEqual({ at: 0, value: undefined });
    expect(seenJobs).toEqual(jobs.map((job) => ({ job_id: "job_1", ...job })));
    expect(polls).toHaveLength(5);
  });

  test("makes no poll before it is asked for one", async () => {
    const { client, polls } = createScriptedClient(["queued", "completed"]);
    const watch = watchJob(client, "job_1");
    expect(polls).toEqual([]);
    expect((await watch.next()).value).toMatchObject({ status: "queued" });
    await passTime(60_000);
    expect(polls).toEqual([0]);
    expect((await watch.next()).value).toMatchObject({ status: "completed" });
    expect(await watch.next()).toEqual(end);
  });
});
