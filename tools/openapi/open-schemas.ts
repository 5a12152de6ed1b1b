import * as z from "zod";
import type { CreateDocumentOptions } from "zod-openapi";
import { requestBodies } from "../../src/contract/bodies.ts";
import type { CallWithBody } from "../../src/contract/endpoint.ts";
import type { FieldTypes } from "../../src/contract/schema.ts";
import type { Assumption } from "./assumptions.ts";

type Override = Extract<CreateDocumentOptions["override"], (...given: never) => unknown>;

const open = new WeakSet<object>();
const untyped = new WeakSet<object>();

/** Marks an object to which users add fields of their own, so that generated types allow them. */
export const withOwnFields = <Schema extends z.ZodType>(schema: Schema): Schema => {
  open.add(schema);
  return schema;
};

/** Marks an object that may be any JSON instead. Generators still make an object type of it. */
export const orAnyJson = <Schema extends z.ZodType>(schema: Schema): Schema => {
  untyped.add(schema);
  return withOwnFields(schema);
};

/**
 * Writes the marks into the JSON Schema. Other objects don't mention `additionalProperties`, so a
 * validator accepts further fields, and a generated type still reveals a misspelt name.
 */
export const writeOpenness: Override = ({ jsonSchema, zodSchema }) => {
  if (typeof jsonSchema.additionalProperties === "object") {
    if (open.has(zodSchema)) jsonSchema.additionalProperties = true;
    else delete jsonSchema.additionalProperties;
  }
  if (untyped.has(zodSchema)) delete jsonSchema.type;
};

declare module "zod" {
  interface GlobalMeta {
    /** Section of the API's document that describes this place. */
    "x-documented"?: string;
    /** Assumptions that this place rests on, because the API's document is silent. */
    "x-assumed"?: Assumption | readonly Assumption[];
  }
}

/** Creates an open object of an answer. A missing field of the contract is a compile error. */
export const fromContract = <Base extends FieldTypes>(
  _fields: Base,
  detail: { readonly [Name in keyof Base]: z.core.$ZodType<string> } & z.ZodRawShape,
) => z.looseObject(detail);

/**
 * Creates the body of an endpoint. The detail can narrow the contract's fields and add others, but
 * can't remove any.
 */
export const bodyFromContract = (name: CallWithBody, detail: z.ZodRawShape) =>
  // The first `detail` sets the order of the fields, and the second one their schemas.
  z.looseObject({ ...detail, ...requestBodies[name], ...detail });

/** Describes a text that holds a date and a time. */
export const describeDateTime = (description: string, meta: z.GlobalMeta = {}) =>
  z.string().meta({ format: "date-time", description, ...meta });
