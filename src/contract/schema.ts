import {
  $ZodLiteral,
  $ZodObject,
  type $ZodShape,
  $ZodString,
  type ParsePayload,
  type util,
} from "zod/v4/core";

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
  const known = made.get(source);
  if (known !== undefined) return known;
  const schema = source();
  made.set(source, schema);
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
  // The schemas of the contract are synchronous, and their paths hold no symbols.
  const { issues } = schemaOf(source)._zod.run(
    { value, issues: [] },
    { async: false },
  ) as ParsePayload;
  return issues.map(({ path = [], input, expected, values }) => ({
    path: [...prefix, ...(path as SchemaIssue["path"])],
    input,
    message: `expected ${expected ?? values}`,
  }));
};
