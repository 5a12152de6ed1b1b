import { createLearnedDurations, pollJob, type WaitProgress, watchJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { useFakedTime } from "../helpers/faked-time.ts";
import { createFakeService, passTime } from "./fake-service.ts";
import { createScriptedClient, play, refused, seen, start, teach } from "./scripted-client.ts";
import { ways } from "./ways.ts";

useFakedTime();

/** Collects what `onUpdate` is told of the progress. */
const collect = () => {
  const told: WaitProgress[] = [];
  return { told, onUpdate: (_: unknown, progress: WaitProgress) => void told.push(progress) };
};

describe.each([
  ["pollJob", ways.pollJob],
  ["pollOnce", ways.pollOnce],
])("onUpdate of %s", (_, wait) => {
  const job = { job_id: "job_1", action: "generate-ad" } as const;
  const pace = { intervalMs: 5_000, maxIntervalMs: 5_000, timeoutMs: 118_000 };

  test("tells time, polls, and when the next poll comes", async () => {
    const { told, onUpdate } = collect();
    await play(["queued", 503, seen("processing", 7), "completed"], { wait, onUpdate });
    expect(told).toEqual([
      { elapsedMs: 0, polls: 1, nextPollInMs: 1_000, estimate: undefined },
      { elapsedMs: 2_500, polls: 3, nextPollInMs: 7_000, estimate: undefined },
      { elapsedMs: 9_500, polls: 4, estimate: { expectedMs: 9_500, percent: 100 } },
    ]);
  });

  test("estimates from the jobs before, and never reaches 100 before the end", async () => {
    const { told, onUpdate } = collect();
    const durations = teach(createLearnedDurations(), 30, 20_000);
    await play(["processing"], { ...pace, wait, job, onUpdate, client: { durations } });
    const percents = told.map(({ estimate }) => estimate?.percent ?? Number.NaN);
    expect(told[0]?.estimate?.expectedMs).toBeGreaterThan(17_000);
    expect(told[0]?.estimate?.expectedMs).toBeLessThan(23_000);
    expect(told[0]?.estimate?.expectedMs).toSatisfy(Number.isInteger);
    // At once, after 10 s and after a minute.
    expect(percents[0]).toBe(0);
    expect(percents[2]).toBeGreaterThan(40);
    expect(percents[2]).toBeLessThan(60);
    expect(percents[12]).toBeGreaterThan(90);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    expect(Math.max(...percents)).toBeLessThan(100);
    // The deadline is the next poll where it comes first.
    expect(told.at(-2)).toMatchObject({ elapsedMs: 115_000, nextPollInMs: 3_000 });
  });

  test("counts with expectedMs for the first job of an action, and then with what it saw", async () => {
    const first = collect();
    const options = { ...pace, wait, job, expectedMs: 60_000 };
    await play(["processing"], { ...options, onUpdate: first.onUpdate });
    expect(first.told[0]?.estimate).toEqual({ expectedMs: 60_000, percent: 0 });
    expect(first.told[3]).toMatchObject({
      elapsedMs: 15_000,
      estimate: { expectedMs: 60_000, percent: 25 },
    });
    expect(first.told.at(-2)?.estimate).toEqual({ expectedMs: 115_000, percent: 99 });

    const second = collect();
    const durations = teach(createLearnedDurations(), 1, 30_000);
    await play(["processing"], { ...options, onUpdate: second.onUpdate, client: { durations } });
    expect(second.told[3]?.estimate?.percent).toBeGreaterThan(45);
  });

  test("never takes a percent back that it has told, whatever other jobs teach", async () => {
    const { told, onUpdate } = collect();
    const durations = teach(createLearnedDurations(), 1, 9_500);
    start(["processing"], { ...pace, wait, job, onUpdate, client: { durations } });
    await passTime(12_000);
    teach(durations, 30, 110_000);
    await vi.runAllTimersAsync();
    const percents = told.map(({ estimate }) => estimate?.percent ?? Number.NaN);
    expect(percents[2]).toBeGreaterThan(50);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
  });
});

describe("watchJob has its progress at hand", () => {
  test("between two steps, and after the end", async () => {
    const { client } = createScriptedClient(["queued", "completed"]);
    const watch = watchJob(client, "job_1", { intervalMs: 1_000 });
    expect(watch.progress).toBeUndefined();
    await watch.next();
    await passTime(400);
    expect(watch.progress).toMatchObject({ elapsedMs: 400, polls: 1, nextPollInMs: 600 });
    const last = watch.next();
    await passTime(600);
    await last;
    await passTime(5_000);
    const estimate = { expectedMs: 1_000, percent: 100 };
    expect(watch.progress).toEqual({ elapsedMs: 1_000, polls: 2, estimate });
  });

  test("also where the 429 of another wait holds it up", async () => {
    const answerOf = ({ id }: { id: string }) => (id === "other" ? refused(429, 60) : "queued");
    const { client } = createFakeService(0, { answerOf });
    const watch = watchJob(client, "job_1", { intervalMs: 1_000 });
    void watch.next().then(() => watch.next());
    pollJob(client, "other", { timeoutMs: 100 }).catch(() => {});
    await passTime(1_000);
    expect(watch.progress?.nextPollInMs).toBeGreaterThan(50_000);
    await watch.return();
  });
});
