import { type Brand, createClient, type Deleted, type Page, type SavedAd } from "adgen-sdk";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";

test("without schemas, brands and saved ads have an id, and are open otherwise", async () => {
  const { brands, savedAds } = createClient();
  expectTypeOf(await brands.list()).toEqualTypeOf<Page<Brand>>();
  expectTypeOf(await brands.create({ name: "Acme" })).toEqualTypeOf<Brand>();
  expectTypeOf(await brands.update("brand_1", {})).toEqualTypeOf<Brand>();
  expectTypeOf(await brands.listAds("brand_1")).toEqualTypeOf<Page<SavedAd>>();
  expectTypeOf(await savedAds.create({ brand_id: "brand_1" })).toEqualTypeOf<SavedAd>();
  expectTypeOf(await brands.delete("brand_1")).toEqualTypeOf<Deleted>();
  expectTypeOf(await savedAds.delete("ad_1")).toEqualTypeOf<Deleted>();
  expectTypeOf<(Brand | SavedAd | Deleted)["id"]>().toBeString();
  expectTypeOf<Brand["name"]>().toBeUnknown();
  expectTypeOf<SavedAd["brand_id"]>().toBeUnknown();
  expectTypeOf<Page<Brand>["meta"]>().toEqualTypeOf<Record<string, unknown>>();
});

test("a schema of any library types every answer, with what it makes of it", async () => {
  const { brands, savedAds } = createClient({
    schemas: {
      brand: z.object({ id: z.string(), founded: z.iso.date().transform((day) => new Date(day)) }),
      savedAd: type({ id: "string", size: "1|2" }),
    },
  });
  const other = createClient({
    schemas: { brand: v.object({ id: v.string() }), savedAd: mini.object({ url: mini.url() }) },
  });
  type MyBrand = { id: string; founded: Date };
  type MyAd = { id: string; size: 1 | 2 };
  expectTypeOf((await brands.list()).items).toEqualTypeOf<MyBrand[]>();
  expectTypeOf(await brands.create({ name: "Acme" })).toEqualTypeOf<MyBrand>();
  expectTypeOf(await brands.update("brand_1", {})).toEqualTypeOf<MyBrand>();
  expectTypeOf((await brands.listAds("brand_1")).items).toEqualTypeOf<MyAd[]>();
  expectTypeOf(await savedAds.create({ brand_id: "brand_1" })).toEqualTypeOf<MyAd>();
  expectTypeOf((await other.brands.list()).items).toEqualTypeOf<{ id: string }[]>();
  expectTypeOf((await other.brands.listAds("b")).items).toEqualTypeOf<{ url: string }[]>();
  // @ts-expect-error: no Standard Schema
  createClient({ schemas: { brand: { id: "string" } } });
  // @ts-expect-error: misspelt
  createClient({ schemas: { brands: z.object({}) } });
  // @ts-expect-error: no such action
  createClient({ schemas: { results: { "generate-ads": z.object({}) } } });
});
