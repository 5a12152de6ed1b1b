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

export const isSuccessEnvelope = (body: unknown): body is SuccessEnvelope => {
  const { success, error } = (body ?? {}) as Partial<SuccessEnvelope>;
  return success === true && error === null;
};

/**
 * Reads the service's words in the envelope of a failure: empty where it holds no text, `undefined`
 * when the body is none.
 */
export const readFailure = (body: unknown): string | undefined => {
  const { success, error } = (body ?? {}) as Partial<Record<keyof Envelope, unknown>>;
  if (success !== false) return undefined;
  return typeof error === "string" ? error : "";
};

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
