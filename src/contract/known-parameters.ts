import type { Action } from "./actions.ts";
import type {
  CopyJobRequest,
  ImageJobRequest,
  JobParameters,
  JobRequest,
  VideoJobRequest,
} from "./jobs.ts";

/**
 * A request without parameters that no action knows: a misspelt one would be paid for and have
 * no effect.
 */
export type KnownParametersOnly<R extends JobRequest> = AnyJobRequest &
  R & {
    readonly [Name in Exclude<ParameterOf<R>, KnownParameter>]?: UnknownParameter<
      Name,
      HintFor<Name>
    >;
  };

/**
 * What editors show of the fields of a request, whichever action it has; and what the compiler calls a
 * request without an action.
 */
interface AnyJobRequest extends JobParameters {
  /**
   * Generation to run. `copy-ad`, `generate-ad`, `edit-ad`, `image-a-2` and `image-a-pro` make pictures,
   * `video-a-2`, `video-a-2-pro` and `video-b-3-0` a video. `generate-ad-copy` writes ad text, and is
   * free.
   */
  action: Action;
  /** Number of pictures or texts, 1 to 10; the service makes 1 when absent. A job makes one video. */
  variations?: number | undefined;
  /** Length of a video in seconds. */
  duration?: number | undefined;
}

/** The type of a parameter that no action knows. Nothing has it: the compiler shows it. */
export interface UnknownParameter<Name, Hint> {
  /** Name of the parameter, and what may be meant, for the compiler's message. */
  readonly [unknownParameter]: readonly [Name, Hint];
}

/** Names that this one may mean: `variation`, `promt`, `brandId`. */
type NearTo<Name> = {
  [Known in KnownParameter]: IsNear<Plain<Name>, Plain<Known>> extends true ? Known : never;
}[KnownParameter];

/** A name as it sounds: without capitals and underscores. */
type Plain<Name> = Name extends `${infer Head}_${infer Tail}`
  ? Plain<`${Head}${Tail}`>
  : Name extends string
    ? Lowercase<Name>
    : never;

/** Whether one name begins with the other, or one letter is too many, missing, wrong or swapped. */
type IsNear<Given extends string, Known extends string> = Known extends `${Given}${string}`
  ? true
  : Given extends `${Known}${string}`
    ? true
    : IsMisspelt<Given, Known>;

type IsMisspelt<
  Given extends string,
  Known extends string,
> = Given extends `${infer One}${infer Given1}`
  ? Known extends `${infer Other}${infer Known1}`
    ? One extends Other
      ? IsMisspelt<Given1, Known1>
      : [Given1, Given] extends [Known, unknown] | [unknown, Known1] | [Known1, unknown]
        ? true
        : IsSwapped<Given1, Known1, One, Other>
    : Given1 extends ""
      ? true
      : false
  : Known extends `${string}${infer Known1}`
    ? Known1 extends ""
      ? true
      : false
    : true;

type IsSwapped<
  Given,
  Known,
  One extends string,
  Other extends string,
> = Given extends `${Other}${infer Rest}` ? (Known extends `${One}${Rest}` ? true : false) : false;

/** Written out, because a union has no order. A type test compares it with the requests. */
type ParameterNames = "prompt, images, variations, duration, brand_id";

/** The options of a submission. A type test compares them with `PostOptions`. */
export type OptionOfSubmit =
  | "once"
  | "signal"
  | "timeoutMs"
  | "totalTimeoutMs"
  | "maxRetries"
  | "headers"
  | "onResponse";

type HintFor<Name> = Name extends OptionOfSubmit
  ? "an option of the call: it belongs in the second argument"
  : [NearTo<Name>] extends [never]
    ? `no such parameter: there are ${ParameterNames}`
    : `did you mean ${NearTo<Name>}?`;

declare const unknownParameter: unique symbol;

/** Parameters of every member, where the request is a union. */
type ParameterOf<R> = R extends unknown ? keyof R : never;

type KnownParameter = keyof ImageJobRequest | keyof VideoJobRequest | keyof CopyJobRequest;
