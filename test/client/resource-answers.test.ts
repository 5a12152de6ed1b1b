import { describe, expect, it } from "vitest";
import type { AdGenClient, DriftEvent } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

describe("jobs.get", () => {
  const get = async (data: object, ref: Parameters<AdGenClient["jobs"]["get"]>[0] = "job-1") =>
    clientOf(await listen(success(data))).jobs.get(ref);

  it("takes an id, or anything that holds one", async () => {
    const job = { job_id: "job-1", status: "processing", progress: 40 };
    expect(await get(job, "job-1")).toEqual(job);
    expect(await get(job, { job_id: "job-1" })).toEqual(job);
    expect(await get(job, { job_id: "job-1", action: "video-a-2" })).toEqual(job);
  });

  it.each([["job-2"], [""], [null], [1]])("refuses the answer of job %j", async (job_id) => {
    const data = { job_id, status: "completed" };
    const error = await rejection(get(data));
    expect(error).toMatchObject({
      name: "DecodeError",
      code: "decode",
      jobId: "job-1",
      path: "/v1/jobs/job-1",
      received: { success: true, data, error: null },
    });
    expect(error.lastJob).toBeUndefined();
  });
});

it("reports a job's unknown status, in a list too, and changes nothing", async () => {
  const drifts: DriftEvent[] = [];
  const hooks = { onDrift: (drift: DriftEvent) => drifts.push(drift) };
  const paused = { job_id: "job-1", status: "paused" };
  const server = await listen(success(paused), success({ jobs: [paused] }));
  const { jobs } = clientOf(server, { hooks });
  expect(await jobs.get("job-1")).toEqual(paused);
  expect((await jobs.list()).items).toEqual([paused]);
  expect(drifts).toEqual([
    { method: "GET", path: "/v1/jobs/job-1", message: "job status paused" },
    { method: "GET", path: "/v1/jobs", message: "job status paused" },
  ]);
});
