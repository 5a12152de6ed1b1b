import { pollJob } from "adgen-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { block } from "../helpers/block.ts";
import { job, startJobService } from "./job-service.ts";
import { createScriptedClient, seen, watchPromise } from "./scripted-client.ts";

afterEach(() => void vi.useRealTimers());

const hourMs = 3_600_000;
const forced = { intervalMs: 1_000 };

describe("a step of the wall clock", () => {
  test.each([
    ["forward by hours", 5 * hourMs],
    ["back by hours", -5 * hourMs],
    ["to 1970", -Date.now()],
  ])("%s changes nothing", async (_, stepMs) => {
    vi.useFakeTimers();
    const { client, polls, now } = createScriptedClient([seen("processing")]);
    const settled = watchPromise(pollJob(client, "job_1", { ...forced, timeoutMs: 9_000 }), now);
    await vi.advanceTimersByTimeAsync(1_500);
    vi.setSystemTime(Date.now() + stepMs);
    await vi.advanceTimersByTimeAsync(1_500);
    vi.setSystemTime(Date.now() - stepMs);
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 1_000, 2_500, 4_750, 8_125, 9_000]);
    expect(settled.at).toBe(9_000);
    expect(settled.error).toMatchObject({ code: "poll_timeout", elapsedMs: 9_000 });
  });
});

describe("faked timers", () => {
  const byDate = () => Date.now();

  test("that leave performance alone reach the deadline by the sum of the sleeps", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { client, polls, now } = createScriptedClient([seen("processing")], {}, byDate);
    const settled = watchPromise(pollJob(client, "job_1", { ...forced, timeoutMs: 5_000 }), now);
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 1_000, 2_500, 4_750, 5_000]);
    expect(settled.at).toBe(5_000);
    expect(settled.error).toMatchObject({ code: "poll_timeout", elapsedMs: 5_000 });
  });

  test("under which performance stands still reach the deadline too", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { client, polls, now } = createScriptedClient([seen("processing")], {}, byDate);
    vi.spyOn(performance, "now").mockReturnValue(1_234);
    const settled = watchPromise(pollJob(client, "job_1"), now);
    await vi.runAllTimersAsync();
    expect(polls.at(-1)).toBe(31 * 60_000);
    expect(settled.at).toBe(31 * 60_000);
    expect(settled.error).toMatchObject({ code: "poll_timeout", elapsedMs: 31 * 60_000 });
  });

  test("that are put in place during a wait do not make it longer", async () => {
    const { client, polls } = createScriptedClient([seen("processing")]);
    const onUpdate = vi.fn().mockImplementationOnce(() => vi.useFakeTimers());
    const waited = pollJob(client, "job_1", { ...forced, timeoutMs: 3_000, onUpdate });
    const settled = watchPromise(waited, () => 0);
    await vi.waitFor(() => expect(onUpdate).toHaveBeenCalledOnce(), 60_000);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(settled.error).toMatchObject({ code: "poll_timeout", attempts: 4 });
    expect(polls).toHaveLength(4);
  });
});

test("time in which the event loop was blocked counts", async () => {
  const { client, polls } = await startJobService(job("processing"));
  const onUpdate = () => block(450);
  const waited = pollJob(client, "job_1", { intervalMs: 10, timeoutMs: 400, onUpdate });
  const error = await waited.catch((thrown) => thrown);
  expect(error).toMatchObject({ code: "poll_timeout", attempts: 2 });
  expect(error.elapsedMs).toBeGreaterThanOrEqual(450);
  expect(polls).toHaveLength(2);
});
