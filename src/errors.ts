import type { DecodeIssue, ErrorCode, ErrorContext, Outcome } from "./error-context.ts";

const brand = Symbol.for("adgen-sdk.error");

/**
 * Whether `value` is an error of this library, of whichever copy of it.
 *
 * @example
 * if (isAdGenError(error)) console.log(error.code, error.outcome);
 */
export const isAdGenError = (value: unknown): value is AdGenError =>
  typeof value === "object" && value !== null && brand in value;

/** Cuts foreign text to what may stand in an error: a bounded line. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").slice(0, 500);

/** Would make logs large, or show what a log must not hold. */
const hidden = ["lastJob", "received"];

/** Adds what is known to an error; what is undefined is left alone. */
export const addContext = <E extends AdGenError>(error: E, context: ErrorContext): E => {
  for (const [key, value] of Object.entries(context)) {
    if (value === undefined) continue;
    // By a getter: `util.inspect` can be told to print hidden values too.
    const kept = hidden.includes(key)
      ? { get: () => value }
      : { value, enumerable: key !== "cause" };
    Object.defineProperty(error, key, { ...kept, configurable: true });
  }
  return error;
};

/**
 * The one family of errors this library throws. `instanceof` and {@link isAdGenError}
 * also recognise the errors of another copy of the package.
 */
export class AdGenError extends Error implements ErrorContext {
  /** What went wrong, from a closed list: switch on this. */
  readonly code: ErrorCode;
  declare readonly method?: string;
  declare readonly path?: string;
  declare readonly status?: number;
  declare readonly requestId?: string;
  declare readonly retryAfterMs?: number;
  declare readonly outcome?: Outcome;
  declare readonly jobId?: string;
  declare readonly elapsedMs?: number;
  declare readonly attempts?: number;
  declare readonly lastJob?: { readonly [field: string]: unknown };

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
    addContext(this, context);
  }

  /** A small, stable form for logs: no job, no cause, no stack. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { name, message, ...(this as object) };
  }

  /** Also by name, so that two copies of the package recognise each other's errors. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (super[Symbol.hasInstance](value)) return true;
    const isOurs = Object.hasOwn(this.prototype, "name") && isAdGenError(value);
    return isOurs && (this === AdGenError || value.name === this.prototype.name);
  }
  static {
    AdGenError.prototype.name = "AdGenError";
  }
}

/** 400: invalid parameters, or an action the service does not support. */
export class BadRequestError extends AdGenError {
  declare readonly code: "bad_request";
  /** The actions the service supports, where its answer listed them. */
  declare readonly supportedActions?: readonly string[];
  static {
    BadRequestError.prototype.name = "BadRequestError";
  }
}

/** 401: the API key is missing or invalid. */
export class UnauthorizedError extends AdGenError {
  declare readonly code: "unauthorized";
  static {
    UnauthorizedError.prototype.name = "UnauthorizedError";
  }
}

/** 402: the credits do not suffice; nothing was charged. */
export class PaymentRequiredError extends AdGenError {
  declare readonly code: "payment_required";
  static {
    PaymentRequiredError.prototype.name = "PaymentRequiredError";
  }
}

/** 404: no such thing, or it belongs to somebody else. */
export class NotFoundError extends AdGenError {
  declare readonly code: "not_found";
  static {
    NotFoundError.prototype.name = "NotFoundError";
  }
}

/** Every other answer that is not a success: 429 with `retryAfterMs`, 5xx, redirects. */
export class ApiError extends AdGenError {
  declare readonly code: "rate_limited" | "server_error" | "unexpected_status";
  static {
    ApiError.prototype.name = "ApiError";
  }
}

/** No whole answer came: refused, reset, not resolved, cut off. `cause` says why. */
export class ConnectionError extends AdGenError {
  declare readonly code: "connection";
  static {
    ConnectionError.prototype.name = "ConnectionError";
  }
}

/** No whole answer came in time. */
export class TimeoutError extends AdGenError {
  declare readonly code: "timeout";
  static {
    TimeoutError.prototype.name = "TimeoutError";
  }
}

/** The caller's signal was aborted. Its `name` is `"AbortError"`, its `cause` the signal's reason. */
export class AbortedError extends AdGenError {
  declare readonly code: "aborted";
  static {
    AbortedError.prototype.name = "AbortError";
  }
}

/** An answer came that cannot be used; `issues` says where it differs, `received` holds it. */
export class DecodeError extends AdGenError {
  declare readonly code: "decode";
  /** Where the answer differs from what was expected; at most 10. */
  declare readonly issues: readonly DecodeIssue[];
  /** The data as received, where it was JSON. Not enumerable. */
  declare readonly received?: unknown;
  static {
    DecodeError.prototype.name = "DecodeError";
  }
}

/** An argument cannot be sent; the message names it. Nothing was sent. */
export class InvalidRequestError extends AdGenError {
  declare readonly code: "invalid_request";
  static {
    InvalidRequestError.prototype.name = "InvalidRequestError";
  }
}

/** An option of the client is missing or makes no sense; the message names it. */
export class ConfigError extends AdGenError {
  declare readonly code: "config";
  static {
    ConfigError.prototype.name = "ConfigError";
  }
}

/** The job did not finish before the deadline of the wait. It may still finish: wait again. */
export class PollTimeoutError extends AdGenError {
  declare readonly code: "poll_timeout";
  static {
    PollTimeoutError.prototype.name = "PollTimeoutError";
  }
}

/** By code; all others are an {@link ApiError}. */
const kinds: { readonly [C in ErrorCode]?: typeof AdGenError } = {
  bad_request: BadRequestError,
  unauthorized: UnauthorizedError,
  payment_required: PaymentRequiredError,
  not_found: NotFoundError,
  connection: ConnectionError,
  timeout: TimeoutError,
  aborted: AbortedError,
  decode: DecodeError,
};

/** An error of one call; where the call may have been carried out, its message says so. */
export const callError = (code: ErrorCode, what: string, context: ErrorContext): AdGenError => {
  const { method, path, outcome } = context;
  const doubt = path === "/v1/jobs" ? "; the job may exist" : "; it may have been carried out";
  const message = `${method} ${path} ${what}${outcome === "unknown" ? doubt : ""}`;
  return new (kinds[code] ?? ApiError)(code, message, context);
};
