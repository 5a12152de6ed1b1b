import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { stallBody, success } from "../helpers/answers.ts";
import { clientOf, pause, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { phases, play, start, useFakedTime } from "./scripted-client.ts";
import { wayNames, ways } from "./ways.ts";

const reason = new Error("somebody pressed Cancel");

/** A signal that can be aborted, and the number of its listeners. */
const createNative = () => {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = () => getEventListeners(signal, "abort").length;
  return { signal, listeners, abort: (why: unknown) => controller.abort(why) };
};

/** A signal as old polyfills make it: nothing removes its listeners. */
const createPolyfill = () => {
  const listeners: (() => void)[] = [];
  const signal = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener: (_: string, listener: () => void) => void listeners.push(listener),
  };
  const abort = (why: unknown) => {
    Object.assign(signal, { aborted: true, reason: why });
    for (const listener of listeners) listener();
  };
  return { signal: signal as unknown as AbortSignal, abort, listeners: () => 0 };
};

const signals = { "a signal": createNative, "a polyfill of a signal": createPolyfill };

/** The engines of pollOnce sleep by themselves. */
const cases = Object.entries(signals).flatMap(([kind, create]) =>
  phases.flatMap((phase) =>
    wayNames
      .filter((name) => name !== "pollOnce" || phase.phase.endsWith("poll"))
      .map((name) => ({ ...phase, kind, create, name })),
  ),
);

describe("an abort", () => {
  useFakedTime();

  test.each(cases)("of $kind ends $name at once during $phase", async (each) => {
    const { signal, abort, listeners } = each.create();
    const { polls, settled } = start(each.script, { wait: ways[each.name], signal });
    await vi.advanceTimersByTimeAsync(each.atMs);
    abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    const facts = { jobId: "job_1", attempts: each.script.length, elapsedMs: each.atMs };
    expect(settled).toMatchObject({ at: each.atMs, error: { name: "AbortError", ...facts } });
    expect(settled.error).toMatchObject({ code: "aborted" });
    expect(settled.error.cause).toBe(reason);
    expect(settled.error.lastJob?.status).toBe(each.status);
    // Nothing is left, and nothing is sent afterwards.
    expect([vi.getTimerCount(), listeners()]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(polls).toHaveLength(each.script.length);
  });

  test.each([
    ["a text", "enough", "enough"],
    ["nothing", undefined, expect.objectContaining({ name: "AbortError" })],
    ["a timeout", new DOMException("", "TimeoutError"), { name: "TimeoutError" }],
  ])("for %s gives it as the cause", async (_, why, cause) => {
    const controller = new AbortController();
    const onUpdate = () => controller.abort(why);
    const { settled } = await play(["processing"], { signal: controller.signal, onUpdate });
    expect(settled.error).toMatchObject({ name: "AbortError", code: "aborted", cause });
    expect(settled.error.message).toMatch(/^the wait for job "job_1" was aborted/);
  });
});

test.each(["pollJob", "watchJob"] as const)("an abort ends %s on a real socket", async (name) => {
  const server = await listen(success({ status: "processing" }), stallBody());
  const controller = new AbortController();
  const options = { intervalMs: 1, signal: controller.signal };
  const caught = rejection(ways[name](clientOf(server), "job_1", options));
  await expect.poll(() => server.received.length).toBe(2);
  await pause(10);
  controller.abort(reason);
  // Raced, not measured: a machine that stands still for a while delays both.
  const error = await Promise.race([caught, pause(100)]);
  expect(error).toMatchObject({ name: "AbortError", jobId: "job_1" });
  expect(error?.lastJob).toEqual({ job_id: "job_1", status: "processing" });
  expect(error?.cause).toBe(reason);
  await pause(30);
  expect(server.received).toHaveLength(2);
});
