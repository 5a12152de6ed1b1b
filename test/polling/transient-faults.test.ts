import { pollJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { failure } from "../helpers/answers.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";
import { html, job, late, startJobService } from "./job-service.ts";

const soon = { intervalMs: 5, maxIntervalMs: 10 };

const losses = lossesOf(200);

const passing = [
  ...losses.filter(({ isSlow }) => !isSlow),
  ...refusals.filter(({ isRepeated }) => isRepeated),
  { name: "another job's answer", answer: job("completed", { job_id: "job_2" }) },
];

describe.each(passing)("outlives $name", ({ answer: fault }) => {
  test("at the first poll", async () => {
    const { client, polls } = await startJobService(fault, job("queued"), job("completed"));
    const finished = await pollJob(client, "job_1", soon);
    expect(finished).toEqual({ job_id: "job_1", status: "completed" });
    expect(polls).toHaveLength(3);
  });

  test("again and again, once the job was seen", async () => {
    const { client, polls } = await startJobService(
      job("processing"),
      fault,
      fault,
      fault,
      job("completed"),
    );
    const statuses: string[] = [];
    const finished = await pollJob(client, "job_1", {
      ...soon,
      onUpdate: ({ status }) => statuses.push(status),
    });
    expect(finished.status).toBe("completed");
    expect(statuses).toEqual(["processing", "completed"]);
    expect(polls).toHaveLength(5);
  });
});

describe.each(losses.filter(({ isSlow }) => isSlow))("outlives $name", ({ answer: fault }) => {
  test("for the client's time for one attempt", async () => {
    const service = await startJobService(fault, fault, job("completed"));
    const client = service.clientWith({ timeoutMs: 30 });
    const startedAt = performance.now();
    const finished = await pollJob(client, "job_1", soon);
    expect(finished.status).toBe("completed");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2 * 29);
  });
});

test("has one request under way at any time", async () => {
  const { client, mostAtOnce, polls } = await startJobService(
    late(8, job("queued")),
    late(8, failure(503)),
    late(8, job("processing")),
    late(8, html),
    late(8, job("completed")),
  );
  await pollJob(client, "job_1", { intervalMs: 1, maxIntervalMs: 1 });
  expect(polls).toHaveLength(5);
  expect(mostAtOnce()).toBe(1);
});
