import type { DecodeIssue, ErrorContext } from "./error-context.ts";
import { type AdGenError, callError } from "./errors.ts";

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
  /** What should stand there, where the schema's library says so. */
  readonly expected?: unknown;
}

/** The type that a schema gives. */
export type SchemaOutput<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["output"];

/** Issues of a schema in the errors' form, below `prefix`; at most 20, so that errors stay small. */
export const toDecodeIssues = (
  issues: readonly StandardIssue[],
  prefix: readonly (string | number)[],
): DecodeIssue[] =>
  issues.slice(0, 20).map(({ path = [], message, expected }) => {
    const keys = path.map((part) => (typeof part === "object" ? part.key : part));
    return {
      path: [...prefix, ...keys.map((key) => (typeof key === "number" ? key : String(key)))],
      message: (expected ? `${message}: expected ${expected}` : message).slice(0, 200),
    };
  });

/** The error for an answer that cannot be used. */
export const decodeError = (
  what: string,
  context: ErrorContext,
  issues: readonly DecodeIssue[] = [],
): AdGenError => {
  const places = issues.slice(0, 3).map(({ path, message }) => `, ${path.join(".")}: ${message}`);
  return callError("decode", `answered ${what}${places.join("")}`, { ...context, issues });
};

/** Checks a part of an answer with a schema, and gives what the schema makes of it. */
export const checkWith = async (
  schema: StandardSchema | undefined,
  value: unknown,
  path: readonly (string | number)[],
  context: ErrorContext,
): Promise<unknown> => {
  if (!schema) return value;
  const unfit = (cause?: unknown, issues?: readonly DecodeIssue[]) =>
    decodeError("data that does not fit its schema", { ...context, cause }, issues);
  let result: StandardResult<unknown>;
  try {
    result = await schema["~standard"].validate(value);
  } catch (cause) {
    throw unfit(cause);
  }
  if (result.issues) throw unfit(undefined, toDecodeIssues(result.issues, path));
  return result.value;
};
