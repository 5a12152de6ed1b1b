import { describe, expect, test } from "vitest";
import { failure, queued, silence } from "../helpers/answers.ts";
import { paidJob } from "../helpers/client.ts";
import { job, late, startJobService } from "./job-service.ts";

const submitted = queued("job_7");
const soon = { intervalMs: 2, maxIntervalMs: 2 };

describe("submitAndPoll", () => {
  test("submits once, waits, and gives the finished job", async () => {
    const { client, polls } = await startJobService(
      submitted,
      job("queued"),
      failure(503),
      job("completed", { result: 7 }),
    );
    const statuses: string[] = [];
    const finished = await client.jobs.submitAndPoll(paidJob, {
      ...soon,
      onUpdate: ({ status }) => statuses.push(status),
    });
    expect(finished).toEqual({ job_id: "job_7", status: "completed", result: 7 });
    expect(statuses).toEqual(["queued", "completed"]);
    expect(polls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /v1/jobs",
      "GET /v1/jobs/job_7",
      "GET /v1/jobs/job_7",
      "GET /v1/jobs/job_7",
    ]);
  });

  test("gives a failed job as an answer", async () => {
    const { client } = await startJobService(submitted, job("failed", { error: "no luck" }));
    const finished = await client.jobs.submitAndPoll(paidJob);
    expect(finished).toEqual({ job_id: "job_7", status: "failed", error: "no luck" });
  });

  test("does not wait when the submission is refused", async () => {
    const { client, polls } = await startJobService(failure(402));
    await expect(client.jobs.submitAndPoll(paidJob)).rejects.toMatchObject({
      name: "PaymentRequiredError",
      code: "payment_required",
      outcome: "refused",
    });
    expect(polls).toHaveLength(1);
  });

  test("never sends a paid POST twice", async () => {
    const { client, polls } = await startJobService(failure(503));
    await expect(client.jobs.submitAndPoll(paidJob, soon)).rejects.toMatchObject({
      code: "server_error",
      outcome: "unknown",
    });
    expect(polls).toHaveLength(1);
  });

  test("says in the error of its wait which job was paid", async () => {
    const { client } = await startJobService(submitted, job("processing"), failure(410));
    await expect(client.jobs.submitAndPoll(paidJob, soon)).rejects.toMatchObject({
      status: 410,
      jobId: "job_7",
      lastJob: { job_id: "job_7", status: "processing" },
    });
  });

  test("counts its deadline from the start of the wait", async () => {
    const { client } = await startJobService(late(60, submitted), job("processing"));
    const startedAt = performance.now();
    const waited = client.jobs.submitAndPoll(paidJob, { timeoutMs: 60, intervalMs: 1_000 });
    await expect(waited).rejects.toMatchObject({
      name: "PollTimeoutError",
      jobId: "job_7",
      lastJob: { status: "processing" },
    });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(118);
  });

  test("reads its options once, at the call", async () => {
    const { client } = await startJobService(submitted, job("processing"), job("completed"));
    const options = { intervalMs: 2 };
    const waited = client.jobs.submitAndPoll(paidJob, options);
    options.intervalMs = Number.NaN;
    expect(await waited).toMatchObject({ status: "completed" });
  });

  test.each([
    ["the submission", [silence], { outcome: "unknown", path: "/v1/jobs" }],
    ["the wait", [submitted, silence], { jobId: "job_7", path: "/v1/jobs/job_7" }],
  ])("can be aborted during %s", async (_, script, known) => {
    const { client, asked, polls } = await startJobService(...script);
    const controller = new AbortController();
    const caught = client.jobs
      .submitAndPoll(paidJob, { signal: controller.signal })
      .catch((thrown) => thrown);
    await asked(script.length);
    controller.abort("enough");
    expect(await caught).toMatchObject({ name: "AbortError", cause: "enough", ...known });
    expect(polls).toHaveLength(script.length);
  });
});
