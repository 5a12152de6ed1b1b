import { boolean, nullable, object, string, unknown } from "./schema.ts";

/**
 * The envelope every response is wrapped in.
 *
 * @see API v1, section 2 "Response envelope"
 */
export type Envelope<Data = unknown> = SuccessEnvelope<Data> | FailureEnvelope;

export interface SuccessEnvelope<Data = unknown> {
  readonly success: true;
  readonly data: Data;
  readonly error: null;
}

export interface FailureEnvelope {
  readonly success: false;
  readonly data: null;
  readonly error: string;
}

/** Shape only; that the three fields agree with each other is checked where an answer is decoded. */
export const envelopeSchema = object({
  success: boolean,
  data: unknown,
  error: nullable(string),
});

export const successEnvelope = <Data>(data: Data): SuccessEnvelope<Data> => ({
  success: true,
  data,
  error: null,
});

export const failureEnvelope = (error: string): FailureEnvelope => ({
  success: false,
  data: null,
  error,
});
