import type { StandardSchema } from "../answer/standard-schema.ts";
import { describeKind } from "../errors/text.ts";

/** A field that must be there: a text, a number, or a list of things with fields of their own. */
type Field = "string" | "number" | readonly [Fields];

type Fields = Readonly<Record<string, Field>>;

/** The fields of an interface as a table. A field that one of them lacks does not compile. */
type FieldsOf<T> = {
  readonly [Name in keyof T as string extends Name ? never : Name]: FieldOf<T[Name]>;
};

type FieldOf<Value> = Value extends string
  ? "string"
  : Value extends number
    ? "number"
    : Value extends readonly (infer Entry)[]
      ? readonly [FieldsOf<Entry>]
      : never;

type Path = readonly (string | number)[];

interface FieldIssue {
  readonly path: Path;
  readonly message: string;
}

const wrong = (path: Path, expected: string, value: unknown): FieldIssue => ({
  path,
  message: `expected ${expected}, got ${describeKind(value)}`,
});

const issuesOfField = (field: Field, value: unknown, path: Path): readonly FieldIssue[] => {
  if (typeof field === "string") {
    return typeof value === field ? [] : [wrong(path, field, value)];
  }
  if (!Array.isArray(value)) return [wrong(path, "array", value)];
  const [fields] = field;
  return value.flatMap((entry, index) => issuesOf(fields, entry, [...path, index]));
};

const issuesOf = (fields: Fields, value: unknown, path: Path): readonly FieldIssue[] => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [wrong(path, "object", value)];
  }
  const record = value as Readonly<Record<string, unknown>>;
  return Object.entries(fields).flatMap(([name, field]) =>
    issuesOfField(field, Object.hasOwn(record, name) ? record[name] : undefined, [...path, name]),
  );
};

/**
 * Makes a schema of the fields that an assumption names. It gives the value itself: other fields
 * stay in it. Written by hand, because zod would be a second copy of 5 kB in each app.
 */
export const readySchema = <Output>(
  assumption: "A5" | "A6" | "A9",
  fields: FieldsOf<Output>,
): StandardSchema<unknown, Output> => ({
  "~standard": {
    version: 1,
    vendor: "adgen-sdk",
    validate: (value) => {
      const issues = issuesOf(fields as Fields, value, []);
      if (issues.length === 0) return { value: value as Output };
      return {
        issues: issues.map(({ path, message }) => ({
          path,
          message: `${message} (assumed ${assumption})`,
        })),
      };
    },
  },
});
