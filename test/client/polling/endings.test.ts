import { getEventListeners } from "node:events";
import { type AdGenClient, watchJob, watchJobs } from "adgen-sdk";
import { expect, test, vi } from "vitest";
import { expectNoTimers, useFakedTime } from "../../helpers/faked-time.ts";
import {
  byWay,
  createScriptedClient,
  late,
  passTime,
  play,
  refused,
  type Step,
  seen,
  silent,
  start,
  submitted,
  success,
  watchPromise,
} from "./scripted-client.ts";
import { wayNames } from "./ways.ts";

useFakedTime();

/** Phases of a wait, each with a script, a time in the phase, and the last status seen. */
const phases = [
  { phase: "the first poll", script: [silent], atMs: 500, status: undefined },
  { phase: "a later poll", script: ["processing", silent], atMs: 1_500, status: "processing" },
  { phase: "a pause", script: ["processing"], atMs: 500, status: "processing" },
  { phase: "a minute's pause", script: [seen("queued", 60)], atMs: 20_000, status: "queued" },
  { phase: "a failure's pause", script: [refused(503, 600)], atMs: 500, status: undefined },
  { phase: "a 429's pause", script: [refused(429, 60)], atMs: 20_000, status: undefined },
];

const createSignal = () => {
  const controller = new AbortController();
  const { signal } = controller;
  return { controller, signal, listeners: () => getEventListeners(signal, "abort") };
};

/** A wait by pollOnce has no pause to end, because its caller sleeps between the polls. */
const cases = phases.flatMap((phase) =>
  [...wayNames, "submitAndPoll"]
    .filter((name) => name !== "pollOnce" || phase.phase.endsWith("poll"))
    .map((name) => ({ ...phase, name })),
);

/** Expects that no timer is left, and that nothing is sent afterwards. */
const expectTheEnd = async ({ polls }: { polls: readonly number[] }): Promise<void> => {
  const { length } = polls;
  await expectNoTimers();
  await passTime(120_000);
  expect(polls).toHaveLength(length);
};

const reason = new Error("somebody pressed Cancel");

test.each(cases)("an abort ends $name at once during $phase", async (each) => {
  const { controller, signal, listeners } = createSignal();
  const played = start(each.script, { ...byWay(each.name), signal });
  await passTime(each.atMs);
  controller.abort(reason);
  await passTime(0);
  const { settled } = played;
  const facts = { jobId: "job_1", attempts: each.script.length, elapsedMs: each.atMs };
  expect(settled).toMatchObject({ at: each.atMs, error: { name: "AbortError", ...facts } });
  expect(settled.error).toMatchObject({ code: "aborted" });
  expect(settled.error.cause).toBe(reason);
  expect(settled.error.lastJob?.status).toBe(each.status);
  expect(listeners()).toEqual([]);
  await expectTheEnd(played);
});

const end = { done: true, value: undefined };

type Watch = ReturnType<typeof watchJob>;

const enough = new Error("enough");
const leave: Record<string, (watch: Watch) => Promise<unknown>> = {
  "return()": (watch) => watch.return(),
  "throw()": (watch) => watch.throw(enough).catch((error) => error === enough && end),
  "await using": async (watch) => (await watch[Symbol.asyncDispose]()) ?? end,
};

test.each([
  (client: AdGenClient) => watchJob(client, "job_1"),
  (client: AdGenClient) => watchJobs(client, ["job_1"]),
])("a watch left before a step sends nothing", async (watch) => {
  const scripted = createScriptedClient(["completed"]);
  const left = watch(scripted.client);
  await passTime(60_000);
  expect([await left.return(), await left.next()]).toEqual([end, end]);
  expect(scripted.polls).toEqual([]);
  await expectTheEnd(scripted);
});

test.each(Object.entries(leave))("leaving a watch by %s ends it", async (_, leaveBy) => {
  const scripted = createScriptedClient(["processing"]);
  const { signal } = new AbortController();
  const unsubscribe = vi.fn();
  const watch = watchJob(scripted.client, "job_1", { signal, wake: () => unsubscribe });
  await watch.next();
  expect(await Promise.all([leaveBy(watch), watch.next()])).toEqual([end, end]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(unsubscribe).toHaveBeenCalledTimes(1);
  await expectTheEnd(scripted);
});

test("watchJob yields the job of each poll that shows one, and ends after the finished job", async () => {
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

test("watchJob makes no poll before its next step", async () => {
  const { client, polls } = createScriptedClient(["queued", "completed"]);
  const watch = watchJob(client, "job_1");
  expect(polls).toEqual([]);
  expect((await watch.next()).value).toMatchObject({ status: "queued" });
  await passTime(60_000);
  expect(polls).toEqual([0]);
  expect((await watch.next()).value).toMatchObject({ status: "completed" });
  expect(await watch.next()).toEqual(end);
});

const unfinished = ["queued", "queued", "processing"];
const slow = late(6_000, submitted());
const tooLate = { code: "poll_timeout", jobId: "job_1", lastJob: { status: "processing" } };

test.each<[string, Step, readonly Step[], object, number]>([
  ["a 402", 402, [], { code: "payment_required", outcome: "refused" }, 0],
  ["a 503", 503, [], { code: "server_error", outcome: "unknown" }, 0],
  ["its deadline, from the answer on", slow, unfinished, tooLate, 7_500],
])("submitAndPoll sends no paid POST twice, and reports the end, after %s", async (...row) => {
  const [, submission, script, error, at] = row;
  const { polls, settled } = await play(script, { submission, timeoutMs: 1_500 });
  expect(settled).toMatchObject({ at, error });
  expect(settled.error.stack).toContain("ways.ts");
  expect(polls).toHaveLength(1 + script.length);
});

test("submitAndPoll can be aborted during the submission, which gets 5 seconds for its response", async () => {
  const controller = new AbortController();
  const { settled, polls } = start([], { submission: silent, signal: controller.signal });
  await passTime(500);
  controller.abort("enough");
  await vi.runAllTimersAsync();
  expect(settled).toMatchObject({ at: 5_500, error: { name: "AbortError", cause: "enough" } });
  expect(settled.error).toMatchObject({ outcome: "unknown", path: "/v1/jobs" });
  expect(polls).toEqual([0]);
});
