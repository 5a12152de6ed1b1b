import { pollJob, watchJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { block } from "../helpers/block.ts";
import { pause, rejection } from "../helpers/client.ts";
import { passTime } from "./fake-service.ts";
import {
  createScriptedClient,
  offline,
  page,
  play,
  refused,
  type Step,
  silent,
  start,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

const gaveUp = { name: "PollTimeoutError", code: "poll_timeout", jobId: "job_1" };

describe("the deadline", () => {
  const failure = "last failure: GET /v1/jobs/job_1";
  const unknown = "its last status is not one that this version knows: see lastJob.status";
  const down = "got no answer: fetch failed without a reason (a 407 ends so)";
  const html = "answered 200 with text/html, not JSON (check baseUrl: ads.test)";

  test.each<[details: string, script: readonly Step[]]>([
    ['last status "processing"', ["queued", "processing"]],
    ['last status "processing"', [503, "processing"]],
    [`last status "queued"; ${failure} answered 503: says 503`, ["queued", 500, 503]],
    [`it was never seen; ${failure} answered 404: says 404`, [404]],
    [`it was never seen; ${failure} ${down}`, [offline]],
    [`it was never seen; ${failure} ${html}`, [page(200)]],
    [`it was never seen; ${failure} timed out after 500 ms (totalTimeoutMs)`, [silent]],
    [unknown, ["archived\n\u001b[31mFATAL"]],
  ])("gives an error that says: %s", async (details, script) => {
    const { settled } = await play(script, { timeoutMs: 1_200 });
    expect(settled.error.message).toBe(`job "job_1" did not finish within 1200 ms (${details})`);
    expect(settled.error.cause !== undefined).toBe(details.includes("last failure"));
    expect(settled.error.outcome).toBeUndefined();
  });

  test("quotes a long id in part, and no status of a stranger", async () => {
    const status = "archived".repeat(1_000);
    const { settled } = await play([status], { timeoutMs: 0, job: "j".repeat(256) });
    expect(settled.error.message).toMatch(/^job "j{49}…" did not finish/);
    expect(settled.error.message.length).toBeLessThan(200);
    expect(settled.error.jobId).toHaveLength(256);
    expect(settled.error.lastJob).toMatchObject({ status });
    expect(JSON.stringify(settled.error)).not.toContain("archived");
  });
});

describe("the last poll", () => {
  test.each<[string, number, readonly Step[], readonly number[], object]>([
    [
      "is the only one of a wait of no time",
      0,
      ["completed"],
      [0],
      { value: { status: "completed" } },
    ],
    [
      "is the only one of a wait of no time",
      0,
      ["queued"],
      [0],
      { error: { ...gaveUp, attempts: 1 } },
    ],
    [
      "may be as far away as a timer reaches",
      2 ** 31 - 1,
      ["queued", "completed"],
      [0, 1_000],
      { value: { status: "completed" } },
    ],
  ])("%s: %i ms, %j", async (_, timeoutMs, script, expected, end) => {
    const { polls, settled } = await play(script, { timeoutMs });
    expect(polls).toEqual(expected);
    expect(settled).toMatchObject({ at: expected.at(-1), ...end });
  });

  const silentUntil = { 0: 500, 400: 900, 4000: 5_000, 20000: 25_000, 600000: 605_000 };

  test.each(Object.entries(silentUntil))(
    "of %s ms ends by %i ms where the service is silent",
    async (time, latestMs) => {
      const timeoutMs = Number(time);
      // The client's own time for an attempt is longer than the whole wait.
      const { settled } = await play([silent], { timeoutMs, client: { timeoutMs: 3_600_000 } });
      const cause = { name: "TimeoutError", code: "timeout" };
      expect(settled.error).toMatchObject({ ...gaveUp, elapsedMs: latestMs, cause });
    },
  );

  test("has its time where the client's own time for an attempt is shorter", async () => {
    const options = { timeoutMs: 60_000, client: { timeoutMs: 20_000 } };
    const { polls, settled } = await play([silent], options);
    expect(polls).toEqual([0, 21_000, 42_500, 60_000]);
    expect(settled).toMatchObject({ at: 65_000, error: gaveUp });
  });

  test("is made for who takes long over each job, too", async () => {
    const { client, polls } = createScriptedClient(["processing"]);
    const consume = async () => {
      for await (const _ of watchJob(client, "job_1", { timeoutMs: 2_000 })) await pause(60_000);
    };
    const settled = watchPromise(consume(), () => 0);
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 60_000]);
    expect(settled.error).toMatchObject({ ...gaveUp, lastJob: { status: "processing" } });
  });
});

describe("the clock of a wait", () => {
  const usualPolls = [0, 1_000, 2_500, 4_750, 8_125, 9_000];

  test("is not changed by steps of the wall clock: by hours, and to 1970", async () => {
    const { polls, settled } = start(["processing"], { timeoutMs: 9_000 });
    for (const stepMs of [5 * 3_600_000, -9 * 3_600_000, 4 * 3_600_000, -Date.now()]) {
      await passTime(700);
      vi.setSystemTime(Date.now() + stepMs);
    }
    await vi.runAllTimersAsync();
    expect(polls).toEqual(usualPolls);
    expect(settled).toMatchObject({ at: 9_000, error: { ...gaveUp, elapsedMs: 9_000 } });
  });

  test.each<[string, readonly Step[], readonly number[]]>([
    ["goes on in its own way", ["processing"], usualPolls],
    ["stands still", [refused(429, 2), "processing"], [0, 2_000, 3_500, 5_750, 9_000]],
  ])("counts what was slept by fake timers where performance %s", async (how, script, expected) => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { client, polls, now } = createScriptedClient(script, { clock: Date.now });
    if (how === "stands still") vi.spyOn(performance, "now").mockReturnValue(1_234);
    const waited = pollJob(client, "job_1", { intervalMs: 1_000, timeoutMs: 9_000 });
    const settled = watchPromise(waited, now);
    await vi.runAllTimersAsync();
    expect(polls).toEqual(expected);
    expect(settled).toMatchObject({ at: 9_000, error: { ...gaveUp, elapsedMs: 9_000 } });
  });

  test("runs on where fake timers are put in place during a wait", async () => {
    vi.useRealTimers();
    const { client, polls } = createScriptedClient(["processing"]);
    const onUpdate = vi.fn().mockImplementationOnce(() => vi.useFakeTimers());
    const options = { intervalMs: 1_000, timeoutMs: 3_000, onUpdate };
    const settled = watchPromise(pollJob(client, "job_1", options), () => 0);
    await vi.waitFor(() => expect(onUpdate).toHaveBeenCalledOnce(), 60_000);
    await passTime(3_000);
    expect(settled.error).toMatchObject({ code: "poll_timeout", attempts: 4 });
    expect(polls).toHaveLength(4);
  });

  test("counts the time in which the event loop was blocked", async () => {
    vi.useRealTimers();
    const { client, polls } = createScriptedClient(["processing"]);
    const onUpdate = () => block(450);
    const waited = pollJob(client, "job_1", { intervalMs: 10, timeoutMs: 400, onUpdate });
    const error = await rejection(waited);
    expect(error).toMatchObject({ code: "poll_timeout", attempts: 2 });
    expect(error.elapsedMs).toBeGreaterThanOrEqual(450);
    expect(polls).toHaveLength(2);
  });
});
