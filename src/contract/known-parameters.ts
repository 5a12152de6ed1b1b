import type { CopyJobRequest, ImageJobRequest, JobRequest, VideoJobRequest } from "./jobs.ts";

/**
 * A request without parameters that no action knows: a misspelt one would be paid for and have
 * no effect.
 */
export type KnownParametersOnly<R extends JobRequest> = R & {
  readonly [Name in Exclude<ParameterOf<R>, KnownParameter>]?: UnknownParameter<
    Name,
    HintFor<Name>
  >;
};

/** The type of a parameter that no action knows. Nothing has it: the compiler shows it. */
export interface UnknownParameter<Name, Hint> {
  /** Name of the parameter, and what may be meant, for the compiler's message. */
  readonly [unknownParameter]: readonly [Name, Hint];
}

/** Known names that begin with this one, or with which it begins: "variation", "prompts". */
type NearTo<Name> = {
  [Known in KnownParameter]: Known extends `${Name & string}${string}`
    ? Known
    : Name extends `${Known}${string}`
      ? Known
      : never;
}[KnownParameter];

/** Written out, because a union has no order. A type test compares it with the requests. */
type ParameterNames = "prompt, images, variations, duration, brand_id";

type HintFor<Name> = [NearTo<Name>] extends [never]
  ? `no such parameter: there are ${ParameterNames}`
  : `did you mean ${NearTo<Name>}?`;

declare const unknownParameter: unique symbol;

/** Parameters of every member, where the request is a union. */
type ParameterOf<R> = R extends unknown ? keyof R : never;

type KnownParameter = keyof ImageJobRequest | keyof VideoJobRequest | keyof CopyJobRequest;
