import * as sdk from "adgen-sdk";
import * as assumed from "adgen-sdk/assumed";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";

const { createClient, pollJob, pollJobs, submitMany, watchJob } = sdk;
const client = createClient({
  schemas: {
    results: {
      "generate-ad": z.object({ images: z.array(z.string()) }),
      "generate-ad-copy": v.object({ copy: v.pipe(v.string(), v.transform(Number)) }),
      "video-a-2": type({ videos: "string[]" }),
    },
  },
});
const plain = createClient();

interface Images {
  images: string[];
}
interface Videos {
  videos: string[];
}

const submitted = client.jobs.submit({ action: "generate-ad" });

test("a result is typed by its action's schema through the submitted job, its id, or an id and the action", async () => {
  const job = await submitted;
  const ref = { job_id: "job_1", action: "video-a-2" } as const;
  const { jobs } = client;
  expectTypeOf(await pollJob(client, job)).toEqualTypeOf<sdk.FinishedJob<Images>>();
  expectTypeOf(await pollJob(client, job.job_id)).toEqualTypeOf<sdk.FinishedJob<Images>>();
  expectTypeOf(await pollJob(client, ref)).toEqualTypeOf<sdk.FinishedJob<Videos>>();
  // A destructured client keeps its types.
  expectTypeOf(await pollJob({ jobs }, job)).toEqualTypeOf<sdk.FinishedJob<Images>>();
  expectTypeOf(await jobs.get(job)).toEqualTypeOf<sdk.Job<Images>>();
  expectTypeOf(await jobs.get(job.job_id)).toEqualTypeOf<sdk.Job<Images>>();
  for await (const seen of watchJob(client, job)) {
    expectTypeOf(seen).toEqualTypeOf<sdk.Job<Images>>();
  }
  expectTypeOf(await pollJobs(client, [job])).toEqualTypeOf<sdk.RequestResult<Images>[]>();
});

test("a result is typed in submitAndPoll and onUpdate, transformed, and for one of two actions", async () => {
  const { submitAndPoll } = client.jobs;
  const video = await submitAndPoll(
    { action: "video-a-2", duration: 5 },
    { onUpdate: (job) => expectTypeOf(job).toEqualTypeOf<sdk.Job<Videos>>() },
  );
  expectTypeOf(video).toEqualTypeOf<sdk.FinishedJob<Videos>>();
  const copy = await submitAndPoll({ action: "generate-ad-copy" });
  expectTypeOf(copy).toEqualTypeOf<sdk.FinishedJob<{ copy: number }>>();
  const action = "generate-ad" as "generate-ad" | "video-a-2";
  expectTypeOf(await submitAndPoll({ action })).toEqualTypeOf<sdk.FinishedJob<Images | Videos>>();
});

test("a result is unknown without a schema, for a plain id, and in a list", async () => {
  const image = await client.jobs.submitAndPoll({ action: "image-a-2" });
  const ofPlain = await pollJob(plain, await plain.jobs.submit({ action: "generate-ad" }));
  expectTypeOf(image).toEqualTypeOf<sdk.FinishedJob<unknown>>();
  expectTypeOf(ofPlain).toEqualTypeOf<sdk.FinishedJob<unknown>>();
  expectTypeOf(await pollJob(client, "job_1")).toEqualTypeOf<sdk.FinishedJob<unknown>>();
  expectTypeOf(await client.jobs.get("job_1")).toEqualTypeOf<sdk.Job<unknown>>();
  expectTypeOf((await client.jobs.list()).items).toEqualTypeOf<sdk.Job[]>();
});

test("a job is a union on status that narrows to its members, and has no other", () => {
  const look = (job: sdk.Job<Images>) => {
    // @ts-expect-error: no such status
    if (job.status === "done") return;
    switch (job.status) {
      case "completed":
        expectTypeOf(job.result).toEqualTypeOf<Images>();
        return expectTypeOf(job).toEqualTypeOf<sdk.CompletedJob<Images>>();
      case "failed":
        expectTypeOf(job.error).toEqualTypeOf<string | undefined>();
        return expectTypeOf(job).toEqualTypeOf<sdk.FailedJob>();
      default:
        return expectTypeOf(job).toEqualTypeOf<sdk.UnfinishedJob>();
    }
  };
  expectTypeOf(look).toBeFunction();
});

test("a job has finished once a wait resolves, and its other fields are closed", async () => {
  const finished = await pollJob(client, await submitted);
  expectTypeOf(finished.status).toEqualTypeOf<"completed" | "failed">();
  // @ts-expect-error: whether there is a result is not known before `status` is looked at
  finished.result?.images;
  // @ts-expect-error: the API's document does not name it
  finished["created_at"];
  const { created_at } = finished as typeof finished & { created_at?: unknown };
  expectTypeOf(created_at).toBeUnknown();
  // @ts-expect-error: misspelt
  if (finished.status === "completed") finished.resutl;
});

test("results of submitMany are typed by all actions of a literal list", async () => {
  for await (const { index, ok, data } of submitMany(client, [
    { action: "generate-ad", variations: 2 },
    { action: "video-a-2", duration: 5 },
  ])) {
    if (ok) expectTypeOf(data).toEqualTypeOf<sdk.FinishedJob<Images | Videos>>();
    expectTypeOf(index).toEqualTypeOf<number>();
  }
});

test("results of submitMany are typed by the action of a list from elsewhere, or as a union", async () => {
  const requests = ["Tea"].map((prompt) => ({ action: "generate-ad", prompt }) as const);
  for await (const result of submitMany(client, requests)) {
    expectTypeOf(result).toEqualTypeOf<sdk.RequestResult<Images>>();
    const { ok, index, jobId, data, error } = result;
    expectTypeOf(index).toEqualTypeOf<number>();
    expectTypeOf(jobId).toEqualTypeOf<string | undefined>();
    if (ok) expectTypeOf(data).toEqualTypeOf<sdk.FinishedJob<Images>>();
    else expectTypeOf(error).toEqualTypeOf<sdk.AnyAdGenError>();
  }
  const mixed: { action: "generate-ad" | "video-a-2" }[] = [];
  for await (const { ok, data } of submitMany(client, mixed, {
    onUpdate: (job) => expectTypeOf(job).toEqualTypeOf<sdk.Job<Images | Videos>>(),
  })) {
    if (ok) expectTypeOf(data).toEqualTypeOf<sdk.FinishedJob<Images | Videos>>();
  }
});

test("without schemas, brands and saved ads have an id, and are open otherwise", async () => {
  const { brands, savedAds } = createClient();
  expectTypeOf(await brands.list()).toEqualTypeOf<sdk.Page<sdk.Brand>>();
  expectTypeOf(await brands.create({ name: "Acme" })).toEqualTypeOf<sdk.Brand>();
  expectTypeOf(await brands.update("brand_1", {})).toEqualTypeOf<sdk.Brand>();
  expectTypeOf(await brands.listAds("brand_1")).toEqualTypeOf<sdk.Page<sdk.SavedAd>>();
  expectTypeOf(await savedAds.create({ brand_id: "brand_1" })).toEqualTypeOf<sdk.SavedAd>();
  expectTypeOf(await brands.delete("brand_1")).toEqualTypeOf<sdk.Deleted>();
  expectTypeOf(await savedAds.delete("ad_1")).toEqualTypeOf<sdk.Deleted>();
  expectTypeOf<(sdk.Brand | sdk.SavedAd | sdk.Deleted)["id"]>().toBeString();
  expectTypeOf<sdk.Brand["name"]>().toBeUnknown();
  expectTypeOf<sdk.SavedAd["brand_id"]>().toBeUnknown();
  expectTypeOf<sdk.Page<sdk.Brand>["meta"]>().toEqualTypeOf<Record<string, unknown>>();
});

test("a schema of any library types every response by its output", async () => {
  const { brands, savedAds } = createClient({
    schemas: {
      brand: z.object({ id: z.string(), founded: z.iso.date().transform((day) => new Date(day)) }),
      savedAd: mini.object({ id: mini.string(), url: mini.url() }),
    },
  });
  type MyBrand = { id: string; founded: Date };
  type MyAd = { id: string; url: string };
  expectTypeOf((await brands.list()).items).toEqualTypeOf<MyBrand[]>();
  expectTypeOf(await brands.create({ name: "Acme" })).toEqualTypeOf<MyBrand>();
  expectTypeOf(await brands.update("brand_1", {})).toEqualTypeOf<MyBrand>();
  expectTypeOf((await brands.listAds("brand_1")).items).toEqualTypeOf<MyAd[]>();
  expectTypeOf(await savedAds.create({ brand_id: "brand_1" })).toEqualTypeOf<MyAd>();
  // @ts-expect-error: no Standard Schema
  createClient({ schemas: { brand: { id: "string" } } });
  // @ts-expect-error: misspelt
  createClient({ schemas: { brands: z.object({}) } });
  // @ts-expect-error: no such action
  createClient({ schemas: { results: { "generate-ads": z.object({}) } } });
});

const { assumedResults, assumedSchemas } = assumed;

test("the ready schemas give every action the result of its kind", async () => {
  type ResultOf<A extends sdk.Action> = sdk.ResultOf<assumed.AssumedSchemas, A>;
  type Pictures = "copy-ad" | "generate-ad" | "edit-ad" | "image-a-2" | "image-a-pro";
  type Videos = "video-a-2" | "video-a-2-pro" | "video-b-3-0";
  expectTypeOf<keyof assumed.AssumedSchemas["results"]>().toEqualTypeOf<sdk.Action>();
  expectTypeOf<ResultOf<Pictures>>().toEqualTypeOf<assumed.AssumedImageResult>();
  expectTypeOf<ResultOf<Videos>>().toEqualTypeOf<assumed.AssumedVideoResult>();
  expectTypeOf<ResultOf<"generate-ad-copy">>().toEqualTypeOf<assumed.AssumedCopyResult>();
});

test("the ready schemas are Standard Schemas of their interfaces, and no zod", async () => {
  type Schema<Output> = sdk.StandardSchema<unknown, Output>;
  expectTypeOf(assumedSchemas.brand).toEqualTypeOf<Schema<assumed.AssumedBrand>>();
  expectTypeOf(assumedSchemas).toEqualTypeOf<assumed.AssumedSchemas>();
  expectTypeOf(assumedSchemas).toExtend<sdk.ClientSchemas>();
  expectTypeOf(assumedResults).toEqualTypeOf<assumed.AssumedSchemas["results"]>();
  // A caller's schema replaces a ready one.
  const results = { ...assumedResults, "edit-ad": z.object({ image: z.string() }) };
  const { jobs } = createClient({ schemas: { ...assumedSchemas, results } });
  const edited = await jobs.submitAndPoll({ action: "edit-ad" });
  expectTypeOf(edited).toEqualTypeOf<sdk.FinishedJob<{ image: string }>>();
  const copied = await jobs.submitAndPoll({ action: "copy-ad" });
  expectTypeOf(copied).toEqualTypeOf<sdk.FinishedJob<assumed.AssumedImageResult>>();
});
