import { $ZodLiteral, $ZodString, type $ZodType, type ParsePayload, type util } from "zod/v4/core";

/**
 * Fields of an object, each with zod's schema of its value; any others may stand beside them. A
 * table, because zod's class of objects is 1.2 kB more for each page to load.
 */
export type Fields = Readonly<Record<string, $ZodType>>;

/** Any text. What is not named would be read from `Object.prototype`, which other code may pollute. */
export const text = /* @__PURE__ */ new $ZodString({ type: "string", checks: [], coerce: false });

/** Schema of one value. A mark where it is called lets bundlers leave it out. */
export const only = (value: util.Literal) =>
  new $ZodLiteral({ type: "literal", values: [value], checks: [] });

/** One thing that a table of fields finds wrong. */
export interface FieldIssue {
  readonly path: readonly (string | number)[];
  /** Description of what should stand there. */
  readonly message: string;
  /** Value that stands there. */
  readonly input?: unknown;
}

/**
 * Finds what is wrong with a value, which is never changed. zod's own words are not asked for: they
 * depend on the locale and the functions of the application's zod.
 */
export const findIssues = (fields: Fields, value: unknown): FieldIssue[] => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ path: [], input: value, message: "expected object" }];
  }
  const found: FieldIssue[] = [];
  // One for all fields, and not `Object.entries`: a list has hundreds of jobs.
  const payload: ParsePayload = { value: undefined, issues: [] };
  for (const name of Object.keys(fields)) {
    payload.value = (value as Readonly<Record<string, unknown>>)[name];
    // The schemas of the contract are synchronous, and their paths hold no symbols.
    fields[name]?._zod.run(payload, { async: false });
    if (payload.issues.length === 0) continue;
    for (const { path = [], input, expected, values } of payload.issues.splice(0)) {
      found.push({
        path: [name, ...(path as FieldIssue["path"])],
        input,
        message: `expected ${expected ?? values}`,
      });
    }
  }
  return found;
};
