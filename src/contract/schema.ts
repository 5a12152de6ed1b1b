/** Kind of what a field holds. */
export type FieldType = "string" | "number";

/** Fields that an object must have, by name; any others may stand beside them. */
export type FieldTypes = { readonly [name: string]: FieldType };

type Path = readonly (string | number)[];

export interface FieldIssue {
  readonly path: Path;
  /** Description of what should stand there. */
  readonly message: string;
  /** Value that stands there. */
  readonly input: unknown;
}

/**
 * Creates a check of parsed JSON, which returns what is wrong with a value. It is created once for all
 * jobs of a list, of which there may be hundreds.
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
