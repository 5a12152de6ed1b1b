import type { FieldIssue, FieldType } from "../contract/schema.ts";

/** The type of a field: a text, a number, or a list of objects. "?" marks an optional field. */
type Field = FieldType | `${FieldType}?` | readonly [Fields];

/** Fields of an object, by name. The object may have other fields too. */
export type Fields = { readonly [name: string]: Field };

type Path = FieldIssue["path"];

const readField = (field: Field, value: unknown, issues: FieldIssue[], path: Path): unknown => {
  const refuse = (expected: string): undefined => {
    issues.push({ path, message: `expected ${expected}`, input: value });
  };
  if (typeof field === "string") {
    const [kind = "", isOptional] = field.split("?");
    if (typeof value === kind) return value;
    return isOptional === undefined ? refuse(kind) : undefined;
  }
  if (!Array.isArray(value)) return refuse("array");
  const entries = value.map((entry, at) => readFields(field[0], entry, issues, [...path, at]));
  return entries.every((entry, at) => entry === value[at]) ? value : entries;
};

/**
 * Checks the fields of a value, adds each problem to `issues`, and returns the value itself. If an
 * optional field has another type, here or in a list, it returns a copy without that field.
 */
export const readFields = (
  fields: Fields,
  value: unknown,
  issues: FieldIssue[],
  path: Path = [],
): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    issues.push({ path, message: "expected object", input: value });
    return undefined;
  }
  let record = value as Readonly<Record<string, unknown>>;
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(record, name) ? record[name] : undefined;
    const read = readField(field, given, issues, [...path, name]);
    if (read === given) continue;
    const { [name]: _, ...others } = record;
    record = read === undefined ? others : { ...others, [name]: read };
  }
  return record;
};
