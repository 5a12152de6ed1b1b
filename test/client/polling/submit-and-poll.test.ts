import type { ClientOptions } from "adgen-sdk";
import { expect, test, vi } from "vitest";
import { paidJob } from "../../helpers/client.ts";
import { useFakedTime } from "../../helpers/faked-time.ts";
import { passTime } from "./fake-service.ts";
import {
  createScriptedClient,
  late,
  type PlayOptions,
  play,
  type Step,
  silent,
  start,
  submitted,
} from "./scripted-client.ts";

useFakedTime();

const unfinished = ["queued", "queued", "processing"];
const slow = late(6_000, submitted());
const tooLate = { code: "poll_timeout", jobId: "job_1", lastJob: { status: "processing" } };

test.each<[string, Step, readonly Step[], object, number]>([
  ["a 402", 402, [], { code: "payment_required", outcome: "refused" }, 0],
  ["a 503", 503, [], { code: "server_error", outcome: "unknown" }, 0],
  ["its deadline, from the answer on", slow, unfinished, tooLate, 7_500],
])("submitAndPoll sends no paid POST twice, and reports the end, after %s", async (...row) => {
  const [, submission, script, error, at] = row;
  const { polls, settled } = await play(script, { submission, timeoutMs: 1_500 });
  expect(settled).toMatchObject({ at, error });
  expect(settled.error.stack).toContain("ways.ts");
  expect(polls).toHaveLength(1 + script.length);
});

test("submitAndPoll can be aborted during the submission, which gets 5 seconds for its response", async () => {
  const controller = new AbortController();
  const { settled, polls } = start([], { submission: silent, signal: controller.signal });
  await passTime(500);
  controller.abort("enough");
  await vi.runAllTimersAsync();
  expect(settled).toMatchObject({ at: 5_500, error: { name: "AbortError", cause: "enough" } });
  expect(settled.error).toMatchObject({ outcome: "unknown", path: "/v1/jobs" });
  expect(polls).toEqual([0]);
});

test("submitAndPoll reads its options once, at the call", async () => {
  const options = { intervalMs: 2_000 };
  const { client, polls } = createScriptedClient([submitted(), "processing", "completed"]);
  const waited = client.jobs.submitAndPoll(paidJob, options);
  options.intervalMs = Number.NaN;
  await vi.runAllTimersAsync();
  expect(await waited).toMatchObject({ status: "completed" });
  expect(polls).toEqual([0, 0, 2_000]);
});

test.each<[string, Step, PlayOptions, number]>([
  ["at once if the submission's Retry-After says so", submitted(0), {}, 0],
  ["when the submission's Retry-After says", submitted(4), {}, 4_000],
  ["soon", submitted(), {}, 2_000],
  ["at once in a forced pace", submitted(), { intervalMs: 500 }, 0],
])("a wait for a job of this client polls first %s", async (_, submission, options, firstAt) => {
  const { polls } = await play(["completed"], { intervalMs: undefined, submission, ...options });
  expect(polls[1]).toBe(firstAt);
});

test.each<[gives: string, give: () => unknown, problem: string]>([
  ["two lines", () => "sk-two\nlines", " gave a key that has a space, a line break or"],
  ["a failure", () => Promise.reject(new Error("vault is sealed")), " failed: vault is sealed"],
])("a key function that gives %s for some polls loses no paid job", async (_, give, problem) => {
  let calls = 0;
  const apiKey = () => (++calls < 2 || calls > 4 ? "sk-good" : give());
  const client = { apiKey } as ClientOptions;
  const { settled, failed, polls } = await play(["completed"], { submission: submitted(), client });
  expect(settled.value).toEqual({ job_id: "job_1", status: "completed" });
  expect(polls).toEqual([0, 4_750]);
  expect(failed).toHaveLength(3);
  for (const error of failed) {
    expect(error.message).toContain(
      `GET /v1/jobs/job_1 was not sent: the apiKey function${problem}`,
    );
    expect(error.outcome).toBeUndefined();
    expect(JSON.stringify(error)).not.toContain("two");
  }
});
