import {
  $ZodArray,
  $ZodBoolean,
  $ZodNullable,
  $ZodNumber,
  $ZodObject,
  $ZodOptional,
  $ZodString,
  type $ZodType,
  $ZodUnknown,
} from "zod/v4/core";

/*
 * The few kinds of schema the contract needs, straight from zod's core: `zod/mini` would bring
 * another kibibyte into every bundle. Each one is a Standard Schema, and is used as one.
 */

/** What the contract is written in. */
export type Schema = $ZodType;

export const string = /*@__PURE__*/ new $ZodString({ type: "string" });
export const number = /*@__PURE__*/ new $ZodNumber({ type: "number", checks: [] });
export const boolean = /*@__PURE__*/ new $ZodBoolean({ type: "boolean" });
export const unknown = /*@__PURE__*/ new $ZodUnknown({ type: "unknown" });

export const array = (element: Schema): Schema => new $ZodArray({ type: "array", element });

export const optional = (innerType: Schema): Schema =>
  new $ZodOptional({ type: "optional", innerType });

export const nullable = (innerType: Schema): Schema =>
  new $ZodNullable({ type: "nullable", innerType });

/** An open object: fields that the shape does not name may be there, and are not looked at. */
export const object = (shape: Record<string, Schema>): Schema =>
  new $ZodObject({ type: "object", shape });

/** One thing a schema of the contract finds wrong. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  /** What should stand there. */
  readonly message: string;
}

/** What is wrong with a value, below `prefix`; the value itself is never changed. */
export const findIssues = (
  schema: Schema,
  value: unknown,
  prefix: SchemaIssue["path"] = [],
): SchemaIssue[] => {
  const { issues = [] } = schema["~standard"].validate(value) as {
    issues?: (SchemaIssue & { expected?: string })[];
  };
  return issues.map(({ path, message, expected }) => ({
    path: [...prefix, ...path],
    message: expected ? `expected ${expected}` : message,
  }));
};
