type Kind = "string" | "number";

/** A text, a number, or a list of things with fields of their own; "?": it may be missing. */
export type Field = Kind | `${Kind}?` | readonly [Fields];

/** Fields of an object by name; any others may stand beside them. */
export type Fields = { readonly [name: string]: Field };

type Path = readonly (string | number)[];

export interface FieldIssue {
  readonly path: Path;
  /** Description of what should stand there. */
  readonly message: string;
  /** Value that stands there. */
  readonly input: unknown;
}

type Reader = (value: unknown, issues: FieldIssue[], path?: Path) => unknown;

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
  const read = createReader(field[0]);
  const entries = value.map((entry, at) => read(entry, issues, [...path, at]));
  return entries.every((entry, at) => entry === value[at]) ? value : entries;
};

/**
 * Creates a reader for values that are read now: a list has hundreds of jobs, of which all but the
 * unusual must cost next to nothing.
 *
 * The reader checks the fields of a value, adds what is wrong to `issues`, and returns the value
 * itself. Only where an optional field has another type, or has it in a list, a copy without that
 * field is returned.
 */
export const createReader = (fields: Fields): Reader => {
  const entries = Object.entries(fields).map(([name, field]) => ({
    name,
    field,
    isPolluted: name in Object.prototype,
  }));
  return (value, issues, path = []) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      issues.push({ path, message: "expected object", input: value });
      return undefined;
    }
    let record = value as Readonly<Record<string, unknown>>;
    const isParsed = Object.getPrototypeOf(value) === Object.prototype;
    for (const { name, field, isPolluted } of entries) {
      const isOwn = (isParsed && !isPolluted) || Object.hasOwn(record, name);
      const given = isOwn ? record[name] : undefined;
      if (typeof given === field) continue;
      const read = readField(field, given, issues, [...path, name]);
      if (read === given) continue;
      const { [name]: _, ...others } = record;
      record = read === undefined ? others : { ...others, [name]: read };
    }
    return record;
  };
};
