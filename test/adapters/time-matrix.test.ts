/** The client waits for the mock's jobs: every way to make time pass, through every adapter. */

import { createClient, type Job, pollJob } from "adgen-sdk";
import { createMockService, type MockService, type MockServiceOptions } from "adgen-sdk/mocks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Adapter, adapterNames, adapters } from "../helpers/adapters.ts";
import { expectNoTimers } from "../helpers/faked-time.ts";

const realNow = performance.now.bind(performance);
const realTimer = setTimeout;
const realWait = (ms: number): Promise<void> => new Promise((resolve) => realTimer(resolve, ms));

const stops: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0)) await stop();
});

const begin = async (adapter: Adapter, options: MockServiceOptions = {}) => {
  const service = createMockService(options);
  const { close, ...reached } = await adapters[adapter](service);
  stops.push(close);
  const client = createClient({ ...reached, apiKey: "test-key" });
  await client.brands.list(); // The first request of a adapter loads things.
  return { service, client };
};

const ad = { action: "generate-ad", prompt: "Lemonade" } as const;
const timeline = { queuedMs: 1_000, processingMs: 2_000 };

/** Lets fake time pass in small steps, and real input and output happen in between. */
const inSteps = async (pending: Promise<Job>): Promise<Job> => {
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

/** Lets fake time pass in the same way once the job has been polled and its wait stands still. */
const afterStandstill = async (pending: Promise<Job>, service: MockService): Promise<Job> => {
  const onEnd = vi.fn();
  const watched = pending.finally(onEnd);
  while (service.journal.find({ operation: "jobs.get" }).length === 0) await realWait(1);
  await realWait(20);
  expect(onEnd).not.toHaveBeenCalled();
  return inSteps(watched);
};

/** Span in milliseconds: the least, and the limit that is never reached. */
type Span = readonly [number, number];

/** A way to make time pass, and what a job takes then by the fake clock and by the real one. */
interface Way {
  readonly timeline?: MockServiceOptions["timeline"] & object;
  readonly fake?: () => unknown;
  readonly drive?: typeof afterStandstill;
  readonly fakeMs?: Span;
  readonly realMs: Span;
}

const fakeDate = () => vi.useFakeTimers({ toFake: ["Date"] });
const fakeAll = () => vi.useFakeTimers();
const nextTimerAsync = () => vi.useFakeTimers().setTimerTickMode("nextTimerAsync");

const ways: Readonly<Record<string, Way>> = {
  "no settings": { realMs: [0, 900] },
  "Date faked": { fake: fakeDate, fakeMs: [0, 1], realMs: [0, 900] },
  "fake timers that are advanced": {
    ...{ fake: fakeAll, drive: inSteps, fakeMs: [0, 5_000], realMs: [0, 2_000] },
  },
  "a timeline, and fake timers that are advanced": {
    ...{ timeline, fake: fakeAll, drive: afterStandstill },
    ...{ fakeMs: [3_000, 8_000], realMs: [0, 4_000] },
  },
  "a timeline in real time, in the whole seconds of Retry-After": {
    ...{ timeline: { queuedMs: 0, processingMs: 900 }, realMs: [990, 1_900] },
  },
  nextTimerAsync: { fake: nextTimerAsync, fakeMs: [0, 1], realMs: [0, 1_000] },
  "a timeline, and nextTimerAsync": {
    ...{ timeline, fake: nextTimerAsync, fakeMs: [3_000, 3_001], realMs: [0, 1_000] },
  },
};

/** Plays before a test fails as too slow: a wait is slow in each play, a busy machine is not. */
const maxPlays = 20;

const isSlower = (ms: number, [, below]: Span): boolean => ms >= below;

const expectWithin = (ms: number, [min, below]: Span): void => {
  expect(ms).toBeGreaterThanOrEqual(min);
  expect(ms).toBeLessThan(below);
};

describe.each(adapterNames)("a job seen through %s", (adapter) => {
  test.each(
    // Over sockets, a call times out under nextTimerAsync, as a test below shows.
    Object.entries(ways).filter(([name]) => adapter !== "HTTP" || !name.includes("nextTimerAsync")),
  )("completes with %s", async (_, way) => {
    const { client, service } = await begin(adapter, way.timeline && { timeline: way.timeline });
    way.fake?.();
    const seen: string[] = [];
    const onUpdate = ({ status }: Job) => seen.push(status);
    const submitAndPoll = async () => pollJob(client, await client.jobs.submit(ad), { onUpdate });
    const queued = way.timeline === timeline ? ["queued"] : [];
    const expected = [...queued, "processing", "completed"];
    const { realMs, fakeMs = [0, Number.POSITIVE_INFINITY] } = way;
    const play = async () => {
      const [fakeStart, realStart] = [Date.now(), realNow()];
      const pending = submitAndPoll();
      expect((await (way.drive?.(pending, service) ?? pending)).status).toBe("completed");
      const took = { fake: Date.now() - fakeStart, real: realNow() - realStart };
      const states = seen.splice(0);
      polls += states.length;
      // On a busy machine, the job may be over before the first poll: play again.
      if (states.length < expected.length) return { ...took, real: Number.POSITIVE_INFINITY };
      expect(states).toEqual(expected);
      return took;
    };
    let polls = 0;
    let took = await play();
    for (let plays = 1; plays < maxPlays; plays++) {
      if (!isSlower(took.real, realMs) && !isSlower(took.fake, fakeMs)) break;
      took = await play();
    }
    expectWithin(took.real, realMs);
    expectWithin(took.fake, fakeMs);
    service.journal.assertCount(polls, { operation: "jobs.get" });
  });
});

test.each([
  ["per-poll", 0],
  [timeline, 3_000],
] as const)(
  "a job of service.fetch takes a single advance, and leaves no timer: %j",
  async (given, fakeMs) => {
    const { client } = await begin("service.fetch", { timeline: given });
    vi.useFakeTimers();
    const started = Date.now();
    const pending = client.jobs.submitAndPoll(ad).then((job) => [job.status, Date.now() - started]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await pending).toEqual(["completed", fakeMs]);
    await expectNoTimers();
  },
);

test("a call over HTTP is given up with nextTimerAsync: its time is over before a socket answers", async () => {
  const { client } = await begin("HTTP");
  nextTimerAsync();
  await expect(client.jobs.submit(ad)).rejects.toMatchObject({ code: "timeout" });
});
