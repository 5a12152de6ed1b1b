import { createWaker, pollJob, pollJobs } from "adgen-sdk";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  createScriptedClient,
  late,
  refused,
  seen,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

const slow = { intervalMs: 60_000, maxIntervalMs: 60_000 };

describe("a wake", () => {
  test("makes the wait poll at once", async () => {
    const { client, polls, now } = createScriptedClient([seen("processing"), seen("completed")]);
    const waker = createWaker();
    const settled = watchPromise(pollJob(client, "job_1", { ...slow, waker }), now);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(waker.wake("job_1")).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(polls).toEqual([0, 5_000]);
    expect(settled.value).toMatchObject({ status: "completed" });
    expect(waker.wake({ job_id: "job_1" })).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that proves to be early costs one poll, and changes nothing else", async () => {
    const { client, polls } = createScriptedClient([seen("processing")]);
    const waker = createWaker();
    void pollJob(client, "job_1", { ...slow, waker, timeoutMs: 130_000 }).catch(() => {});
    await vi.advanceTimersByTimeAsync(10_000);
    waker.wake("job_1");
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 10_000, 70_000, 130_000]);
  });

  test("during a poll makes one more after it, and a flood of wakes one each 100 ms", async () => {
    const { client, polls } = createScriptedClient([late(30, seen("processing"))]);
    const waker = createWaker();
    void pollJob(client, "job_1", { ...slow, waker, timeoutMs: 59_000 }).catch(() => {});
    for (let ms = 0; ms < 1_000; ms += 10) {
      waker.wake("job_1");
      await vi.advanceTimersByTimeAsync(10);
    }
    // Each poll takes 30 ms, and 100 ms lie between two of them.
    expect(polls).toEqual([0, 130, 260, 390, 520, 650, 780, 910]);
    await vi.runAllTimersAsync();
  });

  test("before the wait began counts for a minute", async () => {
    const waker = createWaker();
    const { client, polls, now } = createScriptedClient([seen("processing"), seen("completed")]);
    expect(waker.wake("job_1")).toBe(false);
    await vi.advanceTimersByTimeAsync(59_000);
    const settled = watchPromise(pollJob(client, "job_1", { ...slow, waker }), now);
    await vi.advanceTimersByTimeAsync(1);
    expect(polls).toEqual([59_000]);
    await vi.runAllTimersAsync();
    expect(settled.value).toMatchObject({ status: "completed" });
  });

  test("does not shorten the wait that a 429 asks for", async () => {
    const { client, polls } = createScriptedClient([refused(429, 20), seen("completed")]);
    const waker = createWaker();
    const waited = pollJob(client, "job_1", { intervalMs: 1_000, waker });
    await vi.advanceTimersByTimeAsync(5_000);
    waker.wake("job_1");
    await vi.runAllTimersAsync();
    await waited;
    expect(polls).toEqual([0, 20_000]);
  });

  test("of another job, or of no job, wakes none", async () => {
    const { client, polls } = createScriptedClient([seen("processing")]);
    const waker = createWaker();
    void pollJobs(client, ["job_1"], { ...slow, waker, timeoutMs: 50_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    for (const other of ["job_2", undefined, {}, ""]) waker.wake(other as string);
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 50_000]);
  });
});

describe("a waker of one's own", () => {
  const bug = new Error("the broker is down");
  const fail = (): never => {
    throw bug;
  };
  /** Waits with it for a job that goes on, and gives what was printed. */
  const waitWith = async (onWake: (id: string, wake: () => void) => unknown) => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const { client, polls, now } = createScriptedClient([seen("processing")]);
    const waker = { onWake, wake: () => false } as unknown as ReturnType<typeof createWaker>;
    const options = { ...slow, waker, timeoutMs: 70_000 };
    const settled = watchPromise(pollJob(client, "job_1", options), now);
    await vi.runAllTimersAsync();
    return { settled, polls, printed: print.mock.calls };
  };

  test("that gives no function shortens the wait, which then ends as ever", async () => {
    const wakes: (() => void)[] = [];
    const waited = await waitWith((_, wake) => {
      wakes.push(wake);
      setTimeout(wake, 5_000);
      return {}; // as `emitter.on` gives the emitter
    });
    expect(waited.settled).toMatchObject({ at: 70_000, error: { code: "poll_timeout" } });
    expect(waited.polls).toEqual([0, 5_000, 65_000, 70_000]);
    expect(waited.printed).toEqual([
      [
        "adgen-sdk: waker.onWake failed",
        new TypeError("it must give a function that ends it, got an object"),
      ],
    ]);
    wakes[0]?.();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that throws is printed, and the wait goes on", async () => {
    const { settled, polls, printed } = await waitWith(fail);
    expect(settled).toMatchObject({ at: 70_000, error: { code: "poll_timeout" } });
    expect(polls).toEqual([0, 60_000, 70_000]);
    expect(printed).toEqual([["adgen-sdk: waker.onWake failed", bug]]);
  });

  test("that throws at the end is printed, and the wait ends", async () => {
    const { settled, printed } = await waitWith(() => fail);
    expect(settled).toMatchObject({ at: 70_000, error: { code: "poll_timeout" } });
    expect(printed).toEqual([["adgen-sdk: the function of waker.onWake failed", bug]]);
  });
});

describe("a page", () => {
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });

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
  ])("that %s has its waits poll at once", async (_, target, name) => {
    const { client, polls } = createScriptedClient([seen("processing")], {
      allowBrowserKey: true,
    });
    void pollJob(client, "job_1", { ...slow, timeoutMs: 59_000 }).catch(() => {});
    await vi.advanceTimersByTimeAsync(500);
    target.dispatchEvent(new Event(name));
    await vi.advanceTimersByTimeAsync(4_500);
    target.dispatchEvent(new Event(name));
    target.dispatchEvent(new Event(name));
    await vi.runAllTimersAsync();
    // Half a second after a poll there is nothing to poll at.
    expect(polls).toEqual([0, 5_000, 59_000]);
    target.dispatchEvent(new Event(name));
    await vi.runAllTimersAsync();
    expect(polls).toHaveLength(3);
  });

  test("that is shown again has many waits share a list", async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `job_${index}`);
    const paths: string[] = [];
    const { client } = createScriptedClient(
      [
        ({ url }) => {
          const { pathname } = new URL(url);
          paths.push(pathname);
          const job = { job_id: pathname.slice(9), status: "processing" };
          const jobs = ids.map((job_id) => ({ job_id, status: "processing" }));
          const data = pathname === "/v1/jobs" ? { jobs } : job;
          return Response.json({ success: true, data, error: null });
        },
      ],
      { allowBrowserKey: true },
    );
    const all = pollJobs(client, ids, { ...slow, timeoutMs: 59_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(paths.filter((path) => path === "/v1/jobs")).toHaveLength(2);
    // One confirms the list.
    expect(paths.length).toBeLessThanOrEqual(3);
    await vi.runAllTimersAsync();
    await all;
  });

  test("that is hidden lets its waits be", async () => {
    const { client, polls } = createScriptedClient([seen("processing")], {
      allowBrowserKey: true,
    });
    void pollJob(client, "job_1", { ...slow, timeoutMs: 59_000 }).catch(() => {});
    await vi.advanceTimersByTimeAsync(5_000);
    document.visibilityState = "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
    document.visibilityState = "visible";
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 59_000]);
  });
});
