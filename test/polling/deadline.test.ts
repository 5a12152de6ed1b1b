import { type ClientOptions, pollJob, watchJob } from "adgen-sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { block } from "../helpers/block.ts";
import { job, startJobService } from "./job-service.ts";
import {
  createScriptedClient,
  late,
  offline,
  page,
  play,
  refused,
  type Step,
  seen,
  silent,
  start,
  times,
  watchPromise,
} from "./scripted-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const gaveUp = { name: "PollTimeoutError", code: "poll_timeout", jobId: "job_1" };
const patient: ClientOptions = { timeoutMs: 3_600_000 };

describe("a wait that gives up", () => {
  const failureOf = (text: string) => `it was never seen; last failure: GET /v1/jobs/job_1 ${text}`;

  test.each<[string, readonly Step[], number, readonly number[], string]>([
    [
      "after a last poll, to which the last wait is cut",
      ["processing"],
      5_000,
      [0, 1_000, 2_500, 4_750, 5_000],
      'last status "processing"',
    ],
    ["at once where its time is zero", ["queued"], 0, [0], 'last status "queued"'],
    [
      "in the midst of a Retry-After",
      [seen("queued", 50)],
      7_000,
      [0, 7_000],
      'last status "queued"',
    ],
    [
      "after a last poll, which follows the one that is under way",
      ["queued", silent, "processing"],
      2_000,
      [0, 1_000, 2_000],
      'last status "processing"',
    ],
    [
      "after failures, of which the last is its cause",
      ["queued", 500, 503],
      1_200,
      [0, 1_000, 1_200],
      'last status "queued"; last failure: GET /v1/jobs/job_1 answered 503: says 503',
    ],
    [
      "without a word of a failure that passed",
      [503, "processing"],
      1_200,
      [0, 1_000, 1_200],
      'last status "processing"',
    ],
    [
      "on a job that was never found",
      [404],
      3_000,
      [0, 1_000, 2_500, 3_000],
      failureOf("answered 404: says 404"),
    ],
    [
      "on a network that is down",
      [offline],
      1_200,
      [0, 1_000, 1_200],
      failureOf("got no answer: fetch failed without a reason (a 407 ends so)"),
    ],
    [
      "on a page of a stranger",
      [page(200)],
      1_200,
      [0, 1_000, 1_200],
      failureOf("answered 200 with text/html, not JSON (check baseUrl: ads.test)"),
    ],
    [
      "without foreign text",
      ["archived\n\u001b[31mFATAL"],
      1_200,
      [0, 1_000, 1_200],
      "its last status is not one that this version knows: see lastJob.status",
    ],
  ])("%s", async (_, script, timeoutMs, expected, details) => {
    const { polls, settled } = await play(script, { timeoutMs });
    expect(polls).toEqual(expected);
    expect(settled.at).toBe(timeoutMs);
    expect(settled.error).toMatchObject({ ...gaveUp, elapsedMs: timeoutMs });
    expect(settled.error.message).toBe(
      `job "job_1" did not finish within ${timeoutMs} ms (${details})`,
    );
    expect(settled.error.attempts).toBe(polls.length);
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
  test.each<[string, readonly Step[], number, readonly number[], number]>([
    ["that ended during the last wait", times(2, "queued"), 1_200, [0, 1_000, 1_200], 1_200],
    [
      "by an answer of its own time",
      ["queued", silent, late(400, "completed")],
      2_000,
      [0, 1_000, 2_000],
      2_400,
    ],
    ["where there is no other poll", [], 0, [0], 0],
    ["where the deadline is as far as a timer reaches", ["queued"], 2 ** 31 - 1, [0, 1_000], 1_000],
  ])("finds a job %s", async (_, script, timeoutMs, expected, at) => {
    const { polls, settled } = await play([...script, "completed"], { timeoutMs });
    expect(polls.slice(0, expected.length)).toEqual(expected);
    expect(settled).toMatchObject({ at, value: { job_id: "job_1", status: "completed" } });
  });

  test.each([
    [0, 500],
    [400, 900],
    [4_000, 5_000],
    [20_000, 25_000],
    [60_000, 65_000],
    [600_000, 605_000],
  ])("of %i ms has a silent service give up by %i ms", async (timeoutMs, latestMs) => {
    // The client's own time for an attempt is longer than the whole wait.
    const { settled } = await play([silent], { timeoutMs, client: patient });
    expect(settled.at).toBe(latestMs);
    expect(settled.error).toMatchObject({ ...gaveUp, elapsedMs: latestMs });
    expect(settled.error.cause).toMatchObject({ name: "TimeoutError", code: "timeout" });
  });

  test("has its time where the client's own time for an attempt is shorter", async () => {
    const options = { timeoutMs: 60_000, client: { timeoutMs: 20_000 } };
    const { polls, settled } = await play([silent], options);
    expect(polls).toEqual([0, 21_000, 42_500, 60_000]);
    expect(settled).toMatchObject({ at: 65_000, error: gaveUp });
  });

  test("is made for who takes long over each job, too", async () => {
    const { client, polls } = createScriptedClient(["processing"]);
    const statuses: string[] = [];
    const consume = async () => {
      for await (const { status } of watchJob(client, "job_1", { timeoutMs: 2_000 })) {
        statuses.push(status);
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }
    };
    const settled = watchPromise(consume(), () => 0);
    await vi.runAllTimersAsync();
    expect(polls).toEqual([0, 60_000]);
    expect(statuses).toHaveLength(2);
    expect(settled.error).toMatchObject({ ...gaveUp, lastJob: { status: "processing" } });
  });
});

describe("the clock of a wait", () => {
  const usualPolls = [0, 1_000, 2_500, 4_750, 8_125, 9_000];
  const byDate = () => Date.now();
  const leaveOut = () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  };

  test.each([
    ["forward by hours", 5 * 3_600_000],
    ["back by hours", -5 * 3_600_000],
    ["to 1970", -Date.now()],
  ])("is not changed by a step of the wall clock %s", async (_, stepMs) => {
    const { polls, settled } = start(["processing"], { timeoutMs: 9_000 });
    await vi.advanceTimersByTimeAsync(1_500);
    vi.setSystemTime(Date.now() + stepMs);
    await vi.advanceTimersByTimeAsync(1_500);
    vi.setSystemTime(Date.now() - stepMs);
    await vi.runAllTimersAsync();
    expect(polls).toEqual(usualPolls);
    expect(settled).toMatchObject({ at: 9_000, error: { ...gaveUp, elapsedMs: 9_000 } });
  });

  test.each([
    ["goes on in its own way", () => {}],
    ["stands still", () => void vi.spyOn(performance, "now").mockReturnValue(1_234)],
  ])("counts what was slept under fake timers where performance %s", async (_, prepare) => {
    leaveOut();
    const { client, polls, now } = createScriptedClient(["processing"], {}, byDate);
    prepare();
    const waited = pollJob(client, "job_1", { intervalMs: 1_000, timeoutMs: 9_000 });
    const settled = watchPromise(waited, now);
    await vi.runAllTimersAsync();
    expect(polls).toEqual(usualPolls);
    expect(settled).toMatchObject({ at: 9_000, error: { ...gaveUp, elapsedMs: 9_000 } });
  });

  test("ends the pause after a 429 under such fake timers", async () => {
    leaveOut();
    const { polls, settled } = await play([refused(429, 3), "completed"]);
    expect(settled.value).toMatchObject({ status: "completed" });
    expect(polls).toHaveLength(2);
    // Three seconds of the faked time.
    expect(settled.at).toBeLessThan(1_500);
  });

  test("runs on where fake timers are put in place during a wait", async () => {
    vi.useRealTimers();
    const { client, polls } = createScriptedClient(["processing"]);
    const onUpdate = vi.fn().mockImplementationOnce(() => vi.useFakeTimers());
    const options = { intervalMs: 1_000, timeoutMs: 3_000, onUpdate };
    const settled = watchPromise(pollJob(client, "job_1", options), () => 0);
    await vi.waitFor(() => expect(onUpdate).toHaveBeenCalledOnce(), 60_000);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(settled.error).toMatchObject({ code: "poll_timeout", attempts: 4 });
    expect(polls).toHaveLength(4);
  });

  test("counts the time in which the event loop was blocked", async () => {
    vi.useRealTimers();
    const { client, polls } = await startJobService(job("processing"));
    const onUpdate = () => block(450);
    const waited = pollJob(client, "job_1", { intervalMs: 10, timeoutMs: 400, onUpdate });
    const error = await waited.catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "poll_timeout", attempts: 2 });
    expect(error.elapsedMs).toBeGreaterThanOrEqual(450);
    expect(polls).toHaveLength(2);
  });
});
