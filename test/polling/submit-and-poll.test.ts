import { type AdGenClient, type ClientOptions, type PollOptions, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { paidJob } from "../helpers/client.ts";
import {
  createScriptedClient,
  late,
  offline,
  type Step,
  silent,
  submitted,
  success,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

/** Submits by the first entry of a script, and waits for `job_1` by the others. */
const begin = (script: readonly Step[], options?: PollOptions, clientOptions?: ClientOptions) => {
  const requests: string[] = [];
  const scripted = createScriptedClient(script, {
    ...clientOptions,
    hooks: { onRequest: ({ method, path }) => requests.push(`${method} ${path}`) },
  });
  const { jobs } = scripted.client;
  const wait = async () => await jobs.submitAndPoll(paidJob, { intervalMs: 1_000, ...options });
  return { ...scripted, requests, settled: watchPromise(wait(), scripted.now) };
};

const run = async (...given: Parameters<typeof begin>) => {
  const begun = begin(...given);
  await vi.runAllTimersAsync();
  return begun;
};

const [post, get] = ["POST /v1/jobs", "GET /v1/jobs/job_1"];

describe("submitAndPoll", () => {
  test.each<[string, readonly Step[], object]>([
    [
      "the completed job",
      [success({ status: "completed", result: 7 })],
      { status: "completed", result: 7 },
    ],
    ["a failed job", ["queued", 503, offline, "failed"], { status: "failed" }],
  ])("submits once, waits, and gives %s", async (_, script, job) => {
    const { requests, settled } = await run([submitted(), ...script]);
    expect(settled.value).toEqual({ job_id: "job_1", ...job });
    expect(requests).toEqual([post, ...script.map(() => get)]);
  });

  test.each([
    [402, { name: "PaymentRequiredError", code: "payment_required", outcome: "refused" }],
    [503, { code: "server_error", outcome: "unknown" }],
  ])("sends no paid POST twice, and does not wait, after a %i", async (status, error) => {
    const { requests, settled } = await run([status]);
    expect(settled.error).toMatchObject(error);
    expect(requests).toEqual([post]);
  });

  test("says in the error of its wait which job was paid", async () => {
    const { settled } = await run([submitted(), "processing", 410]);
    const lastJob = { job_id: "job_1", status: "processing" };
    expect(settled.error).toMatchObject({ status: 410, jobId: "job_1", lastJob });
    expect(settled.error.outcome).toBeUndefined();
  });

  test.each<[string, readonly Step[]]>([
    ["its submission", [402]],
    ["its wait", [submitted(), 403]],
    ["its deadline", [submitted(), "processing"]],
  ])("names its caller in the stack of an error of %s", async (_, script) => {
    const { settled } = await run(script, { timeoutMs: 3_000 });
    expect(settled.error.stack).toContain("submit-and-poll.test.ts");
  });

  test("counts its deadline from the submission's answer", async () => {
    const { settled } = await run([late(6_000, submitted()), "processing"], { timeoutMs: 5_000 });
    expect(settled).toMatchObject({ at: 11_000, error: { name: "PollTimeoutError" } });
    expect(settled.error).toMatchObject({ jobId: "job_1", elapsedMs: 5_000 });
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
  ])("can be aborted during %s", async (_, script, known) => {
    const controller = new AbortController();
    const { settled, requests } = begin(script, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(500);
    controller.abort("enough");
    await vi.runAllTimersAsync();
    expect(settled).toMatchObject({ at: 500, error: { name: "AbortError", cause: "enough" } });
    expect(settled.error).toMatchObject(known);
    expect(requests).toHaveLength(script.length);
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
    const failed = vi.fn();
    const script = [submitted(), "processing"];
    const options = { timeoutMs: 4_000, onPollFailed: failed };
    const { settled, polls } = await run(script, options, clientWith(3));
    const lastJob = { job_id: "job_1", status: "processing" };
    expect(settled.error).toMatchObject({ name: "PollTimeoutError", jobId: "job_1", lastJob });
    expect(settled.error.message).toContain(
      `last failure: GET /v1/jobs/job_1 was not sent: the apiKey function${problem}`,
    );
    expect(failed).toHaveBeenCalledTimes(3);
    for (const error of [settled.error, ...failed.mock.calls.flat()]) {
      expect(error.outcome).toBeUndefined();
      expect(JSON.stringify(error)).not.toMatch(/rotated|two/);
    }
    expect(polls).toHaveLength(2);
  });

  test("for some polls loses nothing", async () => {
    const { settled, polls } = await run([submitted(), "completed"], {}, clientWith(2, 4));
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
