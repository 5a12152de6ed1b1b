/** The type of a field, as `typeof` names it. */
export type FieldType = "string" | "number";

/** The fields that an object must have. Other fields may stand beside them. */
export type FieldTypes = { readonly [name: string]: FieldType };

type Path = readonly (string | number)[];

export interface FieldIssue {
  readonly path: Path;
  /** What was expected there. */
  readonly message: string;
  /** The value found there. */
  readonly input: unknown;
}

/**
 * Creates a check of parsed JSON that returns what is wrong with a value. Create it once for a
 * whole list, which may hold hundreds of items.
 */
export const createCheck = (fields: FieldTypes) => {
  const entries = Object.entries(fields);
  return (value: unknown): readonly FieldIssue[] => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return [{ path: [], message: "expected object", input: value }];
    }
    const record = value as Readonly<Record<string, unknown>>;
    const issues: FieldIssue[] = [];
    for (const [name, kind] of entries) {
      const input = record[name];
      if (typeof input !== kind) issues.push({ path: [name], message: `expected ${kind}`, input });
    }
    return issues;
  };
};
