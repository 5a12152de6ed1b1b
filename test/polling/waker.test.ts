import { createLearnedDurations, createWaker, pollJob, type Waker } from "adgen-sdk";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { paidJob } from "../helpers/client.ts";
import { expectNoTimers, useFakedTime } from "../helpers/faked-time.ts";
import { createFakeService, passTime } from "./fake-service.ts";
import {
  createScriptedClient,
  late,
  type PlayOptions,
  refused,
  type Step,
  start,
  submitted,
  teach,
} from "./scripted-client.ts";

useFakedTime();

const slow = { intervalMs: 60_000, maxIntervalMs: 60_000 };

/** Waits slowly, and with a waker. */
const startWith = (script: readonly Step[], options: PlayOptions = {}) => {
  const waker = createWaker();
  return { waker, ...start(script, { ...slow, waker, ...options }) };
};

describe("a wake", () => {
  test("makes its own wait poll at once; one that is early costs a poll, and changes nothing", async () => {
    const { waker, polls, settled } = startWith(["processing", "processing", "completed"]);
    await passTime(4_000);
    for (const other of ["job_2", undefined, {}, ""]) waker.wake(other as string);
    await passTime(1_000);
    expect(waker.wake("job_1")).toBe(true);
    await passTime(1);
    expect(polls).toEqual([0, 5_000]);
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 5_000, 65_000]);
    expect(settled.value).toMatchObject({ status: "completed" });
    expect(waker.wake({ job_id: "job_1" })).toBe(false);
    await expectNoTimers();
  });

  test("during a poll makes one more after it, and a flood of wakes one each 100 ms", async () => {
    const { waker, polls } = startWith([late(30, "processing")], { timeoutMs: 59_000 });
    for (let ms = 0; ms < 1_000; ms += 10) {
      waker.wake("job_1");
      await passTime(10);
    }
    // Each poll takes 30 ms, and 100 ms lie between two of them.
    expect(polls).toEqual([0, 130, 260, 390, 520, 650, 780, 910]);
    await vi.runAllTimersAsync();
  });

  test.each([
    ["59 s before the wait began counts", 59_000, 59_000],
    ["61 s before the wait began does not count", 61_000, 1_100_000],
  ])("%s", async (_, ms, leastMs) => {
    const durations = teach(createLearnedDurations(), 60, 1_200_000);
    const { client, polls } = createScriptedClient([submitted(), "completed"], { durations });
    const job = await client.jobs.submit(paidJob);
    const waker = createWaker();
    expect(waker.wake(job)).toBe(false);
    await passTime(ms);
    void pollJob(client, job, { waker });
    await vi.runAllTimersAsync();
    expect(polls[1]).toBeGreaterThanOrEqual(leastMs);
    expect(polls[1]).toBeLessThan(1.2 * leastMs);
  });

  test("is remembered for the last 1,000 jobs that nobody waits for", () => {
    const waker = createWaker();
    for (let number = 0; number <= 1_000; number++) waker.wake(`job_${number}`);
    const heard: string[] = [];
    for (const id of ["job_0", "job_1"]) waker.onWake(id, () => heard.push(id));
    expect(heard).toEqual(["job_1"]);
  });

  test("does not shorten the wait that a 429 asks for", async () => {
    const { waker, polls } = startWith([refused(429, 20), "completed"], { intervalMs: 1_000 });
    await passTime(5_000);
    waker.wake("job_1");
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 20_000]);
  });
});

describe("a waker of one's own", () => {
  const bug = new Error("the broker is down");
  const fail = (): never => {
    throw bug;
  };
  const noFunction = new TypeError("it must give a function that ends it, got an object");
  const giveEmitter: Waker["onWake"] = (_, wake) => {
    setTimeout(wake, 5_000);
    return {} as never; // as `emitter.on` gives the emitter
  };

  test.each<[string, Waker["onWake"], readonly number[], string, Error]>([
    ["gives no function", giveEmitter, [0, 5_000, 65_000, 70_000], "waker.onWake", noFunction],
    ["throws", fail, [0, 60_000, 70_000], "waker.onWake", bug],
    ["throws in the end", () => fail, [0, 60_000, 70_000], "the function of waker.onWake", bug],
  ])("that %s is printed, and the wait ends as ever", async (_, onWake, expected, what, error) => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const waker: Waker = { onWake: vi.fn(onWake), wake: () => false };
    const { settled, polls } = start(["processing"], { ...slow, waker, timeoutMs: 70_000 });
    await vi.runAllTimersAsync();
    expect(polls).toEqual(expected);
    expect(settled).toMatchObject({ at: 70_000, error: { code: "poll_timeout" } });
    expect(print.mock.calls).toEqual([[`adgen-sdk: ${what} failed`, error]]);
    // A wake after the end does nothing.
    vi.mocked(waker.onWake).mock.calls[0]?.[1]();
    await expectNoTimers();
  });
});

describe("a page", () => {
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const onPage = { ...slow, timeoutMs: 59_000, client: { allowBrowserKey: true } };

  beforeEach(() => {
    vi.stubGlobal("document", document);
    vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
    vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
    return () => vi.unstubAllGlobals();
  });

  test.each([
    ["is shown again", document, "visibilitychange"],
    ["is resumed", document, "resume"],
    ["comes out of the cache", page, "pageshow"],
    ["is back on the network", page, "online"],
  ])("that %s has its waits poll at once, and not where it is hidden", async (_, target, name) => {
    const { polls } = start(["processing"], onPage);
    await passTime(500);
    target.dispatchEvent(new Event(name));
    await passTime(2_000);
    document.visibilityState = "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
    document.visibilityState = "visible";
    await passTime(2_500);
    target.dispatchEvent(new Event(name));
    target.dispatchEvent(new Event(name));
    await vi.runAllTimersAsync();
    // Half a second after a poll there is no need of another.
    expect(polls).toEqual([0, 5_000, 59_000]);
    target.dispatchEvent(new Event(name));
    await vi.runAllTimersAsync();
    expect(polls).toHaveLength(3);
  });

  test("that is shown again has many waits share a list", async () => {
    // One of them has ended before.
    const endOf = (index: number) => (index === 0 ? 0 : Number.POSITIVE_INFINITY);
    const service = createFakeService(20, { endOf, allowBrowserKey: true, latencyMs: 0 });
    service.pollAll({ ...slow, timeoutMs: 59_000 });
    await passTime(5_000);
    document.dispatchEvent(new Event("visibilitychange"));
    await passTime(5_000);
    expect(service.lists()).toHaveLength(2);
    // One shows the end, and others confirm the list: each wait does so once in 8 s.
    expect(service.singles().length).toBeLessThanOrEqual(1 + (20 * 5) / 8);
    await vi.runAllTimersAsync();
  });
});
