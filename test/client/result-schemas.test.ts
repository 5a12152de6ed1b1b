import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { resolveConfig } from "../../src/options/resolve-config.ts";
import { createJobs } from "../../src/resources/jobs.ts";
import { createPost } from "../../src/resources/post-once.ts";
import type { CallInput, Transport } from "../../src/transport/call.ts";
import { queued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

describe("a result", () => {
  const ref = { job_id: "job-1", action: "generate-ad" } as const;
  const schemas = {
    results: { "generate-ad": z.object({ images: z.array(z.string()) }), "edit-ad": z.string() },
  };
  const completed = { job_id: "job-1", status: "completed", result: "edited", cost: 4 };

  it("that does not fit leaves the whole job in the error", async () => {
    const server = await listen(success(completed));
    const error = await rejection(clientOf(server, { schemas }).jobs.get(ref));
    expect(error).toMatchObject({
      name: "DecodeError",
      code: "decode",
      jobId: "job-1",
      lastJob: completed,
      issues: [{ path: ["result"] }],
    });
    expect(Object.keys(error)).not.toContain("lastJob");
  });

  it("is checked by the schema of its own action", async () => {
    const server = await listen(success(completed));
    const { jobs } = clientOf(server, { schemas });
    expect(await jobs.get({ job_id: "job-1", action: "edit-ad" })).toEqual(completed);
    expect(await jobs.get({ job_id: "job-1", action: "copy-ad" })).toEqual(completed);
  });

  it("is checked once the job is completed only", async () => {
    const failed = { job_id: "job-1", status: "failed", result: 7 };
    const unfinished = { job_id: "job-1", status: "processing", result: 7 };
    const server = await listen(success(failed), success(unfinished));
    const { jobs } = clientOf(server, { schemas });
    expect(await jobs.get(ref)).toEqual(failed);
    expect(await jobs.get(ref)).toEqual(unfinished);
  });

  it("may be missing where the schema says so, and not elsewhere", async () => {
    const server = await listen(success({ status: "completed" }));
    expect(await rejection(clientOf(server, { schemas }).jobs.get(ref))).toMatchObject({
      code: "decode",
      lastJob: { job_id: "job-1", status: "completed" },
    });
    const optional = { results: { "generate-ad": z.string().optional() } };
    expect(await clientOf(server, { schemas: optional }).jobs.get(ref)).toMatchObject({
      status: "completed",
    });
  });

  it("is not looked for in a list", async () => {
    const server = await listen(success({ jobs: [{ ...completed, action: "generate-ad" }] }));
    expect((await clientOf(server, { schemas }).jobs.list()).items).toHaveLength(1);
  });

  it("is known by its id once this client has submitted the job", async () => {
    const server = await listen(queued("job-1"), success(completed));
    const { jobs } = clientOf(server, { schemas });
    await jobs.submit(paidJob);
    expect(await rejection(jobs.get("job-1"))).toMatchObject({ code: "decode" });
    expect(await clientOf(server, { schemas }).jobs.get("job-1")).toEqual(completed);
  });

  it("is known for the last 10,000 jobs that this client has submitted", async () => {
    let submitted = 0;
    const prepareCall = (name: EndpointName, { id }: CallInput) => ({
      ...{ name, id, endpoint: endpoints[name] },
    });
    const send = async (call: { readonly name: string; readonly id: unknown }) => {
      const isNew = call.name === "jobs.submit";
      const id = isNew ? `job-${++submitted}` : call.id;
      const data = { job_id: id, status: isNew ? "queued" : "completed", result: 7 };
      const facts = { method: "GET", path: "/v1/jobs", deadlineAt: performance.now() + 60_000 };
      const times = { attemptTimeoutMs: 60_000, totalTimeoutMs: 60_000 };
      return { call: { ...facts, ...times }, fields: {}, clean: String, data };
    };
    const transport = { prepareCall, send } as unknown as Transport;
    const config = resolveConfig({ baseUrl: "http://ads.test", apiKey: "test-key", schemas });
    const jobs = createJobs(transport, config, createPost(transport, undefined));
    for (let count = 0; count < 10_001; count++) await jobs.submit(paidJob);
    expect(await jobs.get("job-1")).toMatchObject({ result: 7 });
    expect(await rejection(jobs.get("job-2"))).toMatchObject({ code: "decode" });
    expect(await rejection(jobs.get("job-10001"))).toMatchObject({ code: "decode" });
  });
});
