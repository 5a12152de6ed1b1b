import {
  type CompletedJob,
  createClient,
  type FailedJob,
  type FinishedJob,
  type Job,
  pollJob,
  pollJobs,
  type Result,
  type UnfinishedJob,
  watchJob,
} from "adgen-sdk";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";

const client = createClient({
  schemas: {
    results: {
      "generate-ad": z.object({ images: z.array(z.string()) }),
      "generate-ad-copy": v.object({ copy: v.pipe(v.string(), v.transform(Number)) }),
      "video-a-2": type({ videos: "string[]" }),
    },
  },
});

interface Images {
  images: string[];
}
interface Videos {
  videos: string[];
}

const submitted = client.jobs.submit({ action: "generate-ad" });

describe("a result is typed by the schema of its action", () => {
  test("through the submitted job, and through its id", async () => {
    const job = await submitted;
    expectTypeOf(await pollJob(client, job)).toEqualTypeOf<FinishedJob<Images>>();
    expectTypeOf(await pollJob(client, job.job_id)).toEqualTypeOf<FinishedJob<Images>>();
  });

  test("through an id and the action", async () => {
    const ref = { job_id: "job_1", action: "video-a-2" } as const;
    expectTypeOf(await pollJob(client, ref)).toEqualTypeOf<FinishedJob<Videos>>();
  });

  test("after a transformation by the schema", async () => {
    const finished = await client.jobs.submitAndPoll({ action: "generate-ad-copy" });
    expectTypeOf(finished).toEqualTypeOf<FinishedJob<{ copy: number }>>();
  });

  test("in submitAndPoll and its onUpdate", async () => {
    const finished = await client.jobs.submitAndPoll(
      { action: "video-a-2", duration: 5 },
      { onUpdate: (job) => expectTypeOf(job).toEqualTypeOf<Job<Videos>>() },
    );
    expectTypeOf(finished).toEqualTypeOf<FinishedJob<Videos>>();
  });

  test("in get, watchJob and pollJobs", async () => {
    const job = await submitted;
    expectTypeOf(await client.jobs.get(job)).toEqualTypeOf<Job<Images>>();
    expectTypeOf(await client.jobs.get(job.job_id)).toEqualTypeOf<Job<Images>>();
    for await (const seen of watchJob(client, job)) {
      expectTypeOf(seen).toEqualTypeOf<Job<Images>>();
    }
    expectTypeOf(await pollJobs(client, [job])).toEqualTypeOf<Result<FinishedJob<Images>>[]>();
  });

  test("with a client that was taken apart", async () => {
    const { jobs } = client;
    expectTypeOf(await pollJob({ jobs }, await submitted)).toEqualTypeOf<FinishedJob<Images>>();
  });

  test("as a union where the action is one", async () => {
    const action = "generate-ad" as "generate-ad" | "video-a-2";
    const finished = await client.jobs.submitAndPoll({ action });
    expectTypeOf(finished).toEqualTypeOf<FinishedJob<Images | Videos>>();
  });
});

describe("a result is unknown", () => {
  test("for an action without a schema", async () => {
    const finished = await client.jobs.submitAndPoll({ action: "image-a-2" });
    expectTypeOf(finished).toEqualTypeOf<FinishedJob<unknown>>();
  });

  test("for a plain id, whose action is unknown", async () => {
    expectTypeOf(await pollJob(client, "job_1")).toEqualTypeOf<FinishedJob<unknown>>();
    expectTypeOf(await client.jobs.get("job_1")).toEqualTypeOf<Job<unknown>>();
  });

  test("for a client without schemas", async () => {
    const plain = createClient();
    const job = await plain.jobs.submit({ action: "generate-ad" });
    expectTypeOf(await pollJob(plain, job)).toEqualTypeOf<FinishedJob<unknown>>();
  });

  test("in a list", async () => {
    expectTypeOf((await client.jobs.list()).items).toEqualTypeOf<Job[]>();
  });
});

describe("a job is a union on `status`", () => {
  test("that narrows to its members", () => {
    const look = (job: Job<Images>) => {
      switch (job.status) {
        case "completed":
          expectTypeOf(job).toEqualTypeOf<CompletedJob<Images>>();
          expectTypeOf(job.result).toEqualTypeOf<Images>();
          break;
        case "failed":
          expectTypeOf(job).toEqualTypeOf<FailedJob>();
          expectTypeOf(job.error).toEqualTypeOf<string | undefined>();
          break;
        default:
          expectTypeOf(job).toEqualTypeOf<UnfinishedJob>();
      }
    };
    expectTypeOf(look).toBeFunction();
  });

  test("which has finished once a wait resolves", async () => {
    const finished = await pollJob(client, await submitted);
    expectTypeOf(finished.status).toEqualTypeOf<"completed" | "failed">();
    // @ts-expect-error: whether there is a result is not known before `status` is looked at
    finished.result?.images;
  });

  test("whose other fields are closed, and open by a cast", async () => {
    const finished = await pollJob(client, await submitted);
    // @ts-expect-error: the API's document does not name it
    finished["created_at"];
    const { created_at } = finished as typeof finished & { created_at?: unknown };
    expectTypeOf(created_at).toBeUnknown();
  });
});
