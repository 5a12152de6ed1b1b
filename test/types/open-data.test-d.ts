import { type Brand, createClient, type Deleted, type Page, type SavedAd } from "adgen-sdk";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";

describe("without schemas", () => {
  const { brands, savedAds } = createClient();

  test("brands and saved ads have an id, and are open otherwise", async () => {
    expectTypeOf(await brands.list()).toEqualTypeOf<Page<Brand>>();
    expectTypeOf(await brands.create({ name: "Acme" })).toEqualTypeOf<Brand>();
    expectTypeOf(await brands.update("brand_1", {})).toEqualTypeOf<Brand>();
    expectTypeOf(await brands.listAds("brand_1")).toEqualTypeOf<Page<SavedAd>>();
    expectTypeOf(await savedAds.create({ brand_id: "brand_1" })).toEqualTypeOf<SavedAd>();
    expectTypeOf<Brand["id"]>().toBeString();
    expectTypeOf<Brand["name"]>().toBeUnknown();
    expectTypeOf<SavedAd["id"]>().toBeString();
    expectTypeOf<SavedAd["brand_id"]>().toBeUnknown();
  });

  test("a deletion tells the id", async () => {
    expectTypeOf(await brands.delete("brand_1")).toEqualTypeOf<Deleted>();
    expectTypeOf(await savedAds.delete("ad_1")).toEqualTypeOf<Deleted>();
    expectTypeOf<Deleted["id"]>().toBeString();
  });

  test("the fields beside a list are open", async () => {
    const { meta } = await brands.list();
    expectTypeOf(meta).toEqualTypeOf<Record<string, unknown>>();
  });
});

describe("a schema types every answer", () => {
  const { brands, savedAds } = createClient({
    schemas: {
      brand: z.object({ id: z.string(), founded: z.iso.date().transform((day) => new Date(day)) }),
      savedAd: mini.object({ id: mini.string(), url: mini.url() }),
    },
  });
  interface MyBrand {
    id: string;
    founded: Date;
  }
  interface MyAd {
    id: string;
    url: string;
  }

  test("of brands, with what it makes of them", async () => {
    expectTypeOf((await brands.list()).items).toEqualTypeOf<MyBrand[]>();
    expectTypeOf(await brands.create({ name: "Acme" })).toEqualTypeOf<MyBrand>();
    expectTypeOf(await brands.update("brand_1", {})).toEqualTypeOf<MyBrand>();
  });

  test("of saved ads", async () => {
    expectTypeOf((await brands.listAds("brand_1")).items).toEqualTypeOf<MyAd[]>();
    expectTypeOf(await savedAds.create({ brand_id: "brand_1" })).toEqualTypeOf<MyAd>();
  });

  test("of valibot and arktype too", async () => {
    const other = createClient({
      schemas: {
        brand: v.object({ id: v.string() }),
        savedAd: type({ id: "string", size: "1|2" }),
      },
    });
    expectTypeOf((await other.brands.list()).items).toEqualTypeOf<{ id: string }[]>();
    expectTypeOf(await other.savedAds.create({ brand_id: "brand_1" })).toEqualTypeOf<{
      id: string;
      size: 1 | 2;
    }>();
  });

  test("and must be one", () => {
    // @ts-expect-error: no Standard Schema
    createClient({ schemas: { brand: { id: "string" } } });
    // @ts-expect-error: misspelt
    createClient({ schemas: { brands: z.object({}) } });
    // @ts-expect-error: no such action
    createClient({ schemas: { results: { "generate-ads": z.object({}) } } });
  });
});
