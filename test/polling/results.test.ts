import { DecodeError, type JobRef, pollJob, pollJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import {
  createScriptedClient,
  play,
  success,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

const images = z.object({ images: z.array(z.object({ url: z.string() })) });
const client = { schemas: { results: { "generate-ad": images, "edit-ad": z.number() } } };
const generated = { job_id: "job_1", action: "generate-ad" } as const;

const good = { images: [{ url: "https://cdn.test/1.png", width: 1080 }] };
const bad = { images: [{ url: "https://cdn.test/1.png" }, { href: "elsewhere" }] };
const completed = (result: unknown, more: object = {}) =>
  success({ status: "completed", result, ...more });

describe("a result is the output of the schema of the job's action", () => {
  const wanted = { images: [{ url: "https://cdn.test/1.png" }] };

  test.each<[string, JobRef, object]>([
    ["an id and its action", generated, {}],
    ["anything that holds both", { ...generated, status: "queued" } as JobRef, {}],
    ["a job that says its action itself", "job_1", { action: "generate-ad" }],
  ])("for %s", async (_, job, more) => {
    const { settled } = await play([completed(good, more)], { client, job });
    expect(settled.value.result).toEqual(wanted);
  });

  test.each([
    ["by its id", "job_1"],
    ["by the job", undefined],
  ])("for a job that this client submitted, %s", async (_, id) => {
    // The service may call the action by another name.
    const data = { job_id: "job_1", status: "queued", action: "Generate ad" };
    const scripted = createScriptedClient([success(data, 202), completed(good)], client);
    const job = await scripted.client.jobs.submit({ action: "generate-ad" });
    const settled = watchPromise(pollJob(scripted.client, id ?? job), scripted.now);
    await vi.runAllTimersAsync();
    expect(settled.value.result).toEqual(wanted);
  });

  test.each<[string, JobRef, object]>([
    [
      "an unknown action",
      { ...generated, action: "draw" } as never,
      { status: "completed", result: bad },
    ],
    ["no action", "job_1", { status: "completed", result: good, cost: 4, tags: ["a"] }],
    ["a failed job", generated, { status: "failed", result: "rubbish" }],
  ])("but stays whole, with all fields of its job, for %s", async (_, job, data) => {
    const { settled } = await play([success(data)], { client, job });
    expect(settled.value).toEqual({ job_id: "job_1", ...data });
  });
});

describe("a result that does not fit its schema", () => {
  const job = { job_id: "job_1", status: "completed", result: bad, cost: 4 };
  const misfit = {
    name: "DecodeError",
    code: "decode",
    jobId: "job_1",
    lastJob: job,
    issues: [{ path: ["result", "images", 1, "url"], message: expect.any(String) }],
  };

  test.each([
    ["at once", []],
    ["after an unfinished job", ["queued", "processing"]],
  ])("rejects %s, with the paid job as it was received", async (_, before) => {
    const script = [...before, completed(bad, { cost: 4 }), completed(good)];
    const { polls, settled } = await play(script, { client, job: generated });
    expect(settled.error).toBeInstanceOf(DecodeError);
    expect(settled.error).toMatchObject({ ...misfit, attempts: before.length + 1 });
    expect(polls).toHaveLength(before.length + 1);
  });

  test("is the place of its job alone in the answer of pollJobs", async () => {
    const scripted = createScriptedClient([completed(4)], client);
    const jobs = [generated, { job_id: "job_2", action: "edit-ad" }] as const;
    expect(await pollJobs(scripted.client, jobs)).toMatchObject([
      { ok: false, error: { code: "decode", jobId: "job_1", lastJob: { result: 4 } } },
      { ok: true, data: { job_id: "job_2", result: 4 } },
    ]);
  });
});
