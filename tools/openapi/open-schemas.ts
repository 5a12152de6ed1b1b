import type * as z from "zod";
import type { CreateDocumentOptions } from "zod-openapi";

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
