import * as z from "zod";
import type { CreateDocumentOptions } from "zod-openapi";
import { requestBodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { FieldTypes } from "../../src/contract/schema.ts";
import type { Assumption } from "./assumptions.ts";

type Override = Extract<CreateDocumentOptions["override"], (...given: never) => unknown>;

const open = new WeakSet<object>();
const untyped = new WeakSet<object>();

/** Marks an object whose other fields belong to its user: generated types show them. */
export const withOwnFields = <Schema extends z.ZodType>(schema: Schema): Schema => {
  open.add(schema);
  return schema;
};

/** Marks an object in whose place any JSON can stand. Generators still take it for an object. */
export const orAnyJson = <Schema extends z.ZodType>(schema: Schema): Schema => {
  untyped.add(schema);
  return withOwnFields(schema);
};

/**
 * Writes the marks. Other objects say nothing about further fields: a validator passes over them,
 * and a generated type shows a misspelt name.
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
    /** Section of the API's document that says so. */
    "x-documented"?: string;
    /** Assumptions that the place rests on where the API's document is silent. */
    "x-assumed"?: Assumption | readonly Assumption[];
  }
}

/** Creates an open object of an answer; the compiler refuses one without a field of the contract. */
export const fromContract = <Base extends FieldTypes>(
  _fields: Base,
  detail: { readonly [Name in keyof Base]: z.core.$ZodType<string> } & z.ZodRawShape,
) => z.looseObject(detail);

/**
 * Creates the body of an endpoint. The detail narrows the contract's fields and adds others; it takes
 * none away.
 */
export const bodyFromContract = (name: EndpointName, detail: z.ZodRawShape) => {
  const fields = requestBodies[name];
  if (fields === undefined) throw new Error(`${name}: the contract has no body for it`);
  // Named twice, so that the fields stand in the order of the answers.
  return z.looseObject({ ...detail, ...fields, ...detail });
};

/** Makes a text that is a moment in time. */
export const describeDateTime = (description: string, meta: z.GlobalMeta = {}) =>
  z.string().meta({ format: "date-time", description, ...meta });
