import type * as sdk from "adgen-sdk";
import {
  type Action,
  type ClientSchemas,
  createClient,
  type FinishedJob,
  type Page,
  pollJob,
  type StandardSchema,
} from "adgen-sdk";
import * as assumed from "adgen-sdk/assumed";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";

declare module "adgen-sdk/assumed" {
  interface AssumedImage {
    test_seed?: number;
  }
}

const { assumedResults, assumedSchemas } = assumed;
const client = createClient({ schemas: assumedSchemas });

test("every action has the result of its kind, in a wait too", async () => {
  type ResultOf<A extends Action> = sdk.ResultOf<assumed.AssumedSchemas, A>;
  type Pictures = "copy-ad" | "generate-ad" | "edit-ad" | "image-a-2" | "image-a-pro";
  type Videos = "video-a-2" | "video-a-2-pro" | "video-b-3-0";
  expectTypeOf<keyof assumed.AssumedSchemas["results"]>().toEqualTypeOf<Action>();
  expectTypeOf<ResultOf<Pictures>>().toEqualTypeOf<assumed.AssumedImageResult>();
  expectTypeOf<ResultOf<Videos>>().toEqualTypeOf<assumed.AssumedVideoResult>();
  expectTypeOf<ResultOf<"generate-ad-copy">>().toEqualTypeOf<assumed.AssumedCopyResult>();
  const finished = await pollJob(client, await client.jobs.submit({ action: "generate-ad-copy" }));
  expectTypeOf(finished).toEqualTypeOf<FinishedJob<assumed.AssumedCopyResult>>();
  const job = await client.jobs.submitAndPoll({ action: "generate-ad", prompt: "Lemonade" });
  if (job.status !== "completed") return;
  expectTypeOf(job.result.images).toEqualTypeOf<assumed.AssumedImage[]>();
  expectTypeOf(job.result.images.map(({ url }) => url)).toEqualTypeOf<string[]>();
  expectTypeOf(job.result.images[0]?.width).toEqualTypeOf<number | undefined>();
  expectTypeOf(job.result.images[0]?.test_seed).toEqualTypeOf<number | undefined>();
  // @ts-expect-error: misspelt
  job.result.imagse;
  // @ts-expect-error: pictures have no length
  job.result.images[0]?.duration;
});

test("brands and saved ads have their fields, and are open otherwise", async () => {
  const brand = await client.brands.create({ name: "Acme" });
  const ad = await client.savedAds.create({ brand_id: brand.id });
  const ads = await client.brands.listAds(brand.id);
  expectTypeOf(brand).toEqualTypeOf<assumed.AssumedBrand>();
  expectTypeOf(brand.id).toBeString();
  expectTypeOf(brand.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(ad.brand_id).toEqualTypeOf<string | undefined>();
  expectTypeOf(brand["colors"]).toBeUnknown();
  expectTypeOf(ad["headline"]).toBeUnknown();
  expectTypeOf(ads).toEqualTypeOf<Page<assumed.AssumedSavedAd>>();
});

test("the ready schemas are Standard Schemas of their interfaces, and no zod", async () => {
  type Schema<Output> = StandardSchema<unknown, Output>;
  expectTypeOf(assumedSchemas).toEqualTypeOf<assumed.AssumedSchemas>();
  expectTypeOf(assumedSchemas).toExtend<ClientSchemas>();
  expectTypeOf(assumedResults).toEqualTypeOf<assumed.AssumedSchemas["results"]>();
  expectTypeOf(assumed.assumedBrand).toEqualTypeOf<Schema<assumed.AssumedBrand>>();
  expectTypeOf(assumed.assumedSavedAd).toEqualTypeOf<Schema<assumed.AssumedSavedAd>>();
  expectTypeOf(assumed.assumedImageResult).toEqualTypeOf<Schema<assumed.AssumedImageResult>>();
  expectTypeOf(assumed.assumedVideoResult).toEqualTypeOf<Schema<assumed.AssumedVideoResult>>();
  expectTypeOf(assumed.assumedCopyResult).toEqualTypeOf<Schema<assumed.AssumedCopyResult>>();
  // One's own takes the place of a ready one.
  const results = { ...assumedResults, "edit-ad": z.object({ image: z.string() }) };
  const { jobs } = createClient({ schemas: { ...assumedSchemas, results } });
  const edited = await jobs.submitAndPoll({ action: "edit-ad" });
  expectTypeOf(edited).toEqualTypeOf<FinishedJob<{ image: string }>>();
  const copied = await jobs.submitAndPoll({ action: "copy-ad" });
  expectTypeOf(copied).toEqualTypeOf<FinishedJob<assumed.AssumedImageResult>>();
});
