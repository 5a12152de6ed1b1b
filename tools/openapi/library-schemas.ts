import * as z from "zod";
import { endpoints } from "../../src/contract/endpoint.ts";
import { bodyFromContract, describeDateTime, fromContract, withOwnFields } from "./open-schemas.ts";

const text = (description: string) => z.string().meta({ description });

const brandName = text("What the brand is called.");

/** A brand, as it is answered. */
export const brandSchema = withOwnFields(
  fromContract(endpoints["brands.create"].answer, {
    id: text("Identifier of the brand."),
    name: brandName,
    created_at: describeDateTime("When it was created."),
    updated_at: describeDateTime("When it was changed last."),
  }).meta({
    id: "Brand",
    description: "A brand: all fields that were sent are in it too.",
    "x-assumed": "A5",
  }),
);

/** Body that creates a brand. */
export const createBrandRequest = withOwnFields(
  bodyFromContract("brands.create", { name: brandName }).meta({
    id: "CreateBrandRequest",
    description: "A brand to be. Other fields are kept.",
    "x-assumed": "A5",
  }),
);

/** Body that changes a brand. */
export const updateBrandRequest = withOwnFields(
  bodyFromContract("brands.update", {
    name: brandName.optional(),
  }).meta({
    id: "UpdateBrandRequest",
    description: "The fields to change. Other fields are kept.",
    "x-assumed": "A5",
  }),
);

/** A saved ad, as it is answered. */
export const savedAd = withOwnFields(
  fromContract(endpoints["savedAds.create"].answer, {
    id: text("Identifier of the saved ad."),
    brand_id: text("Identifier of the brand."),
    created_at: describeDateTime("When it was saved."),
  }).meta({
    id: "SavedAd",
    description: "An ad in the library: all fields that were sent are in it too.",
    "x-assumed": "A6",
  }),
);

/** Body that saves an ad. */
export const createSavedAdRequest = withOwnFields(
  bodyFromContract("savedAds.create", {
    brand_id: text("One of the caller's brands."),
  }).meta({
    id: "CreateSavedAdRequest",
    description: "An ad to save. Other fields are kept.",
    "x-assumed": "A6",
  }),
);

/** Answer to a deletion. */
export const deletedSchema = z
  .looseObject({ id: text("What was deleted."), deleted: z.literal(true) })
  .meta({ id: "Deleted", description: "The answer to a deletion.", "x-assumed": "A7" });

/** Envelope of every failure. */
export const failureSchema = z
  .looseObject({
    success: z.literal(false),
    data: z.null(),
    error: z.string().meta({ description: "What is wrong.", "x-assumed": "A15" }),
  })
  .meta({
    id: "FailureEnvelope",
    description: "What every failure is wrapped in.",
    "x-documented": "2. Response envelope",
  });
