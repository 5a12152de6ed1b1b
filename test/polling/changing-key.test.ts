import { type AnyAdGenError, createClient, pollJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { queued } from "../helpers/answers.ts";
import { paidJob } from "../helpers/client.ts";
import { job, startJobService } from "./job-service.ts";

const soon = { intervalMs: 5, maxIntervalMs: 20 };

/** Gives the good key for the submission and the first poll, and then something else. */
const keyThatTurns =
  (bad: () => unknown, goodAgainAt = Number.POSITIVE_INFINITY) =>
  (): string => {
    calls++;
    return calls <= 2 || calls >= goodAgainAt ? "sk-good" : (bad() as string);
  };
let calls = 0;

const turns: readonly [name: string, bad: () => unknown, problem: string][] = [
  ["undefined", () => undefined, "gave undefined: it must give the key as text"],
  ["an empty text", () => "", "gave an empty text: it must give the key as text"],
  ["a number", () => 7, "gave a number: it must give the key as text"],
  ["two lines", () => "sk-two\nlines", "gave a key that has a space, a line break or"],
  [
    "a key without apiKeyPrefix",
    () => "ak-rotated",
    'gave a key that does not begin with apiKeyPrefix "sk-"',
  ],
];

describe.each(turns)("a key function that gives %s after the submission", (_, bad, problem) => {
  test("ends submitAndPoll at its deadline, with the paid job and without an outcome", async () => {
    calls = 0;
    const { url, polls } = await startJobService(queued("job_7"), job("processing"));
    const client = createClient({ baseUrl: url, apiKey: keyThatTurns(bad), apiKeyPrefix: "sk-" });
    const failed: AnyAdGenError[] = [];
    const error = await client.jobs
      .submitAndPoll(paidJob, {
        ...soon,
        timeoutMs: 400,
        onPollFailed: (failure) => failed.push(failure),
      })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({
      name: "PollTimeoutError",
      jobId: "job_7",
      lastJob: { job_id: "job_7", status: "processing" },
      cause: { name: "ConfigError", code: "config" },
    });
    expect(error.message).toContain(
      `last failure: GET /v1/jobs/job_7 was not sent: the apiKey function ${problem}`,
    );
    for (const one of [error, ...failed]) {
      expect(one.outcome).toBeUndefined();
      expect(JSON.stringify(one)).not.toMatch(/rotated|two/);
    }
    expect(failed.length).toBeGreaterThan(1);
    expect(polls.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  test("and a good one later loses nothing", async () => {
    calls = 0;
    const { url, polls } = await startJobService(
      queued("job_7"),
      job("processing"),
      job("completed", { result: 7 }),
    );
    const apiKey = keyThatTurns(bad, 6);
    const client = createClient({ baseUrl: url, apiKey, apiKeyPrefix: "sk-" });
    const finished = await client.jobs.submitAndPoll(paidJob, soon);
    expect(finished).toEqual({ job_id: "job_7", status: "completed", result: 7 });
    expect(polls).toHaveLength(3);
  });
});

describe("a key function that is bad from the start", () => {
  test("fails a submission that was not sent, once", async () => {
    const { url, polls } = await startJobService(queued("job_7"));
    const client = createClient({ baseUrl: url, apiKey: () => "" });
    await expect(client.jobs.submitAndPoll(paidJob, soon)).rejects.toMatchObject({
      name: "ConfigError",
      code: "config",
      outcome: "not-sent",
      message: expect.stringMatching(/^POST \/v1\/jobs was not sent: the apiKey function gave/),
    });
    expect(polls).toHaveLength(0);
  });

  test("is waited out by a wait for a job", async () => {
    const { url, polls } = await startJobService(job("completed"));
    const client = createClient({ baseUrl: url, apiKey: () => "" });
    const error = await pollJob(client, "job_1", { timeoutMs: 60 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "PollTimeoutError", jobId: "job_1" });
    expect(error.outcome).toBeUndefined();
    expect(error.message).toContain("it was never seen; last failure: GET /v1/jobs/job_1 was not");
    expect(polls).toHaveLength(0);
  });
});
