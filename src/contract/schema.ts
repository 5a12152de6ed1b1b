import { $ZodLiteral, $ZodObject, type $ZodShape, $ZodString, type util } from "zod/v4/core";

/** A zod schema, as the contract is written in: without the methods, which a page would load. */
export type Schema = $ZodObject;

/** Makes the schema of an object with these fields, and any others. */
export const object = <Shape extends $ZodShape>(shape: Shape) =>
  // zod's own class knows no type of the shape.
  new $ZodObject({ type: "object", shape }) as $ZodObject<Shape>;

/** Makes the schema of any text. */
export const text = () => new $ZodString({ type: "string" });

/** Makes the schema of one value. */
export const only = (value: util.Literal) => new $ZodLiteral({ type: "literal", values: [value] });

/** Makes a schema. A function, so that a bundle without the client holds no schema. */
export type SchemaSource = () => Schema;

const made = new WeakMap<SchemaSource, Schema>();

/** Gives the schema that a source makes: the same one each time. */
export const schemaOf = (source: SchemaSource): Schema => {
  let schema = made.get(source);
  if (schema === undefined) {
    schema = source();
    made.set(source, schema);
  }
  return schema;
};

/** One thing that a schema of the contract finds wrong. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  /** Description of what should stand there. */
  readonly message: string;
  /** Value that stands there. */
  readonly input?: unknown;
}

/**
 * Finds what is wrong with a value, below `prefix`. The value itself is never changed. zod's own
 * words are not asked for: they depend on the locale and the functions of the application's zod.
 */
export const findIssues = (
  source: SchemaSource,
  value: unknown,
  prefix: SchemaIssue["path"] = [],
): SchemaIssue[] => {
  const checked = schemaOf(source)._zod.run({ value, issues: [] }, { async: false });
  if (checked instanceof Promise) throw new Error("a schema of the contract is asynchronous");
  return checked.issues.map(({ path = [], input, expected, values }) => ({
    path: [...prefix, ...path.map((part) => (typeof part === "number" ? part : String(part)))],
    input,
    message: `expected ${expected ?? values}`,
  }));
};

const textFields = new WeakMap<SchemaSource, readonly string[] | undefined>();

/** Gives the fields of a schema that asks for texts alone. */
const textFieldsOf = (source: SchemaSource): readonly string[] | undefined => {
  if (textFields.has(source)) return textFields.get(source);
  const { shape } = schemaOf(source)._zod.def;
  const isOfTexts = Object.values(shape).every((field) => field instanceof $ZodString);
  const fields = isOfTexts ? Object.keys(shape) : undefined;
  textFields.set(source, fields);
  return fields;
};

/**
 * Tells whether a value fits its schema, where that is to be seen at a glance. That is so for an
 * object with the texts that the schema asks for, where it asks for nothing else.
 */
export const clearlyFits = (source: SchemaSource, value: unknown): boolean => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const record = value as Record<string, unknown>;
  return textFieldsOf(source)?.every((name) => typeof record[name] === "string") ?? false;
};
