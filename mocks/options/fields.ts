/** Schemas of fields that several options have. Each message completes the sentence "It must be …". */
import * as z from "zod/mini";
import { actions } from "../../src/contract/actions.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { keysOf } from "./require.ts";

/** Makes each optional field of a type also accept `undefined`, at any depth. */
type Loosely<Value> = Value extends (...args: never[]) => unknown
  ? Value
  : Value extends object
    ? { [Name in keyof Value]: LooseField<Value, Name> }
    : Value;

type LooseField<Thing, Name extends keyof Thing> =
  | Loosely<Thing[Name]>
  | (Record<never, never> extends Pick<Thing, Name> ? undefined : never);

/**
 * Schemas for all fields of an interface. A missing field, an unknown field or a wrong type is a
 * compile error.
 */
export type FieldsOf<Thing> = {
  readonly [Name in keyof Thing]-?: z.ZodMiniType<LooseField<Thing, Name>>;
};

/** Lists the fields of an object schema, including those that it was extended by. */
const fieldsIn = ({ inst }: { readonly inst?: unknown }): string =>
  inst instanceof z.ZodMiniObject ? Object.keys(inst.shape).join(", ") : "";

/** Creates the schema of an object with these fields and no others. */
export const fieldsOnly = <const Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  expected?: string,
) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? fieldsIn(issue)
        : (expected ?? `an object of ${fieldsIn(issue)}`),
  });

/** Creates the schema of one name out of a list. */
export const oneOf = <const Name extends string>(names: readonly Name[]) =>
  z.enum(names, { error: `one of ${names.join(", ")}` });

/** Creates the schema of a number from `min` to `max`, both included. */
export const numberFrom = (min: number, max: number, error = `a number from ${min} to ${max}`) =>
  z.number({ error }).check(z.gte(min, { error }), z.lte(max, { error }));

/** Creates the schema of a whole number from `min` to `max`, both included. */
export const wholeNumber = (
  min: number,
  max: number,
  error = `a whole number from ${min} to ${max}`,
) => z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }));

export const textField = z.string({ error: "text" });
export const booleanField = z.boolean({ error: "true or false" });

/** Creates the schema of one name out of a list, or of an array of them. */
const oneOrMoreOf = <const Name extends string>(names: readonly Name[]) => {
  const error = `one or more of ${names.join(", ")}`;
  return z.union([oneOf(names), z.array(oneOf(names)).check(z.minLength(1, { error }))], { error });
};

/** One operation of the API, or several. */
export const operationsField = oneOrMoreOf(keysOf(endpoints));

export const actionField = oneOf(actions);

/** One action, or several. */
export const actionsField = oneOrMoreOf(actions);

export const apiKeyField = z.string({ error: "an API key" });

const infinityField = z.literal(Number.POSITIVE_INFINITY);

const timesError = "a whole number from 1 to 1,000,000,000, or Infinity";

/** Number of requests or submissions. */
export const timesField = z.union([wholeNumber(1, 1_000_000_000, timesError), infinityField], {
  error: timesError,
});

const millisecondsError = "milliseconds, zero or more";

/** Finite milliseconds. */
const millisecondsField = numberFrom(0, Number.MAX_VALUE, millisecondsError);

/** Milliseconds, or `Infinity`. */
export const endlessField = z.union([millisecondsField, infinityField], {
  error: millisecondsError,
});

/** Creates the schema of a span. Only a fixed span may be `Infinity`; a drawn span is always finite. */
export const spanOf = <Fixed extends z.ZodMiniType<number>>(
  fixed: Fixed,
  limit: number,
  expected = millisecondsError,
) => {
  const limitMs = numberFrom(0, limit, expected);
  return z.union(
    [
      fixed,
      fieldsOnly({ min: limitMs, max: limitMs }).check(
        z.refine(({ min, max }) => min <= max, { error: "in order: min up to max" }),
      ),
    ],
    { error: `${expected}, or { min, max }` },
  );
};

const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    // The value has cycles or a BigInt, or is too deep for the stack.
    return undefined;
  }
};

/** Any value that JSON can express. */
export const jsonField = z
  .unknown()
  .check(z.refine((value) => jsonOf(value) !== undefined, { error: "JSON" }));

/** Copies a value that JSON can express. */
export const copyJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Fields that a body must have. They must be plain JSON, because a `RegExp` would equal nothing. */
export const bodyField = z
  .record(z.string(), z.unknown(), { error: "an object of fields" })
  .check(z.refine((body) => z.json().safeParse(body).success, { error: "plain JSON" }));

export const objectsField = z.array(z.record(z.string(), z.unknown(), { error: "an object" }), {
  error: "a list of objects",
});
