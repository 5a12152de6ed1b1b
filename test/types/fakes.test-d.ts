import {
  type AdGenClient,
  type CallOptions,
  type FinishedJob,
  type Job,
  type JobReader,
  type JobRef,
  type JobsResource,
  type PollClient,
  pollJob,
  pollJobs,
  type Result,
  watchJob,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";

describe("a client written by hand", () => {
  test("serves every wait without a cast", async () => {
    const client: PollClient = {
      jobs: { get: async () => ({ job_id: "job_1", status: "completed", result: 7 }) },
    };
    expectTypeOf(await pollJob(client, "job_1")).toEqualTypeOf<FinishedJob>();
    expectTypeOf(await pollJobs(client, ["job_1"])).toEqualTypeOf<Result<FinishedJob>[]>();
    for await (const job of watchJob(client, { job_id: "job_1", action: "generate-ad" })) {
      expectTypeOf(job).toEqualTypeOf<Job>();
    }
  });

  test("may stand in the call", async () => {
    await pollJob({ jobs: { get: async () => ({ job_id: "a", status: "failed" }) } }, "a");
  });

  test("may read the reference and the options", async () => {
    const asked: JobRef[] = [];
    const client = {
      jobs: {
        get: async (job: JobRef, options?: CallOptions): Promise<Job> => {
          asked.push(job);
          options?.signal?.throwIfAborted();
          return { job_id: typeof job === "string" ? job : job.job_id, status: "queued" };
        },
      },
    };
    await pollJob(client, "job_1");
  });

  test("may be a class", async () => {
    class FakeClient {
      readonly jobs = { get: (): Promise<Job> => Promise.reject(new Error("offline")) };
    }
    await pollJob(new FakeClient(), "job_1");
  });

  test("may give results of a type of its own", async () => {
    const get = async (): Promise<Job<{ images: string[] }>> => ({
      job_id: "job_1",
      status: "completed",
      result: { images: [] },
    });
    expectTypeOf(await pollJob({ jobs: { get } }, "job_1")).toEqualTypeOf<FinishedJob>();
  });

  test("serves code that submits and waits", async () => {
    interface Needed {
      readonly jobs: Pick<JobsResource, "submit"> & JobReader;
    }
    const makeAd = async (client: Needed): Promise<FinishedJob> => {
      const job = await client.jobs.submit({ action: "generate-ad", variations: 2 });
      return pollJob(client, job);
    };
    await makeAd({
      jobs: {
        submit: async () => ({ job_id: "job_1", status: "queued" }),
        get: async () => ({ job_id: "job_1", status: "completed", result: 7 }),
      },
    });
    await makeAd({} as AdGenClient);
  });

  test("must give jobs", () => {
    // @ts-expect-error: no job
    void pollJob({ jobs: { get: async () => ({ id: "job_1" }) } }, "job_1");
    // @ts-expect-error: no such status
    void pollJob({ jobs: { get: async () => ({ job_id: "a", status: "done" }) } }, "a");
    // @ts-expect-error: no client
    void pollJob({ get: async () => ({ job_id: "a", status: "failed" }) }, "a");
  });
});
