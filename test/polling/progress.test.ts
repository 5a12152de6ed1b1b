import { pollJob, type WaitProgress, watchJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { createScriptedClient, type Poll, refused, seen, useFakedTime } from "./scripted-client.ts";

useFakedTime();

const submitted: Poll = () =>
  Response.json({ success: true, data: { job_id: "job_1", status: "queued" }, error: null });

describe("onUpdate", () => {
  test("tells time, polls, and when the next poll comes", async () => {
    const { client } = createScriptedClient([
      seen("queued"),
      refused(503),
      seen("processing", 7),
      seen("completed"),
    ]);
    const told: WaitProgress[] = [];
    const onUpdate = (_: unknown, progress: WaitProgress) => told.push(progress);
    void pollJob(client, "job_1", { intervalMs: 1_000, onUpdate });
    await vi.runAllTimersAsync();
    expect(told).toEqual([
      { elapsedMs: 0, polls: 1, nextPollInMs: 1_000, estimate: undefined },
      { elapsedMs: 2_500, polls: 3, nextPollInMs: 7_000, estimate: undefined },
      { elapsedMs: 9_500, polls: 4, estimate: { expectedMs: 9_500, percent: 100 } },
    ]);
  });

  test("tells the deadline as the next poll where that comes first", async () => {
    const { client } = createScriptedClient([seen("processing")]);
    const told: unknown[] = [];
    const onUpdate = (_: unknown, progress: WaitProgress) => told.push(progress.nextPollInMs);
    const options = { intervalMs: 1_000, timeoutMs: 600, onUpdate };
    void pollJob(client, "job_1", options).catch(() => {});
    await vi.runAllTimersAsync();
    expect(told[0]).toBe(600);
  });

  test("estimates from the jobs before, and never reaches 100 before the end", async () => {
    const { client } = createScriptedClient([submitted, seen("processing")]);
    for (let job = 0; job < 30; job++) {
      client.jobs.durations.add("generate-ad", { afterMs: 19_000, byMs: 20_000 });
    }
    const told: WaitProgress[] = [];
    const onUpdate = (_: unknown, progress: WaitProgress) => told.push(progress);
    const options = { intervalMs: 5_000, maxIntervalMs: 5_000, timeoutMs: 120_000, onUpdate };
    void client.jobs.submitAndPoll({ action: "generate-ad" }, options).catch(() => {});
    await vi.runAllTimersAsync();
    const percents = told.map(({ estimate }) => estimate?.percent ?? Number.NaN);
    expect(told[0]?.estimate?.expectedMs).toBeGreaterThan(15_000);
    expect(told[0]?.estimate?.expectedMs).toBeLessThan(25_000);
    expect(told[0]?.estimate?.expectedMs).toSatisfy(Number.isInteger);
    expect(percents[0]).toBeLessThan(10);
    expect(percents[2]).toBeGreaterThan(30);
    expect(percents.every((percent, at) => percent >= (percents[at - 1] ?? 0))).toBe(true);
    expect(Math.max(...percents)).toBeLessThan(100);
  });

  test("never takes a percent back that it has told, whatever other jobs teach", async () => {
    const { client } = createScriptedClient([submitted, seen("processing")]);
    client.jobs.durations.add("generate-ad", { afterMs: 9_000, byMs: 9_500 });
    const percents: unknown[] = [];
    const onUpdate = (_: unknown, { estimate }: WaitProgress) => percents.push(estimate?.percent);
    const options = { intervalMs: 5_000, maxIntervalMs: 5_000, timeoutMs: 30_000, onUpdate };
    const wait = client.jobs.submitAndPoll({ action: "generate-ad" }, options);
    wait.catch(() => {});
    await vi.advanceTimersByTimeAsync(12_000);
    for (let job = 0; job < 30; job++) {
      client.jobs.durations.add("generate-ad", { afterMs: 100_000, byMs: 110_000 });
    }
    await vi.runAllTimersAsync();
    expect(percents.length).toBeGreaterThan(5);
    expect(percents).toEqual(percents.toSorted((one, other) => Number(one) - Number(other)));
  });

  test("tells the next poll after the 429 of another wait that holds it up", async () => {
    const { client } = createScriptedClient([
      (request) => (request.url.endsWith("other") ? refused(429, 60) : seen("queued"))(request),
    ]);
    const watch = watchJob(client, "job_1", { intervalMs: 1_000 });
    await watch.next();
    void watch.next();
    const other = pollJob(client, "other", { timeoutMs: 100 });
    other.catch(() => {});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watch.progress?.nextPollInMs).toBeGreaterThan(50_000);
    await watch.return();
  });
});

test("watchJob has its progress at hand", async () => {
  const { client } = createScriptedClient([seen("queued"), seen("completed")]);
  const watch = watchJob(client, "job_1", { intervalMs: 1_000 });
  expect(watch.progress).toBeUndefined();
  await watch.next();
  await vi.advanceTimersByTimeAsync(400);
  expect(watch.progress).toMatchObject({ elapsedMs: 400, polls: 1, nextPollInMs: 600 });
  const last = watch.next();
  await vi.advanceTimersByTimeAsync(600);
  await last;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(watch.progress).toEqual({
    elapsedMs: 1_000,
    polls: 2,
    estimate: { expectedMs: 1_000, percent: 100 },
  });
});

describe("a wait for a job that this client submitted", () => {
  const pollsAfterSubmission = async (
    retryAfter: string | undefined,
    options: Parameters<typeof pollJob>[2] = {},
    learn = 0,
  ) => {
    const submission: Poll = async (request) => {
      const answer = await submitted(request);
      if (retryAfter !== undefined) answer.headers.set("retry-after", retryAfter);
      return answer;
    };
    const { client, polls } = createScriptedClient([submission, seen("completed")]);
    for (let job = 0; job < learn; job++) {
      client.jobs.durations.add("generate-ad", { afterMs: 19_500, byMs: 20_000 });
    }
    void client.jobs.submitAndPoll({ action: "generate-ad" }, options);
    await vi.runAllTimersAsync();
    return polls.slice(1);
  };

  test("polls first when its submission's Retry-After says so", async () => {
    expect(await pollsAfterSubmission("0")).toEqual([0]);
    expect(await pollsAfterSubmission("4")).toEqual([4_000]);
  });

  test("polls first when jobs of its action finish, as far as that is known", async () => {
    const [cold = 0] = await pollsAfterSubmission(undefined);
    expect(cold).toBeGreaterThan(1_000);
    expect(cold).toBeLessThan(3_000);
    const [learned = 0] = await pollsAfterSubmission(undefined, {}, 60);
    expect(learned).toBeGreaterThan(19_000);
    expect(learned).toBeLessThan(24_000);
    expect(await pollsAfterSubmission(undefined, { maxIntervalMs: 5_000 }, 60)).toEqual([5_000]);
    expect(await pollsAfterSubmission(undefined, { intervalMs: 500 }, 60)).toEqual([0]);
  });

  test("teaches the next ones how long it took", async () => {
    const { client } = createScriptedClient([submitted, seen("processing"), seen("completed")]);
    void client.jobs.submitAndPoll({ action: "edit-ad" }, { intervalMs: 3_000 });
    await vi.runAllTimersAsync();
    expect(Object.keys(client.jobs.durations.toJSON().actions)).toContain("edit-ad");
  });
});
