import {
  type CopyJobRequest,
  createClient,
  type ExtraJobParameters,
  type ImageJobRequest,
  type JobId,
  type JobRequest,
  type SubmittedJob,
  type VideoJobRequest,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";
import type { jobParameters } from "../helpers/job-parameters.ts";

const { jobs, brands, savedAds } = createClient();

describe("a job request", () => {
  test("knows the nine actions, and no other", async () => {
    expectTypeOf<JobRequest["action"]>().toEqualTypeOf<
      | "copy-ad"
      | "generate-ad"
      | "edit-ad"
      | "generate-ad-copy"
      | "image-a-2"
      | "image-a-pro"
      | "video-a-2"
      | "video-a-2-pro"
      | "video-b-3-0"
    >();
    // @ts-expect-error: misspelt
    await jobs.submit({ action: "generate-ads" });
    // @ts-expect-error: any text
    await jobs.submit({ action: "generate-ad" as string });
    // @ts-expect-error: missing
    await jobs.submit({ prompt: "Summer sale" });
  });

  test("gives a job that remembers its action", async () => {
    const job = await jobs.submit({ action: "edit-ad", prompt: "Bigger logo" });
    expectTypeOf(job).toEqualTypeOf<SubmittedJob<"edit-ad">>();
    expectTypeOf(job.job_id).toEqualTypeOf<JobId<"edit-ad">>();
    expectTypeOf(job.job_id).toExtend<string>();
  });

  test("knows the parameters of its action", async () => {
    await jobs.submit({
      action: "image-a-pro",
      prompt: "A dog",
      images: ["data:,"],
      variations: 4,
    });
    await jobs.submit({ action: "generate-ad-copy", variations: 2 });
    await jobs.submit({ action: "video-b-3-0", duration: 5 });
    // @ts-expect-error: a number
    await jobs.submit({ action: "generate-ad", variations: "4" });
    // @ts-expect-error: a number
    await jobs.submit({ action: "video-a-2", duration: "5" });
    // @ts-expect-error: a text
    await jobs.submit({ action: "video-a-2", prompt: 5 });
    // @ts-expect-error: a list
    await jobs.submit({ action: "copy-ad", images: "data:," });
  });

  test("has the parameters that the guide lists for its kind", () => {
    // A parameter of other actions is there as `never`. Other type tests declare one of their own.
    type Taken<R> = Exclude<
      { [Name in keyof R]-?: [R[Name]] extends [undefined] ? never : Name }[keyof R],
      "action" | keyof ExtraJobParameters
    >;
    type Listed<K extends keyof typeof jobParameters> = (typeof jobParameters)[K][number];
    expectTypeOf<Taken<ImageJobRequest>>().toEqualTypeOf<Listed<"image">>();
    expectTypeOf<Taken<VideoJobRequest>>().toEqualTypeOf<Listed<"video">>();
    expectTypeOf<Taken<CopyJobRequest>>().toEqualTypeOf<Listed<"copy">>();
  });

  test("lets a parameter that is not documented through by a cast alone", async () => {
    const style = "noir";
    const job = await jobs.submit({
      action: "generate-ad",
      style,
    } as ImageJobRequest<"generate-ad">);
    expectTypeOf(job).toEqualTypeOf<SubmittedJob<"generate-ad">>();
    await jobs.submitAndPoll({ action: "video-a-2", camera: "pan" } as VideoJobRequest);
    await jobs.submit({ action: "generate-ad-copy", nested: { deep: [true] } } as JobRequest);
    // @ts-expect-error: without the cast it may be misspelt
    await jobs.submit({ action: "generate-ad", style });
    // @ts-expect-error: without the cast it may be misspelt
    const request: JobRequest = { action: "video-a-2", camera: "pan" };
    await jobs.submit(request);
    // @ts-expect-error: a cast makes no other action of it
    await jobs.submit({ action: "video-a-2", style } as ImageJobRequest<"generate-ad">);
  });

  test("takes undefined for an absent parameter", async () => {
    const prompt = undefined as string | undefined;
    const amount = undefined as number | undefined;
    await jobs.submit({ action: "generate-ad", prompt, images: undefined, variations: amount });
    await jobs.submit({ action: "video-a-2", prompt, duration: amount });
  });
});

describe("other requests", () => {
  test("need what is assumed to be needed, and are open otherwise", async () => {
    await brands.create({ name: "Acme", colors: ["#f00"] });
    await brands.update("brand_1", { colors: [] });
    await brands.update("brand_1", { name: undefined });
    await savedAds.create({ brand_id: "brand_1", url: "data:," });
    // @ts-expect-error: a brand has a name
    await brands.create({ colors: ["#f00"] });
    // @ts-expect-error: an ad is saved to a brand
    await savedAds.create({ url: "data:," });
    // @ts-expect-error: an id is a text
    await brands.delete(7);
  });

  test("take a query of any names", async () => {
    await jobs.list({ limit: 5, status: "failed", all: true, cursor: undefined });
    await brands.list({ query: { limit: undefined }, signal: undefined });
    await brands.listAds("brand_1", { query: { limit: 5 } });
    // @ts-expect-error: a query holds plain values
    await jobs.list({ created: { after: 5 } });
  });
});
