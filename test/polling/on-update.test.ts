import { type Job, pollJob } from "adgen-sdk";
import { beforeEach, expect, test, vi } from "vitest";
import { failure } from "../helpers/answers.ts";
import { job, startJobService } from "./job-service.ts";

const soon = { intervalMs: 2, maxIntervalMs: 2 };

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  return () => vi.restoreAllMocks();
});

test("is called with the job after every poll, the finished one included", async () => {
  const { client } = await startJobService(
    job("queued", { place: 3 }),
    failure(503),
    job("processing"),
    job("processing"),
    job("completed", { result: 7 }),
  );
  const updates: Job[] = [];
  const finished = await pollJob(client, "job_1", { ...soon, onUpdate: (j) => updates.push(j) });
  expect(updates).toEqual([
    { job_id: "job_1", status: "queued", place: 3 },
    { job_id: "job_1", status: "processing" },
    { job_id: "job_1", status: "processing" },
    { job_id: "job_1", status: "completed", result: 7 },
  ]);
  expect(updates[3]).toBe(finished);
});

test("is called before the wait resolves", async () => {
  const { client } = await startJobService(job("failed"));
  const order: string[] = [];
  await pollJob(client, "job_1", { onUpdate: () => order.push("update") });
  order.push("resolved");
  expect(order).toEqual(["update", "resolved"]);
});

test.each<[string, () => void]>([
  [
    "throws",
    () => {
      throw new Error("bug in a progress bar");
    },
  ],
  ["rejects", () => Promise.reject(new Error("bug in a progress bar"))],
])("does not end the wait when it %s, and what it threw is printed", async (_, onUpdate) => {
  const { client, polls } = await startJobService(job("processing"), job("completed"));
  const finished = await pollJob(client, "job_1", { ...soon, onUpdate });
  expect(finished.status).toBe("completed");
  expect(polls).toHaveLength(2);
  expect(console.error).toHaveBeenCalledTimes(2);
  expect(console.error).toHaveBeenCalledWith(
    "adgen-sdk: onUpdate failed",
    expect.objectContaining({ message: "bug in a progress bar" }),
  );
});

test("is not waited for", async () => {
  const { client } = await startJobService(job("processing"), job("completed"));
  const finished = await pollJob(client, "job_1", {
    ...soon,
    onUpdate: () => new Promise(() => {}),
  });
  expect(finished.status).toBe("completed");
});

test("that aborts ends the wait before anything else is sent", async () => {
  const { client, polls } = await startJobService(job("processing"), job("completed"));
  const controller = new AbortController();
  const reason = new Error("seen enough");
  const waited = pollJob(client, "job_1", {
    intervalMs: 60_000,
    signal: controller.signal,
    onUpdate: () => controller.abort(reason),
  });
  await expect(waited).rejects.toMatchObject({
    name: "AbortError",
    cause: reason,
    jobId: "job_1",
    lastJob: { status: "processing" },
  });
  expect(polls).toHaveLength(1);
});

test("that aborts at the finished job does not lose it", async () => {
  const { client } = await startJobService(job("completed"));
  const controller = new AbortController();
  const finished = await pollJob(client, "job_1", {
    signal: controller.signal,
    onUpdate: () => controller.abort(),
  });
  expect(finished).toEqual({ job_id: "job_1", status: "completed" });
});
