import { DecodeError, pollJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { queued, success } from "../helpers/answers.ts";
import { job, startJobService } from "./job-service.ts";

const soon = { intervalMs: 2, maxIntervalMs: 2 };

const schemas = {
  results: {
    "generate-ad": z.object({ images: z.array(z.object({ url: z.string() })) }),
  },
};

const good = { images: [{ url: "https://cdn.test/1.png", width: 1080 }] };
const bad = { images: [{ url: "https://cdn.test/1.png" }, { href: "elsewhere" }] };

const submitted = queued("job_1");

test("a failed job resolves: it is an answer", async () => {
  const { client } = await startJobService(job("queued"), job("failed", { error: "no luck" }));
  const finished = await pollJob(client, "job_1", soon);
  expect(finished).toEqual({ job_id: "job_1", status: "failed", error: "no luck" });
});

test("a failed job is not held against the schema", async () => {
  const service = await startJobService(job("failed", { result: "rubbish" }));
  const client = service.clientWith({ schemas });
  const finished = await pollJob(client, { job_id: "job_1", action: "generate-ad" }, soon);
  expect(finished.status).toBe("failed");
});

test("a job keeps every field it came with", async () => {
  const { client } = await startJobService(
    job("completed", { result: good, cost: 4, tags: ["a"] }),
  );
  expect(await pollJob(client, "job_1")).toEqual({
    job_id: "job_1",
    status: "completed",
    result: good,
    cost: 4,
    tags: ["a"],
  });
});

describe("a result that does not fit the schema", () => {
  const misfit = {
    name: "DecodeError",
    code: "decode",
    jobId: "job_1",
    lastJob: { job_id: "job_1", status: "completed", result: bad, cost: 4 },
    issues: [{ path: ["result", "images", 1, "url"], message: expect.any(String) }],
  };
  const finished = job("completed", { result: bad, cost: 4 });

  test("rejects at once with the paid job as it was received", async () => {
    const service = await startJobService(finished, job("completed", { result: good }));
    const client = service.clientWith({ schemas });
    const waited = pollJob(client, { job_id: "job_1", action: "generate-ad" }, soon);
    const error = await waited.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ ...misfit, attempts: 1 });
    expect(service.polls).toHaveLength(1);
  });

  test("holds the completed job where an unfinished one had been seen before", async () => {
    const service = await startJobService(job("queued"), job("processing"), finished);
    const client = service.clientWith({ schemas });
    const waited = pollJob(client, { job_id: "job_1", action: "generate-ad" }, soon);
    await expect(waited).rejects.toMatchObject({ ...misfit, attempts: 3 });
    expect(service.polls).toHaveLength(3);
  });

  test("is found for a job that this client submitted, by its id", async () => {
    const service = await startJobService(submitted, finished);
    const client = service.clientWith({ schemas });
    const { job_id } = await client.jobs.submit({ action: "generate-ad" });
    await expect(pollJob(client, job_id, soon)).rejects.toMatchObject(misfit);
  });

  test("is found for a job that this client submitted, by the job", async () => {
    const service = await startJobService(submitted, finished);
    const client = service.clientWith({ schemas });
    const submittedJob = await client.jobs.submit({ action: "generate-ad" });
    await expect(pollJob(client, submittedJob, soon)).rejects.toMatchObject(misfit);
  });

  test("is found where the job itself says its action", async () => {
    const service = await startJobService(
      job("completed", { result: bad, cost: 4, action: "generate-ad" }),
    );
    const client = service.clientWith({ schemas });
    await expect(pollJob(client, "job_1", soon)).rejects.toMatchObject({ code: "decode" });
  });

  test("ends submitAndPoll, and keeps the job", async () => {
    const service = await startJobService(submitted, finished);
    const client = service.clientWith({ schemas });
    const waited = client.jobs.submitAndPoll({ action: "generate-ad" }, soon);
    await expect(waited).rejects.toMatchObject(misfit);
    expect(service.polls).toHaveLength(2);
  });
});

describe("a result is the schema's output", () => {
  const wanted = { images: [{ url: "https://cdn.test/1.png" }] };
  const finished = job("completed", { result: good });

  test.each([
    ["an id and its action", { job_id: "job_1", action: "generate-ad" }],
    ["anything that holds both", { job_id: "job_1", action: "generate-ad", status: "queued" }],
  ] as const)("for %s", async (_, ref) => {
    const service = await startJobService(finished);
    const client = service.clientWith({ schemas });
    expect(await pollJob(client, ref)).toMatchObject({ result: wanted });
    expect(service.polls[0]).toMatchObject({ method: "GET", url: "/v1/jobs/job_1" });
  });

  test("for a job that this client submitted, under any name of its action", async () => {
    const data = { job_id: "job_1", status: "queued", action: "Generate ad" };
    const service = await startJobService(success(data, 202), finished);
    const client = service.clientWith({ schemas });
    const submittedJob = await client.jobs.submit({ action: "generate-ad" });
    const { result } = (await pollJob(client, submittedJob)) as { result: unknown };
    expect(result).toEqual(wanted);
  });

  test("but not for an id of an unknown action, whose result stays whole", async () => {
    const service = await startJobService(job("completed", { result: bad }));
    const client = service.clientWith({ schemas });
    expect(await pollJob(client, "job_1")).toMatchObject({ result: bad });
  });
});
