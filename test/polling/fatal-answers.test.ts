import { pollJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { failure } from "../helpers/answers.ts";
import { job, startJobService } from "./job-service.ts";

const fatal: readonly [status: number, name: string, code: string][] = [
  [400, "BadRequestError", "bad_request"],
  [401, "UnauthorizedError", "unauthorized"],
  [402, "PaymentRequiredError", "payment_required"],
  [403, "ApiError", "unexpected_status"],
  [410, "ApiError", "unexpected_status"],
];

describe.each(fatal)("a %i", (status, name, code) => {
  test("ends a wait at the first poll", async () => {
    const { client, polls } = await startJobService(failure(status), job("completed"));
    const error = await pollJob(client, "job_1").catch((thrown) => thrown);
    expect(error).toMatchObject({ name, code, status, jobId: "job_1", attempts: 1 });
    expect(error.lastJob).toBeUndefined();
    expect(polls).toHaveLength(1);
  });

  test("ends a wait whose job was seen, and keeps the job", async () => {
    const { client, polls } = await startJobService(
      job("queued"),
      job("processing", { progress: 40 }),
      failure(status),
      job("completed"),
    );
    const waited = pollJob(client, "job_1", { intervalMs: 5 });
    await expect(waited).rejects.toMatchObject({
      name,
      code,
      status,
      jobId: "job_1",
      lastJob: { job_id: "job_1", status: "processing", progress: 40 },
      attempts: 3,
    });
    expect(polls).toHaveLength(3);
  });
});

test("a client that cannot send at all ends a wait at once", async () => {
  const { clientWith, polls } = await startJobService(job("completed"));
  const client = clientWith({ baseUrl: "/adgen" });
  const error = await pollJob(client, "job_1").catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "ConfigError", code: "config", jobId: "job_1" });
  expect(error.outcome).toBeUndefined();
  expect(polls).toHaveLength(0);
});

test("a function for the key that fails for now does not end a wait", async () => {
  const { clientWith, polls } = await startJobService(job("completed"));
  let calls = 0;
  const apiKey = () => (++calls < 3 ? Promise.reject(new Error("vault is sealed")) : "test-key");
  const client = clientWith({ apiKey });
  const finished = await pollJob(client, "job_1", { intervalMs: 5 });
  expect(finished.status).toBe("completed");
  expect(polls).toHaveLength(1);
});

test("an error that is none of ours passes as it is", async () => {
  const bug = new TypeError("somebody's wrapper");
  const client = { jobs: { get: () => Promise.reject(bug) } };
  await expect(pollJob(client, "job_1")).rejects.toBe(bug);
});
