import * as sdk from "adgen-sdk";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { jobParameters } from "../helpers/calls.ts";

const { createClient, pollJob } = sdk;

// These declarations apply to all files that are checked together, so their names are unusual.
declare module "adgen-sdk" {
  interface ExtraJobParameters {
    test_style?: "noir" | "plain";
  }
  interface ExtraJobFields {
    test_cost?: number;
  }
}

const client = createClient({
  schemas: { results: { "generate-ad": z.object({ images: z.array(z.string()) }) } },
});
const { jobs, brands, savedAds } = client;
interface Images {
  images: string[];
}

test("a job request knows the nine actions, and no other", async () => {
  expectTypeOf<(typeof sdk.actions)[number]>().toEqualTypeOf<sdk.Action>();
  expectTypeOf<sdk.JobRequest["action"]>().toEqualTypeOf<
    | ("copy-ad" | "generate-ad" | "edit-ad" | "generate-ad-copy")
    | ("image-a-2" | "image-a-pro" | "video-a-2" | "video-a-2-pro" | "video-b-3-0")
  >();
  // @ts-expect-error: any text
  await jobs.submit({ action: "generate-ad" as string });
  const job = await jobs.submit({ action: "edit-ad", prompt: "Bigger logo" });
  expectTypeOf(job).toEqualTypeOf<sdk.SubmittedJob<"edit-ad">>();
  expectTypeOf(job.job_id).toEqualTypeOf<sdk.JobId<"edit-ad">>();
  expectTypeOf(job.job_id).toExtend<string>();
});

test("a job request knows the parameters of its kind, which the guide lists, and takes undefined", async () => {
  interface ForAll {
    prompt?: string | undefined;
    images?: readonly string[] | undefined;
    brand_id?: string | undefined;
  }
  interface Counted extends ForAll {
    variations?: number | undefined;
  }
  interface Timed extends ForAll {
    duration?: number | undefined;
  }
  // Other type tests declare a parameter of their own.
  type Known<R> = Omit<R, keyof sdk.ExtraJobParameters>;
  expectTypeOf<Known<sdk.ImageJobParameters>>().toEqualTypeOf<Counted>();
  expectTypeOf<Known<sdk.CopyJobParameters>>().toEqualTypeOf<Counted>();
  expectTypeOf<Known<sdk.VideoJobParameters>>().toEqualTypeOf<Timed>();
  type Listed<K extends keyof typeof jobParameters> = (typeof jobParameters)[K][number];
  expectTypeOf<Listed<"image" | "copy">>().toEqualTypeOf<keyof Counted>();
  expectTypeOf<Listed<"video">>().toEqualTypeOf<keyof Timed>();
});

test("a job request and a job have declared extra fields, with their types", async () => {
  const request: sdk.JobRequest = { action: "generate-ad-copy", test_style: "noir" };
  await jobs.submit(request);
  await jobs.submit({} as { action: "edit-ad"; test_style: "noir" });
  const job = await jobs.submit({ action: "generate-ad", test_style: "noir" });
  // @ts-expect-error: no such style
  await jobs.submit({ action: "generate-ad", test_style: "loud" });
  // @ts-expect-error: misspelt
  await jobs.submit({ action: "generate-ad", test_stlye: "noir" });
  const finished = await pollJob(client, job);
  const [listed] = (await jobs.list()).items;
  expectTypeOf(job.test_cost).toEqualTypeOf<number | undefined>();
  expectTypeOf(finished.test_cost).toEqualTypeOf<number | undefined>();
  expectTypeOf(listed?.test_cost).toEqualTypeOf<number | undefined>();
  // @ts-expect-error: misspelt
  finished.test_costs;
});

test("a job request may go through wrappers that keep the action", async () => {
  const submitLogged = async <A extends sdk.Action>(request: sdk.JobRequest<A>) =>
    jobs.submit({ ...request, brand_id: "brand_1" });
  const job = await submitLogged({ action: "generate-ad", variations: 2 });
  expectTypeOf(job).toEqualTypeOf<sdk.SubmittedJob<"generate-ad">>();
  expectTypeOf(await pollJob(client, job)).toEqualTypeOf<sdk.FinishedJob<Images>>();
  const draw = async <A extends sdk.ImageAction>(action: A, prompt: string) =>
    jobs.submitAndPoll({ action, prompt, variations: 2 });
  expectTypeOf(await draw("generate-ad", "Tea")).toEqualTypeOf<sdk.FinishedJob<Images>>();
  const submitAny = async (request: sdk.JobRequest) => jobs.submit(request);
  expectTypeOf(submitAny).returns.resolves.toEqualTypeOf<sdk.SubmittedJob>();
});

test("requests for brands and saved ads need the assumed fields, and are open otherwise", async () => {
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

test("a query takes any names, but plain values only, and no options of the call", async () => {
  await jobs.list({ limit: 5, status: "failed", all: true, cursor: undefined });
  await jobs.list({ limit: 5 }, { timeoutMs: 5_000, maxRetries: 3 });
  await brands.list({ limit: undefined }, { signal: undefined });
  await brands.listAds("brand_1", { limit: 5 });
  // @ts-expect-error: a query holds plain values
  await jobs.list({ created: { after: 5 } });
  // @ts-expect-error: an option, not a query
  await jobs.list({ signal: AbortSignal.timeout(5_000) });
});
