import { describeKind } from "../client/errors/text.ts";
import type { StandardSchema } from "../client/options/standard-schema.ts";
import type { FieldIssue } from "../contract/schema.ts";
import { readFields } from "./read-fields.ts";

/** The fields of an interface as a table. A table without a required field does not compile. */
type FieldsOf<T> = {
  readonly [Name in keyof T as string extends Name ? never : Name]: FieldOf<T[Name]>;
};

type FieldOf<Value> = undefined extends Value
  ? `${KindOf<NonNullable<Value>>}?`
  : Value extends readonly (infer Entry)[]
    ? readonly [FieldsOf<Entry>]
    : KindOf<Value>;

type KindOf<Value> = Value extends string ? "string" : Value extends number ? "number" : never;

/**
 * Creates a schema of the fields that an assumption names. It returns the value with all its other
 * fields, and leaves out an optional field of another type. So a wrong guess about an optional
 * field doesn't hide a paid result, and the types stay true.
 */
export const readySchema = <Output>(
  assumption: "A5" | "A6" | "A9",
  fields: FieldsOf<Output>,
): StandardSchema<unknown, Output> => ({
  "~standard": {
    version: 1,
    vendor: "adgen-sdk",
    validate: (given) => {
      const found: FieldIssue[] = [];
      const value = readFields(fields, given, found) as Output;
      if (found.length === 0) return { value };
      const issues = found.map(({ path, message, input }) => ({
        path,
        message: `${message}, got ${describeKind(input)} (assumed ${assumption})`,
      }));
      return { issues };
    },
  },
});
