import type { ReachedLimit } from "../../contract/proxy-answers.ts";
import { AdGenError, hasErrorMark, nameClass } from "./adgen-error.ts";
import type { Doubt } from "./doubt.ts";
import type { DecodeIssue, ErrorCode } from "./error-fields.ts";

/** 400: invalid parameters, or an action that the service does not support. */
export class BadRequestError extends AdGenError {
  /** `"bad_request"`: the service refuses a parameter or an action. */
  declare readonly code: "bad_request";
  /** Actions that the service supports, where its answer listed them. */
  declare readonly supportedActions?: readonly string[];
  static {
    nameClass(this, "BadRequestError");
  }
}

/** 401: the API key is missing or invalid. */
export class UnauthorizedError extends AdGenError {
  /** `"unauthorized"`: the key is missing or invalid. */
  declare readonly code: "unauthorized";
  static {
    nameClass(this, "UnauthorizedError");
  }
}

/**
 * 402: the credits don't suffice, or a limit of your app's proxy or of your `budget` is reached.
 * Nothing was charged.
 */
export class PaymentRequiredError extends AdGenError {
  /** `"payment_required"`: the credits, a limit of your proxy, or your budget do not suffice. */
  declare readonly code: "payment_required";
  /**
   * The limit of the proxy or the budget that was reached. It is absent if the service's credits
   * didn't suffice.
   */
  declare readonly limit?: ReachedLimit;
  static {
    nameClass(this, "PaymentRequiredError");
  }
}

/** 404: the requested thing does not exist, or belongs to somebody else. */
export class NotFoundError extends AdGenError {
  /** `"not_found"`: the requested thing does not exist, or belongs to somebody else. */
  declare readonly code: "not_found";
  static {
    nameClass(this, "NotFoundError");
  }
}

/** Any other response that isn't a success: 429 with `retryAfterMs`, 5xx, redirects. */
export class ApiError extends AdGenError {
  /**
   * `"rate_limited"`: too many requests; `"server_error"`: 5xx; `"unexpected_status"`: any other.
   */
  declare readonly code: "rate_limited" | "server_error" | "unexpected_status";
  static {
    nameClass(this, "ApiError");
  }
}

/**
 * No whole response came: the connection was refused, reset or cut off, or the host was not found.
 * `cause` says why.
 */
export class ConnectionError extends AdGenError {
  /** `"connection"`: no whole answer came. */
  declare readonly code: "connection";
  static {
    nameClass(this, "ConnectionError");
  }
}

/** No whole answer came in time. */
export class TimeoutError extends AdGenError {
  /** `"timeout"`: no whole answer came in time. */
  declare readonly code: "timeout";
  static {
    nameClass(this, "TimeoutError");
  }
}

/**
 * The caller's signal was aborted. Its `name` is `"AbortError"`, its `cause` the signal's reason.
 */
export class AbortedError extends AdGenError {
  /** `"aborted"`: your signal was aborted. */
  declare readonly code: "aborted";
  static {
    nameClass(this, "AbortError");
  }
}

/**
 * A response came that can't be used. `reason` and `issues` say why, and `received` holds the body.
 */
export class DecodeError extends AdGenError {
  /** `"decode"`: the answer cannot be used: see `reason`. */
  declare readonly code: "decode";
  /**
   * Reason why the answer cannot be used:
   * - `"too-large"`: it has more than `maxResponseBytes`, or a file more than `maxBytes`;
   * - `"not-json"`: its body is not JSON;
   * - `"envelope"`: it is not in the service's form `{ success, data, error }`;
   * - `"data"`: its data is not what was asked for, such as a page in place of a picture;
   * - `"schema"`: its data does not fit your schema.
   */
  declare readonly reason: "too-large" | "not-json" | "envelope" | "data" | "schema";
  /** Places where the answer differs from what was expected; at most 10. */
  declare readonly issues: readonly DecodeIssue[];
  static {
    nameClass(this, "DecodeError");
  }
}

/**
 * An argument can't be sent, and the message names it. Or a decision has dropped the `once` id. Or
 * the id belongs to another request, and `jobId` names that request's job, if it made one. This
 * call sent nothing.
 */
export class InvalidRequestError extends AdGenError {
  /** `"invalid_request"`: an argument cannot be sent, or its id belongs to another request. */
  declare readonly code: "invalid_request";
  static {
    nameClass(this, "InvalidRequestError");
  }
}

/**
 * An option is missing or makes no sense, the key function fails, or the runtime lacks what the
 * call needs.
 */
export class ConfigError extends AdGenError {
  /** `"config"`: an option of the client is missing or wrong. */
  declare readonly code: "config";
  static {
    nameClass(this, "ConfigError");
  }
}

/**
 * The store of submissions, or the folder of `saveFiles`, can't be written or read. This call sent
 * nothing. With an id of yours, `outcome` is `"unknown"`, because an earlier call may have sent the
 * request; repeating the call with the same id is safe.
 */
export class StoreError extends AdGenError {
  /** `"store"`: the store cannot be written or read. */
  declare readonly code: "store";
  static {
    nameClass(this, "StoreError");
  }
}

/** An earlier call with this id has no known outcome. Nothing was sent: decide about `doubt`. */
export class InDoubtError extends AdGenError {
  /** `"in_doubt"`: an earlier call with this id may have been carried out. */
  declare readonly code: "in_doubt";
  /** Submission to decide about: `submissions.decide(error.doubt, …)`. Logs leave it out. */
  declare readonly doubt: Doubt;
  static {
    nameClass(this, "InDoubtError");
  }
}

/**
 * Another call with this id is under way, or, when you resubmit, the first request may still
 * arrive. This call sent nothing. Try again after `retryAfterMs`.
 */
export class UnderWayError extends AdGenError {
  /** `"under_way"`: another call with this id is under way. */
  declare readonly code: "under_way";
  declare readonly retryAfterMs: number;
  static {
    nameClass(this, "UnderWayError");
  }
}

/** The job did not finish before the deadline of the wait. It may still finish: wait again. */
export class PollTimeoutError extends AdGenError {
  /** `"poll_timeout"`: the job did not finish before the deadline, and still may. */
  declare readonly code: "poll_timeout";
  static {
    nameClass(this, "PollTimeoutError");
  }
}

/** Every error of this library: a union on `code`. */
export type AnyAdGenError =
  | BadRequestError
  | UnauthorizedError
  | PaymentRequiredError
  | NotFoundError
  | ApiError
  | ConnectionError
  | TimeoutError
  | AbortedError
  | DecodeError
  | InvalidRequestError
  | ConfigError
  | StoreError
  | InDoubtError
  | UnderWayError
  | PollTimeoutError;

type ErrorClass = new (...input: ConstructorParameters<typeof AdGenError>) => AnyAdGenError;

/** The error class of each code. */
export const errorClasses: { readonly [Code in ErrorCode]: ErrorClass } = {
  bad_request: BadRequestError,
  unauthorized: UnauthorizedError,
  payment_required: PaymentRequiredError,
  not_found: NotFoundError,
  rate_limited: ApiError,
  server_error: ApiError,
  unexpected_status: ApiError,
  connection: ConnectionError,
  timeout: TimeoutError,
  aborted: AbortedError,
  decode: DecodeError,
  invalid_request: InvalidRequestError,
  config: ConfigError,
  store: StoreError,
  in_doubt: InDoubtError,
  under_way: UnderWayError,
  poll_timeout: PollTimeoutError,
};

/**
 * Whether `value` is an error of this library. It knows the errors of every copy of the package.
 * After it, a check of `code` narrows to the class.
 *
 * @example
 * if (isAdGenError(error) && error.code === "bad_request") console.log(error.supportedActions);
 */
export const isAdGenError = (value: unknown): value is AnyAdGenError => hasErrorMark(value);
