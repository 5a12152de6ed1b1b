/**
 * The envelope that every response is wrapped in.
 *
 * @see API v1, section 2 "Response envelope"
 */
export type Envelope<Data = unknown> = SuccessEnvelope<Data> | FailureEnvelope;

/** The envelope of a success. */
export interface SuccessEnvelope<Data = unknown> {
  readonly success: true;
  readonly data: Data;
  readonly error: null;
}

/** The envelope of a failure. */
export interface FailureEnvelope {
  readonly success: false;
  readonly data: null;
  readonly error: string;
}

/** Wraps the data of a success. */
export const successEnvelope = <Data>(data: Data): SuccessEnvelope<Data> => ({
  success: true,
  data,
  error: null,
});

/** Wraps the message of a failure. */
export const failureEnvelope = (error: string): FailureEnvelope => ({
  success: false,
  data: null,
  error,
});
