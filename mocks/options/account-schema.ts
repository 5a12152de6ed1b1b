/** Schemas of what an account has when it is opened: credits, brands, saved ads and finished jobs. */
import * as z from "zod/mini";
import type { CreditPots } from "../domain/credits.ts";
import type { Opening } from "../domain/seed-account.ts";
import {
  actionField,
  copyJson,
  type FieldsOf,
  fieldsOnly,
  jsonField,
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

const anObject = { error: "an object" };

const number = z.optional(z.number({ error: "a number" }));

/** The fields that the price of a submission depends on. The service checks their limits. */
const priced = { action: actionField, variations: number, duration: number };

export const pricedSchema = z.looseObject(priced, anObject);

const job = fieldsOnly({
  id,
  ...priced,
  prompt: z.optional(textField),
  brand_id: z.optional(textField),
  fail: z.optional(textField),
  result: z.exactOptional(jsonField),
} satisfies FieldsOf<NonNullable<MockAccountOptions["jobs"]>[number]>).check(
  z.refine(({ fail, ...rest }) => fail === undefined || !("result" in rest), {
    error: "a failure or a result, not both",
  }),
);

const listOf = <Thing extends z.ZodMiniType<{ readonly id?: string | undefined }>>(thing: Thing) =>
  z.optional(
    z.array(thing, { error: "a list" }).check(
      z.refine(
        (things) => {
          const ids = things.flatMap(({ id }) => id ?? []);
          return new Set(ids).size === ids.length;
        },
        { error: "a list in which no id comes twice" },
      ),
    ),
  );

export const accountOptionsSchema = fieldsOnly({
  credits: z.optional(creditsSchema),
  brands: listOf(z.looseObject({ id, name: textField }, anObject)),
  savedAds: listOf(z.looseObject({ id, brand_id: textField }, anObject)),
  jobs: listOf(job),
} satisfies FieldsOf<MockAccountOptions>);

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
