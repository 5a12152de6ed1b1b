import { type AdGenClient, type ClientOptions, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { paidJob } from "../helpers/client.ts";
import {
  createScriptedClient,
  late,
  offline,
  play,
  type Step,
  silent,
  start,
  submitted,
  success,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";
import { submitAndPoll } from "./ways.ts";

useFakedTime();

const wait = submitAndPoll;
const known = { jobId: "job_1", lastJob: { job_id: "job_1", status: "processing" } };

describe("submitAndPoll", () => {
  test.each<[string, readonly Step[]]>([
    ["completed", ["completed"]],
    ["failed", ["queued", 503, offline, "failed"]],
  ])("submits once, waits, and gives the %s job", async (status, script) => {
    const onRequest = vi.fn();
    const client = { hooks: { onRequest } };
    const { settled } = await play([submitted(), ...script], { wait, client });
    expect(settled.value).toEqual({ job_id: "job_1", status });
    expect(onRequest.mock.calls.flat()).toMatchObject([
      { method: "POST", path: "/v1/jobs" },
      ...script.map(() => ({ method: "GET", path: "/v1/jobs/job_1" })),
    ]);
  });

  const slowly = [late(6_000, submitted()), "queued", "queued", "processing"];
  test.each<[string, readonly Step[], object, number]>([
    ["a 402", [402], { code: "payment_required", outcome: "refused" }, 0],
    ["a 503", [503], { code: "server_error", outcome: "unknown" }, 0],
    ["a refusal of its wait", [submitted(), "processing", 410], { ...known, status: 410 }, 1_000],
    ["its deadline, from the answer on", slowly, { ...known, code: "poll_timeout" }, 7_500],
  ])("sends no paid POST twice, and tells what is known, after %s", async (...row) => {
    const [, script, error, at] = row;
    const { polls, settled } = await play(script, { wait, timeoutMs: 1_500 });
    expect(settled).toMatchObject({ at, error });
    expect(settled.error.stack).toContain("ways.ts");
    expect(polls).toHaveLength(script.length);
  });

  test("reads its options once, at the call", async () => {
    const options = { intervalMs: 2_000 };
    const { client, polls } = createScriptedClient([submitted(), "processing", "completed"]);
    const waited = client.jobs.submitAndPoll(paidJob, options);
    options.intervalMs = Number.NaN;
    await vi.runAllTimersAsync();
    expect(await waited).toMatchObject({ status: "completed" });
    expect(polls).toEqual([0, 0, 2_000]);
  });

  test.each<[string, readonly Step[], object]>([
    ["the submission", [silent], { outcome: "unknown", path: "/v1/jobs" }],
    ["a poll", [submitted(), silent], { jobId: "job_1", path: "/v1/jobs/job_1" }],
    ["a pause", [submitted(), "queued"], { jobId: "job_1", lastJob: { status: "queued" } }],
  ])("can be aborted during %s", async (_, script, error) => {
    const controller = new AbortController();
    const { settled, polls } = start(script, { wait, signal: controller.signal });
    await vi.advanceTimersByTimeAsync(500);
    controller.abort("enough");
    await vi.runAllTimersAsync();
    expect(settled).toMatchObject({ at: 500, error: { name: "AbortError", cause: "enough" } });
    expect(settled.error).toMatchObject(error);
    expect(polls).toHaveLength(script.length);
  });
});

describe.each<[gives: string, give: () => unknown, problem: string]>([
  ["undefined", () => undefined, " gave undefined: it must give the key as text"],
  ["an empty text", () => "", " gave an empty text: it must give the key as text"],
  ["a number", () => 7, " gave a number: it must give the key as text"],
  ["two lines", () => "sk-two\nlines", " gave a key that has a space, a line break or"],
  ["no prefix", () => "ak-rotated", ' gave a key that does not begin with apiKeyPrefix "sk-"'],
  ["a failure", () => Promise.reject(new Error("vault is sealed")), " failed: vault is sealed"],
])("a key function that gives %s", (_, give, problem) => {
  /** It gives a good key but for these calls. */
  const clientWith = (from: number, to = Number.POSITIVE_INFINITY): ClientOptions => {
    let calls = 0;
    const apiKey = () => (++calls < from || calls > to ? "sk-good" : give());
    return { apiKey: apiKey as () => string, apiKeyPrefix: "sk-" };
  };

  test("after the submission ends the wait at its deadline, and names the paid job", async () => {
    const options = { wait, timeoutMs: 4_000, client: clientWith(3) };
    const { settled, failed, polls } = await play([submitted(), "processing"], options);
    expect(settled.error).toMatchObject({ ...known, name: "PollTimeoutError" });
    expect(settled.error.message).toContain(
      `last failure: GET /v1/jobs/job_1 was not sent: the apiKey function${problem}`,
    );
    expect(failed).toHaveLength(3);
    for (const error of [settled.error, ...failed]) {
      expect(error.outcome).toBeUndefined();
      expect(JSON.stringify(error)).not.toMatch(/rotated|two/);
    }
    expect(polls).toHaveLength(2);
  });

  test("for some polls loses nothing", async () => {
    const { settled, polls } = await play([submitted(), "completed"], {
      wait,
      client: clientWith(2, 4),
    });
    expect(settled.value).toEqual({ job_id: "job_1", status: "completed" });
    expect(polls).toEqual([0, 4_750]);
  });
});

test.each<[string, Step, (client: AdGenClient) => Promise<unknown>]>([
  ["jobs.get", 404, ({ jobs }) => jobs.get("job_1", { maxRetries: 0 })],
  ["jobs.get that was made again", 503, ({ jobs }) => jobs.get("job_1", { maxRetries: 1 })],
  ["jobs.submit", 402, ({ jobs }) => jobs.submit(paidJob)],
  ["jobs.submit without an id", success({ status: "queued" }), ({ jobs }) => jobs.submit(paidJob)],
])("the stack of an error of %s names its caller", async (_, step, call) => {
  const { client } = createScriptedClient([step]);
  const callerOfIt = async () => await call(client);
  const settled = watchPromise(callerOfIt(), () => 0);
  await vi.runAllTimersAsync();
  expect(settled.error.stack).toContain("callerOfIt");
});

test("a client that cannot send at all ends a wait at once", async () => {
  const { client } = createScriptedClient(["completed"], { baseUrl: "/adgen" });
  const error = await pollJob(client, "job_1").catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "ConfigError", code: "config", jobId: "job_1" });
  expect(error.outcome).toBeUndefined();
});
