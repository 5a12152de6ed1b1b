import type { StandardSchema } from "../answer/standard-schema.ts";
import { describeKind } from "../errors/text.ts";

/** A text, a number, or a list of things with fields of their own; "?": it may be missing. */
type Field = Kind | `${Kind}?` | readonly [Fields];

type Kind = "string" | "number";

type Fields = Readonly<Record<string, Field>>;

/** The fields of an interface as a table. A required field that it lacks does not compile. */
type FieldsOf<T> = {
  readonly [Name in keyof T as string extends Name ? never : Name]: FieldOf<T[Name]>;
};

type FieldOf<Value> = undefined extends Value
  ? `${KindOf<NonNullable<Value>>}?`
  : Value extends readonly (infer Entry)[]
    ? readonly [FieldsOf<Entry>]
    : KindOf<Value>;

type KindOf<Value> = Value extends string ? "string" : Value extends number ? "number" : never;

type Path = readonly (string | number)[];

interface FieldIssue {
  readonly path: Path;
  readonly message: string;
}

const createReader = (assumption: string) => {
  const issues: FieldIssue[] = [];

  const refuse = (path: Path, expected: string, value: unknown): undefined => {
    const message = `expected ${expected}, got ${describeKind(value)} (assumed ${assumption})`;
    issues.push({ path, message });
  };

  const readField = (field: Field, value: unknown, path: Path): unknown => {
    if (typeof field === "string") {
      const [kind = "", isOptional] = field.split("?");
      if (typeof value === kind) return value;
      return isOptional === undefined ? refuse(path, kind, value) : undefined;
    }
    if (!Array.isArray(value)) return refuse(path, "array", value);
    const [fields] = field;
    const entries = value.map((entry, index) => readFields(fields, entry, [...path, index]));
    return entries.every((entry, index) => entry === value[index]) ? value : entries;
  };

  const readFields = (fields: Fields, value: unknown, path: Path): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return refuse(path, "object", value);
    }
    let record = value as Readonly<Record<string, unknown>>;
    for (const [name, field] of Object.entries(fields)) {
      const given = Object.hasOwn(record, name) ? record[name] : undefined;
      const read = readField(field, given, [...path, name]);
      if (read === given) continue;
      const { [name]: _, ...others } = record;
      record = read === undefined ? others : { ...others, [name]: read };
    }
    return record;
  };

  return { issues, readFields };
};

/**
 * Creates a schema of the fields that an assumption names. It returns the value itself: other fields
 * stay in it. A field that may be missing is left out where it has another type. So no guess of ours
 * hides a paid result, and the types stay true.
 *
 * Written by hand, because zod would be a second copy of 5 kB in each app.
 */
export const readySchema = <Output>(
  assumption: "A5" | "A6" | "A9",
  fields: FieldsOf<Output>,
): StandardSchema<unknown, Output> => ({
  "~standard": {
    version: 1,
    vendor: "adgen-sdk",
    validate: (given) => {
      const { issues, readFields } = createReader(assumption);
      const value = readFields(fields as Fields, given, []) as Output;
      return issues.length === 0 ? { value } : { issues };
    },
  },
});
