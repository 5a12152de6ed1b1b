import type { DecodeIssue, ErrorContext } from "./error-context.ts";
import { type AdGenError, callError, oneLine } from "./errors.ts";

/**
 * Any schema that follows the Standard Schema specification: zod, valibot, arktype and others.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The specification's own property. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a schema says of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing a schema finds wrong. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where, from the top of the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type that a schema gives. */
export type SchemaOutput<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["output"];

/** Issues of a schema in the errors' form, below `prefix`; at most 10, so that errors stay small. */
export const toDecodeIssues = (
  issues: readonly StandardIssue[],
  prefix: readonly (string | number)[],
  clean: (text: string) => string,
): DecodeIssue[] =>
  issues.slice(0, 10).map(({ path = [], message }) => {
    const keys = path.map((part) => {
      const key = typeof part === "object" ? part.key : part;
      return typeof key === "number" ? key : clean(String(key));
    });
    return {
      path: [...prefix, ...keys],
      message: clean(message),
    };
  });

/** The error for an answer that cannot be used. */
export const decodeError = (
  what: string,
  context: ErrorContext,
  issues: readonly DecodeIssue[] = [],
): AdGenError => {
  const places = issues.slice(0, 3).map(({ path, message }) => `, ${path.join(".")}: ${message}`);
  return callError("decode", `answered ${what}${oneLine(places.join(""))}`, { ...context, issues });
};

/** What a check needs to know of its call, for its error. */
export interface CheckedCall {
  readonly context: ErrorContext;
  /** Cuts foreign text to what may stand in an error: a bounded line, without the key. */
  readonly clean: (text: string) => string;
}

/** Checks a part of an answer with a schema, and gives what the schema makes of it. */
export const checkWith = async (
  schema: StandardSchema | undefined,
  value: unknown,
  path: readonly (string | number)[],
  { context, clean }: CheckedCall,
): Promise<unknown> => {
  if (!schema) return value;
  let issues: readonly DecodeIssue[] | undefined;
  let cause: unknown;
  try {
    const result = await schema["~standard"].validate(value);
    if (!result.issues) return result.value;
    issues = toDecodeIssues(result.issues, path, clean);
  } catch (thrown) {
    cause = thrown; // a bug in the schema
  }
  throw decodeError("data that does not fit its schema", { ...context, cause }, issues);
};
