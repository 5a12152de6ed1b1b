import { type Job, watchJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { failure } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { job, startJobService } from "./job-service.ts";

const soon = { intervalMs: 2, maxIntervalMs: 2 };

const collect = async (jobs: AsyncIterable<Job>): Promise<Job[]> => {
  const collected: Job[] = [];
  for await (const seen of jobs) collected.push(seen);
  return collected;
};

describe("watchJob", () => {
  test("yields the job of each poll, and ends after the finished one", async () => {
    const { client, polls } = await startJobService(
      job("queued"),
      job("processing", { progress: 1 }),
      job("processing", { progress: 1 }),
      job("failed", { error: "no luck" }),
    );
    expect(await collect(watchJob(client, "job_1", soon))).toEqual([
      { job_id: "job_1", status: "queued" },
      { job_id: "job_1", status: "processing", progress: 1 },
      { job_id: "job_1", status: "processing", progress: 1 },
      { job_id: "job_1", status: "failed", error: "no luck" },
    ]);
    expect(polls).toHaveLength(4);
  });

  test("yields nothing for a poll that fails", async () => {
    const { client, polls } = await startJobService(
      failure(503),
      job("queued"),
      failure(500),
      job("completed"),
    );
    const statuses = (await collect(watchJob(client, "job_1", soon))).map(({ status }) => status);
    expect(statuses).toEqual(["queued", "completed"]);
    expect(polls).toHaveLength(4);
  });

  test("makes no poll before it is asked for one", async () => {
    const { client, polls } = await startJobService(job("queued"), job("completed"));
    const jobs = watchJob(client, "job_1", { intervalMs: 1 });
    await pause(20);
    expect(polls).toHaveLength(0);
    expect((await jobs.next()).value).toMatchObject({ status: "queued" });
    await pause(20);
    expect(polls).toHaveLength(1);
    expect((await jobs.next()).value).toMatchObject({ status: "completed" });
    expect(await jobs.next()).toEqual({ done: true, value: undefined });
  });

  test("throws the error that ends the wait out of the loop", async () => {
    const { client } = await startJobService(job("processing"), failure(403));
    const seen: Job[] = [];
    const watch = async () => {
      for await (const update of watchJob(client, "job_1", soon)) seen.push(update);
    };
    await expect(watch()).rejects.toMatchObject({
      name: "ApiError",
      status: 403,
      jobId: "job_1",
      lastJob: { status: "processing" },
    });
    expect(seen).toHaveLength(1);
  });

  test("calls onUpdate before it yields", async () => {
    const { client } = await startJobService(job("completed"));
    const order: string[] = [];
    const options = { onUpdate: () => order.push("onUpdate") };
    for await (const { status } of watchJob(client, "job_1", options)) order.push(status);
    expect(order).toEqual(["onUpdate", "completed"]);
  });

  test("checks the result by the schema of the action", async () => {
    const service = await startJobService(job("completed", { result: { images: 4 } }));
    const client = service.clientWith({
      schemas: { results: { "generate-ad": z.object({ images: z.string() }) } },
    });
    const ref = { job_id: "job_1", action: "generate-ad" } as const;
    await expect(collect(watchJob(client, ref))).rejects.toMatchObject({
      name: "DecodeError",
      issues: [{ path: ["result", "images"] }],
      lastJob: { result: { images: 4 } },
    });
  });
});
