import { bodies } from "../../src/contract/bodies.ts";
import { type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { failureEnvelopeSchema, successEnvelopeSchema } from "../../src/contract/envelope.ts";
import { fromContract, openObject, type SchemaObject } from "./schema-object.ts";

const bodyOf = (name: EndpointName, detail: SchemaObject): SchemaObject => {
  const schema = bodies[name];
  if (schema === undefined) throw new Error(`The contract has no body for ${name}`);
  return fromContract(schema, detail);
};

const moment = (description: string): SchemaObject => ({
  type: "string",
  format: "date-time",
  description,
});

const brandName: SchemaObject = { type: "string", description: "What the brand is called." };
const brandId: SchemaObject = { type: "string", description: "Identifier of the brand." };
const adId: SchemaObject = { type: "string", description: "Identifier of the saved ad." };

/** The two shapes of the envelope. */
const envelope = (data: SchemaObject, success: boolean): SchemaObject =>
  fromContract(success ? successEnvelopeSchema : failureEnvelopeSchema, {
    properties: {
      success: { type: "boolean", const: success },
      data,
      error: success
        ? { type: "null" }
        : { type: "string", description: "What is wrong.", "x-assumed": "A15" },
    },
    "x-documented": "2. Response envelope",
  });

export const successEnvelope = (data: SchemaObject): SchemaObject => envelope(data, true);

/** The schemas of brands, saved ads and failures, by the names they are referred to. */
export const librarySchemas: Readonly<Record<string, SchemaObject>> = {
  Brand: fromContract(
    endpoints["brands.create"].answer,
    openObject(
      {
        id: brandId,
        name: brandName,
        created_at: moment("When it was created."),
        updated_at: moment("When it was changed last."),
      },
      { description: "A brand: whatever was sent is in it too.", "x-assumed": "A5" },
    ),
  ),
  CreateBrandRequest: bodyOf("brands.create", {
    description: "A brand to be. Other fields are kept.",
    properties: { name: brandName },
    "x-assumed": "A5",
  }),
  UpdateBrandRequest: bodyOf("brands.update", {
    description: "The fields to change. Other fields are kept.",
    properties: { name: brandName },
    "x-assumed": "A5",
  }),
  SavedAd: fromContract(
    endpoints["savedAds.create"].answer,
    openObject(
      { id: adId, brand_id: brandId, created_at: moment("When it was saved.") },
      { description: "An ad in the library: whatever was sent is in it too.", "x-assumed": "A6" },
    ),
  ),
  CreateSavedAdRequest: bodyOf("savedAds.create", {
    description: "An ad to save. Other fields are kept.",
    properties: { brand_id: { ...brandId, description: "One of the caller's brands." } },
    "x-assumed": "A6",
  }),
  Deleted: fromContract(
    endpoints["brands.delete"].answer,
    openObject(
      {
        id: { type: "string", description: "What was deleted." },
        deleted: { type: "boolean", const: true },
      },
      { description: "What deleting something answers.", "x-assumed": "A7" },
    ),
  ),
  FailureEnvelope: {
    ...envelope({ type: "null" }, false),
    description: "What every failure is wrapped in.",
  },
};
