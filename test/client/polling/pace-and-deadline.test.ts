import { ConnectionError, pollJob, watchJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { pause, rejection } from "../../helpers/client.ts";
import { useFakedTime } from "../../helpers/faked-time.ts";
import { blockEventLoop } from "../../helpers/processor-time.ts";
import { passTime } from "./fake-service.ts";
import {
  createScriptedClient,
  expectPlayed,
  offline,
  type PlayedRow,
  type PlayOptions,
  page,
  play,
  refused,
  type Step,
  seen,
  silent,
  start,
  success,
  times,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

const usual = { intervalMs: undefined };
const grown = [0, 1_000, 2_500, 4_750, 8_125, 13_188, 20_782, 30_782, 40_782];
const ofZero = [0, 1, 3, 6, 10, 16, 24, 33, 42];
const brisk = { intervalMs: 100, maxIntervalMs: 100 };
const atOnce = Array(21).fill(0);
const datedRetryAfter = success({ status: "queued" }, 200, {
  date: "Fri, 01 Jan 2010 00:00:00 GMT",
  "retry-after": "Fri, 01 Jan 2010 00:00:07 GMT",
});
const anotherJob = success({ job_id: "x", status: "completed" });

describe("the pace", () => {
  test.each<[what: string, step: Step, options: PlayOptions, polls: readonly number[]]>([
    ["even by default", "queued", usual, [0, 2_000, 4_000, 6_000]],
    ["forced", "processing", {}, grown],
    ["forced", "queued", { intervalMs: 100, maxIntervalMs: 200 }, [0, 100, 250, 450, 650]],
    ["forced beyond the usual maximum", "queued", { intervalMs: 20_000 }, [0, 20_000, 40_000]],
    ["forced, of useless answers", anotherJob, {}, grown.slice(0, 5)],
    ["forced, of failures", offline, {}, grown],
    ["forced, of failures", offline, { intervalMs: 5 }, [0, 5, 13, 25]],
    ["forced to none at first", offline, { intervalMs: 0, maxIntervalMs: 0 }, [0, 0, 0, 0]],
    ["after failures", offline, usual, grown],
    ["after an unknown status", "paused", usual, grown],
    ["after failures, at least", offline, { ...usual, maxIntervalMs: 0 }, [0, 100, 200, 300]],
    ["after failures, at most", offline, { ...usual, maxIntervalMs: 1_200 }, [0, 1_000, 2_200]],
    ["of zero, which grows, too", "queued", { intervalMs: 0, maxIntervalMs: 9 }, ofZero],
  ])("%s", (_, step, options, polls) =>
    expectPlayed(times(polls.length - 1, step), options, polls),
  );
});

describe("Retry-After", () => {
  const asked = [seen("queued", 3), seen("processing", 0), seen("processing", 45)];

  test.each<[string, ...PlayedRow]>([
    ["beside an unfinished job is the wait", asked, {}, [0, 3_000, 3_000, 48_000]],
    ["of 0 makes no hot loop", times(22, seen("processing", 0)), brisk, [...atOnce, 100, 200]],
    ["may be a date of the service's own clock", [datedRetryAfter], {}, [0, 7_000]],
    ["of more than a minute is a mistake", [seen("queued", 61)], {}, [0, 1_000]],
    ["must make sense", [seen("queued", "soon"), seen("queued", "-5")], {}, [0, 1_000, 2_500]],
    ["beside an unknown status lengthens the wait", [seen("paused", 8)], {}, [0, 8_000]],
    ["counts once", [seen("queued", 20), offline, "queued"], {}, [0, 20_000, 21_500, 23_750]],
    ["of an hour after a 503 is a minute", times(2, refused(503, 3_600)), {}, [0, 60_000, 120_000]],
    ["of an hour after a 429 is kept", [refused(429, 3_600)], {}, [0, 1_860_000]],
    ["of half an hour after a 429 is kept", [refused(429, 1_800)], {}, [0, 1_800_000]],
  ])("%s", (_, ...row) => expectPlayed(...row));

  test.each([429, 500, 503])("after a %i lengthens the wait, and never shortens it", (status) => {
    const script = [refused(status, 0), refused(status, 30), refused(status, 300)];
    return expectPlayed(script, {}, [0, 1_000, 31_000, 331_000]);
  });

  const kept = { 240000: 60_000, 100000: 25_000, 4000: 1_000, 400: 400 };

  test.each(Object.entries(kept))("of an hour after a 503, with %s ms left, is %i ms", (left, ms) =>
    expectPlayed([refused(503, 3_600)], { timeoutMs: Number(left) }, [0, ms]),
  );
});

test("a wait grows through a wrapper whose errors count no attempts", async () => {
  const { now } = createScriptedClient([]);
  const polls: number[] = [];
  const get = async (): Promise<never> => {
    polls.push(now());
    throw new ConnectionError("connection", "the wrapper is not ready");
  };
  const ended = rejection(pollJob({ jobs: { get } }, "job_1", { timeoutMs: 4_750 }));
  await vi.runAllTimersAsync();
  expect(await ended).toMatchObject({ code: "poll_timeout", attempts: 0 });
  expect(polls).toEqual([0, 1_000, 2_500, 4_750]);
});

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

  test("quotes a long id in part, and never an unknown status", async () => {
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
  const noTime = { timeoutMs: 0 };
  const once = { error: { ...gaveUp, attempts: 1, elapsedMs: 0 } };
  const hasLittle = { timeoutMs: 60_000, client: { timeoutMs: 20_000 } };
  const late = { at: 65_000, error: gaveUp };

  test.each<[string, ...PlayedRow]>([
    ["is the only one of a wait of no time", [], noTime, [0]],
    ["is the only one of a wait of no time", ["queued"], noTime, [0], once],
    ["may be as far away as a timer reaches", ["queued"], { timeoutMs: 2 ** 31 - 1 }, [0, 1_000]],
    ["has more than one attempt's time", [silent], hasLittle, [0, 21_000, 42_500, 60_000], late],
  ])("%s", (_, ...row) => expectPlayed(...row));

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

  test("is made even if the reader takes long over each job", async () => {
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
  const defaultPolls = [0, 1_000, 2_500, 4_750, 8_125, 9_000];

  test("is not changed by steps of the wall clock: by hours, and to 1970", async () => {
    const { polls, settled } = start(["processing"], { timeoutMs: 9_000 });
    for (const stepMs of [5 * 3_600_000, -9 * 3_600_000, 4 * 3_600_000, -Date.now()]) {
      await passTime(700);
      vi.setSystemTime(Date.now() + stepMs);
    }
    await vi.runAllTimersAsync();
    expect(polls).toEqual(defaultPolls);
    expect(settled).toMatchObject({ at: 9_000, error: { ...gaveUp, elapsedMs: 9_000 } });
  });

  test.each<[string, readonly Step[], readonly number[]]>([
    ["goes on in its own way", ["processing"], defaultPolls],
    ["stands still", [refused(429, 2), "processing"], [0, 2_000, 3_500, 5_750, 9_000]],
  ])("counts the time slept by fake timers if performance %s", async (how, script, expected) => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { client, polls, now } = createScriptedClient(script, { clock: Date.now });
    // It goes on as fast on a busy machine as on an idle one.
    const stepMs = how === "stands still" ? 0 : 0.001;
    let at = 1_234;
    vi.spyOn(performance, "now").mockImplementation(() => (at += stepMs));
    const waited = pollJob(client, "job_1", { intervalMs: 1_000, timeoutMs: 9_000 });
    const settled = watchPromise(waited, now);
    await vi.runAllTimersAsync();
    expect(polls).toEqual(expected);
    expect(settled).toMatchObject({ at: 9_000, error: { ...gaveUp, elapsedMs: 9_000 } });
  });

  test("counts the time in which the event loop was blocked", async () => {
    vi.useRealTimers();
    const { client, polls } = createScriptedClient(["processing"]);
    const onUpdate = () => blockEventLoop(450);
    const waited = pollJob(client, "job_1", { intervalMs: 10, timeoutMs: 400, onUpdate });
    const error = await rejection(waited);
    expect(error).toMatchObject({ code: "poll_timeout", attempts: 2 });
    expect(error.elapsedMs).toBeGreaterThanOrEqual(450);
    expect(polls).toHaveLength(2);
  });
});
