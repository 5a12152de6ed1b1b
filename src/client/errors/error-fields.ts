import type { ReachedLimit } from "../../contract/proxy-answers.ts";
import type { Doubt } from "./doubt.ts";

/**
 * Every `code` that an error of this library can have. These come from the service's answers:
 * - `"bad_request"`: 400, the service refuses a parameter or an action;
 * - `"unauthorized"`: 401, the key is missing or invalid;
 * - `"payment_required"`: 402, the credits, or a limit of your proxy, do not suffice; or your
 *   `budget` does not suffice, and nothing was sent;
 * - `"not_found"`: 404, the requested thing does not exist, or belongs to somebody else;
 * - `"rate_limited"`: 429, too many requests: see `retryAfterMs`;
 * - `"server_error"`: 5xx;
 * - `"unexpected_status"`: any other status, redirects among them.
 *
 * These come from this library:
 * - `"connection"`: no whole answer came;
 * - `"timeout"`: no whole answer came in time;
 * - `"aborted"`: your signal was aborted;
 * - `"decode"`: the answer cannot be used: see `reason`;
 * - `"invalid_request"`: an argument cannot be sent, or an id belongs to another request;
 * - `"config"`: an option of the client is missing or wrong;
 * - `"store"`: the store of submissions fails;
 * - `"in_doubt"`: decide about `doubt` first;
 * - `"under_way"`: another call with this id has not ended yet;
 * - `"poll_timeout"`: the job did not finish before the wait's deadline. It may still finish.
 *
 * Every call can meet `"unauthorized"`, `"rate_limited"`, `"server_error"`, `"unexpected_status"`,
 * `"connection"`, `"timeout"`, `"aborted"`, `"decode"`, `"invalid_request"` and `"config"`. A call
 * with `once` can also meet `"store"`, `"in_doubt"` and `"under_way"`.
 */
export type ErrorCode =
  | "bad_request"
  | "unauthorized"
  | "payment_required"
  | "not_found"
  | "rate_limited"
  | "server_error"
  | "unexpected_status"
  | "connection"
  | "timeout"
  | "aborted"
  | "decode"
  | "invalid_request"
  | "config"
  | "store"
  | "in_doubt"
  | "under_way"
  | "poll_timeout";

/**
 * What became of a write that failed:
 * - `"not-sent"`: it provably never left this machine, or a router only redirected it;
 * - `"refused"`: the service answered that it did not carry it out;
 * - `"unknown"`: it may have been carried out. After a submission, a job may exist and be
 *   charged: look with `findLostJobs` before you submit again.
 *
 * The outcome is about this call only. Another call with the same `once` id may have been sent, or
 * may still be sent, so keep the id when you repeat a call.
 */
export type Outcome = "not-sent" | "refused" | "unknown";

/** Reason why an answer cannot be used: see `DecodeError`. */
export type DecodeReason = "too-large" | "not-json" | "envelope" | "data" | "schema";

/** One place where a response isn't what was expected. */
export interface DecodeIssue {
  /** The path to the place, from the top of the data. */
  readonly path: readonly (string | number)[];
  /** What was expected there, and what was found. */
  readonly message: string;
}

/** Facts that every error shows, where they are known. */
export interface ShownFacts {
  /** HTTP method of the call. */
  readonly method?: string;
  /** Path of the call, ids filled in, without base URL and query. */
  readonly path?: string;
  /** HTTP status that was received. */
  readonly status?: number;
  /** Id that the service gave the request, for its support. */
  readonly requestId?: string;
  /** Wait that the service asked for, in milliseconds. */
  readonly retryAfterMs?: number;
  /**
   * Content type of a response that can't be the service's own, because it isn't JSON or has no
   * envelope. Most often it is a proxy's page. The text is empty if the response names no type.
   */
  readonly contentType?: string;
  /**
   * What became of the write. Errors of reads and waits have no outcome, and neither have errors
   * after an answered submission.
   */
  readonly outcome?: Outcome;
  /** Action of the submission that failed. */
  readonly action?: string;
  /**
   * The job that the call was about, or that the response to the submission named. If the `once` id
   * belongs to another request, it is the job of that request.
   */
  readonly jobId?: string;
  /** Time from the start of the call or of the wait to the error, in milliseconds. */
  readonly elapsedMs?: number;
  /** Number of attempts: of one call, or of a whole wait. */
  readonly attempts?: number;
}

type OrUndefined<Facts> = { readonly [Fact in keyof Facts]: Facts[Fact] | undefined };

/** Facts about the call or the wait that failed; each field is there only when it is known. */
export interface ErrorFields extends OrUndefined<ShownFacts> {
  /** Submission that you must decide about. Logs and `JSON.stringify` leave it out. */
  readonly doubt?: Doubt | undefined;
  /** Reason why the answer cannot be used. */
  readonly reason?: DecodeReason | undefined;
  /** Places where the answer differs from what was expected; at most 10. */
  readonly issues?: readonly DecodeIssue[] | undefined;
  /** Actions that the service supports, where its answer listed them. */
  readonly supportedActions?: readonly string[] | undefined;
  /**
   * Limit of your app's proxy, or of your `budget`, that was reached. It is absent if the service's
   * credits do not suffice.
   */
  readonly limit?: ReachedLimit | undefined;
  /** Job as last received. Logs and `JSON.stringify` leave it out. */
  readonly lastJob?: Readonly<Record<string, unknown>> | undefined;
  /** Body as received, where it was JSON. Logs and `JSON.stringify` leave it out. */
  readonly received?: unknown;
  /** The `error` of the service's envelope, without the API key. */
  readonly serviceMessage?: string | undefined;
  /** Error or abort reason that led to this one. `JSON.stringify` leaves it out. */
  readonly cause?: unknown;
}
