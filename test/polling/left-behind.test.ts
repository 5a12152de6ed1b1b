import { getEventListeners } from "node:events";
import { pollJob, watchJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import {
  createScriptedClient,
  seen,
  silent,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

// A timer of an earlier file's connection may be among them, once.
describe("no timer and no listener is left", { retry: 3 }, () => {
  test.each([
    ["a poll", [silent], 500],
    ["a sleep", [seen("processing")], 500],
    ["a later poll", [seen("processing"), silent], 1_500],
  ])("by an abort during %s", async (_, script, abortAtMs) => {
    const { client, now } = createScriptedClient(script);
    const controller = new AbortController();
    const { signal } = controller;
    const settled = watchPromise(pollJob(client, "job_1", { intervalMs: 1_000, signal }), now);
    await vi.advanceTimersByTimeAsync(abortAtMs);
    controller.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toMatchObject({
      at: abortAtMs,
      error: { name: "AbortError", code: "aborted" },
    });
    expect(settled.error.elapsedMs).toBe(abortAtMs);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("by a wait that ends well, on a signal that lives on", async () => {
    const { client, now } = createScriptedClient([seen("queued"), seen("failed")]);
    const { signal } = new AbortController();
    const settled = watchPromise(pollJob(client, "job_1", { intervalMs: 1_000, signal }), now);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(settled.value).toMatchObject({ status: "failed" });
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("by a wait that gives up", async () => {
    const { client, now } = createScriptedClient([silent]);
    const { signal } = new AbortController();
    const settled = watchPromise(pollJob(client, "job_1", { signal, timeoutMs: 4_000 }), now);
    await vi.advanceTimersByTimeAsync(5_100);
    expect(settled.error).toMatchObject({ name: "PollTimeoutError" });
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("by who leaves the loop over a watch", async () => {
    const { client, polls } = createScriptedClient([seen("queued")]);
    const { signal } = new AbortController();
    const watch = async () => {
      for await (const _ of watchJob(client, "job_1", { intervalMs: 1_000, signal })) {
        if (polls.length === 2) break;
      }
    };
    const settled = watchPromise(watch(), () => 0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(settled.at).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(polls).toEqual([0, 1_000]);
  });

  test("by a watch that is never iterated", async () => {
    const { client, polls } = createScriptedClient([seen("queued")]);
    watchJob(client, "job_1");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(polls).toEqual([]);
  });
});
