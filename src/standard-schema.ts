import type { DecodeIssue } from "./errors.ts";

/**
 * Any schema that follows the Standard Schema specification: zod, valibot, arktype and others.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
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

/** Issues of a schema in the errors' form, below `prefix`; at most 20, so that errors stay small. */
export const toDecodeIssues = (
  issues: readonly StandardIssue[],
  prefix: readonly (string | number)[],
): DecodeIssue[] =>
  issues.slice(0, 20).map(({ path = [], message }) => {
    const keys = path.map((part) => (typeof part === "object" ? part.key : part));
    return {
      path: [...prefix, ...keys.map((key) => (typeof key === "number" ? key : String(key)))],
      message: message.slice(0, 200),
    };
  });
