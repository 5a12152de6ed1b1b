/** What the service answered, as a code. */
export type ServiceErrorCode =
  | "bad_request"
  | "unauthorized"
  | "payment_required"
  | "not_found"
  | "rate_limited"
  | "server_error"
  | "unexpected_status";

/** What happened on this side, as a code. */
export type ClientErrorCode =
  | "connection"
  | "timeout"
  | "aborted"
  | "decode"
  | "invalid_request"
  | "config"
  | "poll_timeout";

/** Every `code` an {@link AdGenError} can have. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode;

/**
 * What became of a write that failed:
 * - `"not-sent"`: it provably never left this machine;
 * - `"refused"`: the service answered that it did not carry it out;
 * - `"unknown"`: it may have been carried out, and a job may exist and be charged.
 */
export type Outcome = "not-sent" | "refused" | "unknown";

/** One place where an answer is not what was expected. */
export interface DecodeIssue {
  /** Where, from the top of the data. */
  readonly path: readonly (string | number)[];
  /** What is wrong there. */
  readonly message: string;
}

/** What is known of the call that failed; each field is there only when it is known. */
export interface ErrorContext {
  /** HTTP method of the call. */
  readonly method?: string | undefined;
  /** Path of the call, ids filled in, without base URL and query. */
  readonly path?: string | undefined;
  /** The HTTP status that was received. */
  readonly status?: number | undefined;
  /** The service's id of the request, for its support. */
  readonly requestId?: string | undefined;
  /** How long the service asked to wait before asking again, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** For a write: what became of it. */
  readonly outcome?: Outcome | undefined;
  /** The job that the call was about. */
  readonly jobId?: string | undefined;
  /** Time from the start of the call or of the wait to the error, in milliseconds. */
  readonly elapsedMs?: number | undefined;
  /** Requests made: of one call, or of a whole wait. */
  readonly attempts?: number | undefined;
  /** Where an answer that could not be used differs from what was expected. */
  readonly issues?: readonly DecodeIssue[] | undefined;
  /** The job as last received. Not enumerable: logs and `JSON.stringify` leave it out. */
  readonly lastJob?: { readonly [field: string]: unknown } | undefined;
  /** The data as received, where it could not be used. Not enumerable. */
  readonly received?: unknown;
  /** What led to the error. */
  readonly cause?: unknown;
  /** The actions the service supports, where its answer listed them. */
  readonly supportedActions?: readonly string[] | undefined;
}
