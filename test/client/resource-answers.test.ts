import { describe, expect, it } from "vitest";
import type { AdGenClient, DriftEvent } from "../../src/index.ts";
import { raw, success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

describe("a deletion", () => {
  type Call = (client: AdGenClient, id: string) => Promise<unknown>;
  const deletions: readonly [string, Call][] = [
    ["brands.delete", ({ brands }, id) => brands.delete(id)],
    ["savedAds.delete", ({ savedAds }, id) => savedAds.delete(id)],
  ];

  describe.each(deletions)("%s", (_, call) => {
    it.each([
      ["204 without a body", raw(204)],
      ["200 without a body", raw(200)],
      ["202 without a body", raw(202)],
      ["200 without data", success(null)],
      ["200 with empty data", success({})],
    ])("tells the id when the answer is %s", async (_, answer) => {
      const server = await listen(answer);
      expect(await call(clientOf(server), "x-1")).toEqual({ id: "x-1", deleted: true });
    });

    it("keeps the service's data", async () => {
      const server = await listen(success({ id: "x-1", deleted: true, ads: 3 }));
      expect(await call(clientOf(server), "x-1")).toEqual({ id: "x-1", deleted: true, ads: 3 });
    });
  });
});

describe("brands.update", () => {
  it.each([200, 201, 202])("takes a %i", async (status) => {
    const server = await listen(success({ id: "b-1", name: "Acme" }, status));
    const brand = await clientOf(server).brands.update("b-1", { name: "Acme" });
    expect(brand).toEqual({ id: "b-1", name: "Acme" });
  });

  it("sends no field that is undefined", async () => {
    const server = await listen(success({ id: "b-1" }));
    await clientOf(server).brands.update("b-1", { name: undefined, colors: [] });
    expect(server.received[0]?.body).toBe('{"colors":[]}');
  });
});

describe("jobs.get", () => {
  const get = async (data: object, ref: Parameters<AdGenClient["jobs"]["get"]>[0] = "job-1") =>
    clientOf(await listen(success(data))).jobs.get(ref);

  it("fills in an id that the answer leaves out", async () => {
    expect(await get({ status: "queued" })).toEqual({ job_id: "job-1", status: "queued" });
  });

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
