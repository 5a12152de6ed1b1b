import {
  type Action,
  type ClientSchemas,
  createClient,
  type FinishedJob,
  type Page,
  pollJob,
  type SchemaOutput,
  type StandardSchema,
} from "adgen-sdk";
import {
  type AssumedBrand,
  type AssumedCopyResult,
  type AssumedImage,
  type AssumedImageResult,
  type AssumedResults,
  type AssumedSavedAd,
  type AssumedSchemas,
  type AssumedVideoResult,
  assumedBrand,
  assumedCopyResult,
  assumedImageResult,
  assumedResults,
  assumedSavedAd,
  assumedSchemas,
  assumedVideoResult,
} from "adgen-sdk/assumed";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";

declare module "adgen-sdk/assumed" {
  interface AssumedImage {
    test_seed?: number;
  }
}

const client = createClient({ schemas: assumedSchemas });

describe("with the ready schemas", () => {
  test("a picture's URL is read in one line", async () => {
    const job = await client.jobs.submitAndPoll({ action: "generate-ad", prompt: "Lemonade" });
    if (job.status !== "completed") return;
    expectTypeOf(job.result.images[0]?.url).toEqualTypeOf<string | undefined>();
    expectTypeOf(job.result.images).toEqualTypeOf<AssumedImage[]>();
    expectTypeOf<AssumedImage["width"]>().toBeNumber();
    // @ts-expect-error: misspelt
    job.result.imagse;
    // @ts-expect-error: pictures have no length
    job.result.images[0]?.duration;
  });

  test("every action has the result of its kind", async () => {
    type ResultOf<A extends Action> = SchemaOutput<AssumedResults[A]>;
    expectTypeOf<keyof AssumedResults>().toEqualTypeOf<Action>();
    expectTypeOf<
      ResultOf<"copy-ad" | "generate-ad" | "edit-ad" | "image-a-2" | "image-a-pro">
    >().toEqualTypeOf<AssumedImageResult>();
    expectTypeOf<
      ResultOf<"video-a-2" | "video-a-2-pro" | "video-b-3-0">
    >().toEqualTypeOf<AssumedVideoResult>();
    expectTypeOf<ResultOf<"generate-ad-copy">>().toEqualTypeOf<AssumedCopyResult>();
    expectTypeOf(await client.jobs.submitAndPoll({ action: "video-b-3-0" })).toEqualTypeOf<
      FinishedJob<AssumedVideoResult>
    >();
  });

  test("a wait gives it", async () => {
    const job = await client.jobs.submit({ action: "generate-ad-copy" });
    type Finished = FinishedJob<AssumedCopyResult>;
    expectTypeOf(await pollJob(client, job)).toEqualTypeOf<Finished>();
  });

  test("brands and saved ads have their fields, and are open otherwise", async () => {
    const brand = await client.brands.create({ name: "Acme" });
    expectTypeOf(brand).toEqualTypeOf<AssumedBrand>();
    expectTypeOf(brand.name).toBeString();
    expectTypeOf(brand["colors"]).toBeUnknown();
    expectTypeOf(await client.brands.listAds(brand.id)).toEqualTypeOf<Page<AssumedSavedAd>>();
    const ad = await client.savedAds.create({ brand_id: brand.id });
    expectTypeOf(ad.brand_id).toBeString();
    expectTypeOf(ad["headline"]).toBeUnknown();
  });
});

test("the ready schemas are Standard Schemas of their interfaces, and no zod", () => {
  expectTypeOf(assumedSchemas).toEqualTypeOf<AssumedSchemas>();
  expectTypeOf(assumedSchemas).toExtend<ClientSchemas>();
  expectTypeOf(assumedResults).toEqualTypeOf<AssumedResults>();
  expectTypeOf(assumedBrand).toEqualTypeOf<StandardSchema<unknown, AssumedBrand>>();
  expectTypeOf(assumedSavedAd).toEqualTypeOf<StandardSchema<unknown, AssumedSavedAd>>();
  expectTypeOf(assumedImageResult).toEqualTypeOf<StandardSchema<unknown, AssumedImageResult>>();
  expectTypeOf(assumedVideoResult).toEqualTypeOf<StandardSchema<unknown, AssumedVideoResult>>();
  expectTypeOf(assumedCopyResult).toEqualTypeOf<StandardSchema<unknown, AssumedCopyResult>>();
});

test("one's own schema takes the place of a ready one", async () => {
  const own = createClient({
    schemas: {
      ...assumedSchemas,
      results: { ...assumedResults, "edit-ad": z.object({ image: z.string() }) },
    },
  });
  expectTypeOf(await own.jobs.submitAndPoll({ action: "edit-ad" })).toEqualTypeOf<
    FinishedJob<{ image: string }>
  >();
  expectTypeOf(await own.jobs.submitAndPoll({ action: "copy-ad" })).toEqualTypeOf<
    FinishedJob<AssumedImageResult>
  >();
});

test("a field that is declared is read from every picture", () => {
  expectTypeOf<AssumedImageResult["images"][0]["test_seed"]>().toEqualTypeOf<number | undefined>();
});
