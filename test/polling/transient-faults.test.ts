import { pollJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import {
  cut,
  drip,
  failure,
  hangUp,
  raw,
  reset,
  silence,
  stallBody,
  stallHeaders,
  success,
} from "../helpers/answers.ts";
import type { Answer } from "../helpers/http-server.ts";
import { html, job, late, startJobService } from "./job-service.ts";

const soon = { intervalMs: 5, maxIntervalMs: 10 };

const faults: readonly [name: string, fault: Answer][] = [
  ["a reset connection", reset],
  ["a connection closed in good order", hangUp],
  ["a 500", failure(500)],
  ["a 502", failure(502)],
  ["a 503", failure(503)],
  ["a 504 in HTML", raw(504, "<h1>Gateway Timeout</h1>")],
  ["a 429", failure(429)],
  ["a 408", failure(408)],
  ["a 409", failure(409)],
  ["a redirect", raw(302, "", { location: "/login" })],
  ["a 200 with HTML", html],
  ["a 200 without a body", raw(200)],
  ["JSON that is no envelope", raw(200, '{"status":"completed"}')],
  ["JSON that is no object", raw(200, '"completed"')],
  ["a job without a status", success({})],
  ["a list in the job's place", success([])],
  ["another job's answer", job("completed", { job_id: "job_2" })],
  ["a body that is cut off", cut()],
];

describe.each(faults)("outlives %s", (_, fault) => {
  test("at the first look", async () => {
    const { client, looks } = await startJobService(fault, job("queued"), job("completed"));
    const finished = await pollJob(client, "job_1", soon);
    expect(finished).toEqual({ job_id: "job_1", status: "completed" });
    expect(looks).toHaveLength(3);
  });

  test("again and again, once the job was seen", async () => {
    const { client, looks } = await startJobService(
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
    expect(looks).toHaveLength(5);
  });
});

describe.each([
  ["silence", silence],
  ["headers that stall", stallHeaders],
  ["a body that stalls", stallBody()],
  ["a body that drips", drip()],
])("outlives %s", (_, fault) => {
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
  const { client, mostAtOnce, looks } = await startJobService(
    late(8, job("queued")),
    late(8, failure(503)),
    late(8, job("processing")),
    late(8, html),
    late(8, job("completed")),
  );
  await pollJob(client, "job_1", { intervalMs: 1, maxIntervalMs: 1 });
  expect(looks).toHaveLength(5);
  expect(mostAtOnce()).toBe(1);
});
