/** The client waits for the mock's jobs: every way to make time pass, through every face. */
import { type AdGenClient, createClient, type Job, pollJob } from "adgen-sdk";
import {
  createManualClock,
  createMockService,
  type MockService,
  type MockServiceOptions,
} from "adgen-sdk/mocks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Face, faceNames, faces } from "../helpers/faces.ts";

const realNow = performance.now.bind(performance);
const realTimer = setTimeout;
const realWait = (ms: number): Promise<void> => new Promise((resolve) => realTimer(resolve, ms));

const stops: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0)) await stop();
});

const begin = async (
  face: Face,
  options: MockServiceOptions,
): Promise<{ service: MockService; client: AdGenClient }> => {
  const service = createMockService(options);
  const { close, ...reached } = await faces[face](service);
  stops.push(close);
  const client = createClient({ ...reached, apiKey: "test-key" });
  await client.brands.list(); // The first request of a face loads things.
  return { service, client };
};

const ad = { action: "generate-ad", prompt: "Lemonade" } as const;
/** Less than the shortest wait there could be: a second. */
const noWaitMs = 900;
const timeline = { queuedMs: 1_000, processingMs: 2_000 };

/** Lets fake time pass in small steps, and real input and output happen in between. */
const advanceUntilSettled = async <T>(pending: Promise<T>): Promise<T> => {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  pending.then(settle, settle);
  while (!isSettled) {
    await vi.advanceTimersByTimeAsync(20);
    await realWait(0);
  }
  return pending;
};

/** The status at the end, and what it took. */
const play = async (
  client: AdGenClient,
  drive: (pending: Promise<Job>) => Promise<Job> = (pending) => pending,
): Promise<{ status: string; fakeMs: number; realMs: number; seen: string[] }> => {
  const [fakeStart, realStart] = [Date.now(), realNow()];
  const seen: string[] = [];
  const submitAndPoll = async (): Promise<Job> => {
    const job = await client.jobs.submit(ad);
    return pollJob(client, job, { onUpdate: ({ status }) => seen.push(status) });
  };
  const { status } = await drive(submitAndPoll());
  return { status, fakeMs: Date.now() - fakeStart, realMs: realNow() - realStart, seen };
};

const expectBetween = (value: number, least: number, most: number): void => {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThan(most);
};

describe.each(faceNames)("a job seen through %s", (face) => {
  test("is done within milliseconds, with no settings", async () => {
    const { client, service } = await begin(face, {});
    const times: number[] = [];
    // The quickest of three: a machine under load is not a wait.
    while (times.length < 3) {
      const { status, realMs, seen } = await play(client);
      expect([status, seen]).toEqual(["completed", ["processing", "completed"]]);
      times.push(realMs);
    }
    expect(Math.min(...times)).toBeLessThan(250);
    service.journal.assertCount(6, { operation: "jobs.get" });
  });

  test.each([
    ["while Date is faked", { toFake: ["Date" as const] }, (job: Promise<Job>) => job],
    ["under fake timers that are advanced", {}, advanceUntilSettled],
  ])("moves on with each poll %s", async (_, faked, drive) => {
    const { client } = await begin(face, {});
    vi.useFakeTimers(faked);
    const { status, fakeMs, realMs, seen } = await play(client, drive);
    expect([status, seen]).toEqual(["completed", ["processing", "completed"]]);
    expectBetween(fakeMs, 0, "toFake" in faked ? 1 : 5_000);
    expect(realMs).toBeLessThan("toFake" in faked ? noWaitMs : 2_000);
  });

  test("waits for fake timers, and takes its time by a timeline when they are advanced", async () => {
    const { client, service } = await begin(face, { timeline });
    vi.useFakeTimers();
    let isSettled = false;
    const { status, fakeMs, realMs, seen } = await play(client, async (pending) => {
      const watched = pending.finally(() => (isSettled = true));
      while (service.journal.find({ operation: "jobs.get" }).length === 0) await realWait(1);
      await realWait(20);
      expect(isSettled).toBe(false);
      return advanceUntilSettled(watched);
    });
    expect([status, seen]).toEqual(["completed", ["queued", "processing", "completed"]]);
    expectBetween(fakeMs, 3_000, 8_000);
    expect(realMs).toBeLessThan(4_000);
  });

  test("is done when a manual clock is advanced before the wait", async () => {
    const clock = createManualClock();
    const { client, service } = await begin(face, { timeline, clock });
    const job = await client.jobs.submit(ad);
    clock.advance(1_000);
    service.clock.advance(1_999);
    expect(await client.jobs.get(job)).toMatchObject({ status: "processing" });
    service.account("test-key").clock.advance(1);
    const start = realNow();
    expect(await pollJob(client, job)).toMatchObject({ status: "completed" });
    expect(realNow() - start).toBeLessThan(noWaitMs);
  });

  test("takes its time in real time, in the whole seconds of Retry-After", async () => {
    const { client } = await begin(face, { timeline: { queuedMs: 0, processingMs: 100 } });
    const { status, realMs, seen } = await play(client);
    expect([status, seen]).toEqual(["completed", ["processing", "completed"]]);
    expectBetween(realMs, 990, 1_900);
  });

  test("expires 30 minutes after its submission, when Date is set on", async () => {
    const { client } = await begin(face, { timeline: { ...timeline, processingMs: Infinity } });
    vi.useFakeTimers({ toFake: ["Date"] });
    const job = await client.jobs.submit(ad);
    vi.setSystemTime(Date.now() + 30 * 60_000 - 1);
    expect(await client.jobs.get(job)).toMatchObject({ status: "processing" });
    vi.setSystemTime(Date.now() + 1);
    expect(await pollJob(client, job)).toMatchObject({ status: "failed", error: "Job expired" });
  });
});

describe.each(["service.fetch", "msw/node"] as const)("a job seen through %s", (face) => {
  test.each([
    ["per-poll", 0],
    [timeline, 3_000],
  ] as const)("takes no real time with nextTimerAsync: %j", async (given, fakeMs) => {
    const { client } = await begin(face, { timeline: given });
    vi.useFakeTimers().setTimerTickMode("nextTimerAsync");
    const played = await play(client);
    expect(played).toMatchObject({ status: "completed", fakeMs });
    expect(played.realMs).toBeLessThan(1_000);
  });

  test("expires after 30 minutes of nextTimerAsync", async () => {
    const { client } = await begin(face, { timeline: { ...timeline, processingMs: Infinity } });
    vi.useFakeTimers().setTimerTickMode("nextTimerAsync");
    const [fakeStart, realStart] = [Date.now(), realNow()];
    // Looks are at most 60 seconds apart, jitter included: one falls into the 31st minute.
    const finished = await client.jobs.submitAndPoll(ad, {
      intervalMs: 50_000,
      maxIntervalMs: 50_000,
    });
    expect(finished).toMatchObject({ status: "failed", error: "Job expired" });
    expectBetween(Date.now() - fakeStart, 30 * 60_000, 31 * 60_000);
    expect(realNow() - realStart).toBeLessThan(4_000);
  });
});

describe("a job seen through service.fetch", () => {
  test.each([
    ["per-poll", 0],
    [timeline, 3_000],
  ] as const)("takes a single advance, and leaves no timer: %j", async (given, fakeMs) => {
    const { client } = await begin("service.fetch", { timeline: given });
    vi.useFakeTimers();
    const started = Date.now();
    const pending = client.jobs.submitAndPoll(ad).then((job) => [job.status, Date.now() - started]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await pending).toEqual(["completed", fakeMs]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a job seen through HTTP", () => {
  test("is given up with nextTimerAsync: the call's time is over before a socket can answer", async () => {
    const { client } = await begin("HTTP", {});
    vi.useFakeTimers().setTimerTickMode("nextTimerAsync");
    await expect(client.jobs.submit(ad)).rejects.toMatchObject({ code: "timeout" });
  });
});
