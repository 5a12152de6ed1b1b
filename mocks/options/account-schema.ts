/** Schemas of what an account has when it is opened: credits, brands, saved ads and finished jobs. */
import * as z from "zod/mini";
import { maxVariations } from "../../src/contract/jobs.ts";
import type { CreditPots } from "../domain/credits.ts";
import { maxDepth } from "../domain/json-values.ts";
import { maxDurationSeconds } from "../domain/prices.ts";
import type { Opening } from "../domain/seed-account.ts";
import {
  actionField,
  copyJson,
  type FieldsOf,
  fieldsOnly,
  isShallowJson,
  shallowJsonField,
  textField,
  wholeNumber,
} from "./fields.ts";
import type { MockAccountOptions } from "./options.ts";

// With this limit, no realistic number of grants exceeds the safe integers.
const amount = wholeNumber(0, 1_000_000_000, "a whole number from 0 to 1,000,000,000");

const potsSchema = fieldsOnly({
  monthly: z.optional(amount),
  purchased: z.optional(amount),
} satisfies FieldsOf<Partial<CreditPots>>);

export const creditsSchema = fieldsOnly({
  image: z.optional(potsSchema),
  video: z.optional(potsSchema),
} satisfies FieldsOf<NonNullable<MockAccountOptions["credits"]>>);

const idError = "1 to 200 letters, digits and . _ ~ -";
const id = z.optional(
  z.string({ error: idError }).check(z.regex(/^[\w.~-]{1,200}$/, { error: idError })),
);
const brandId = z.optional(textField);

/** Creates the schema of a list in which no two entries have the same id. */
const listOf = <Thing extends z.ZodMiniType<{ readonly id?: string | undefined }>>(thing: Thing) =>
  z.array(thing, { error: "a list" }).check(
    z.refine(
      (things) => {
        const ids = things.flatMap(({ id }) => id ?? []);
        return new Set(ids).size === ids.length;
      },
      { error: "a list in which no id comes twice" },
    ),
  );

const secondsError = `seconds, more than 0 and at most ${maxDurationSeconds}`;

const anObject = { error: "an object" };

const shallow = z.refine(isShallowJson, { error: `JSON, at most ${maxDepth} levels deep` });

const brand = z.looseObject({ id, name: textField }, anObject).check(shallow);

const savedAd = z.looseObject({ id, brand_id: textField }, anObject).check(shallow);

const priced = {
  action: actionField,
  variations: z.optional(wholeNumber(1, maxVariations)),
  duration: z.optional(
    z
      .number({ error: secondsError })
      .check(z.gt(0, { error: secondsError }), z.lte(maxDurationSeconds, { error: secondsError })),
  ),
};

/** Schema of the fields that the price of a submission depends on. */
export const pricedSchema = z.looseObject(priced, anObject);

const job = fieldsOnly({
  id,
  ...priced,
  prompt: z.optional(textField),
  brand_id: brandId,
  fail: z.optional(textField),
  result: z.exactOptional(shallowJsonField),
} satisfies FieldsOf<NonNullable<MockAccountOptions["jobs"]>[number]>).check(
  z.refine(({ fail, ...rest }) => fail === undefined || !("result" in rest), {
    error: "a failure or a result, not both",
  }),
);

const fields = {
  credits: z.optional(creditsSchema),
  brands: z.optional(listOf(brand)),
  savedAds: z.optional(listOf(savedAd)),
  jobs: z.optional(listOf(job)),
} satisfies FieldsOf<MockAccountOptions>;

export const accountOptionsSchema = fieldsOnly(fields).check(
  z.check(({ value: { brands = [], savedAds = [], jobs = [] }, issues }) => {
    const known = brands.map(({ id }) => id);
    for (const [name, things] of Object.entries({ savedAds, jobs })) {
      things.forEach(({ brand_id }, place) => {
        if (brand_id === undefined || known.includes(brand_id)) return;
        const message = "the id of one of the account's brands";
        const path = [name, place, "brand_id"];
        issues.push({ code: "custom", input: brand_id, message, path });
      });
    }
  }),
);

/** Fills in the pots of a kind of credits. A pot that is left out is empty. */
export const potsOf = ({
  monthly = 0,
  purchased = 0,
}: z.output<typeof potsSchema>): CreditPots => ({ monthly, purchased });

const defaultPots = { monthly: 100 };

/** Fills in the defaults of checked options. */
export const openingOf = (options: z.output<typeof accountOptionsSchema>): Opening => {
  const { credits = {}, ...things } = options;
  return {
    credits: {
      image: potsOf(credits.image ?? defaultPots),
      video: potsOf(credits.video ?? defaultPots),
    },
    // The copy shares nothing with the caller's objects.
    ...(copyJson(things) as typeof things),
  };
};
