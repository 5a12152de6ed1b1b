import type { ClientConfig } from "./config.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import {
  checkFunction,
  checkHeaders,
  checkMs,
  checkNoOthers,
  checkNumber,
  checkSignal,
  refuseArgument,
} from "./refuse.ts";
import { maxTimerMs } from "./sleep.ts";

/** What an answer said besides its data. */
export interface ResponseInfo {
  /** The HTTP status. */
  readonly status: number;
  /** The answer's headers. */
  readonly headers: Headers;
  /** The service's id of the request. */
  readonly requestId?: string | undefined;
  /** How long the service asked to wait before asking again, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The last argument of every method; everything in it is optional. */
export interface CallOptions {
  /** Ends the call with an `AbortedError` within 100 ms, in every phase; nothing is sent afterwards. */
  signal?: AbortSignal | undefined;
  /**
   * Time for one attempt in milliseconds, body included, 1 to 2147483647; without
   * `totalTimeoutMs` also the time for the whole call.
   * @default the client's `timeoutMs`
   */
  timeoutMs?: number | undefined;
  /**
   * Time for the whole call in milliseconds, attempts and waits included, 1 to 2147483647.
   * @default `timeoutMs` when given here, else the client's `totalTimeoutMs`
   */
  totalTimeoutMs?: number | undefined;
  /**
   * How often this call may be sent again, 0 to 10.
   * @default the client's `maxRetries`
   */
  maxRetries?: number | undefined;
  /** Headers to add to this call's requests. */
  headers?: Record<string, string> | undefined;
  /** Called with status and headers of every answer, just before it is decoded. */
  onResponse?: ((response: ResponseInfo) => void) | undefined;
}

export interface CallConfig {
  readonly signal: AbortSignal | undefined;
  readonly attemptTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly onResponse: ((response: ResponseInfo) => void) | undefined;
}

/** Fills what a call does not say from the client's config. */
export const resolveCallOptions = (
  options: CallOptions,
  endpoint: Endpoint,
  config: ClientConfig,
): CallConfig => {
  const { signal, timeoutMs, totalTimeoutMs, maxRetries, headers, onResponse, ...others } = options;
  checkNoOthers(others, refuseArgument);
  const attemptTimeoutMs = timeoutMs ?? config.timeoutMs ?? (endpoint.paid ? 60_000 : 30_000);
  const callTimeoutMs =
    totalTimeoutMs ??
    timeoutMs ??
    config.totalTimeoutMs ??
    Math.min(2 * attemptTimeoutMs, maxTimerMs);
  return {
    signal: checkSignal(signal, refuseArgument),
    attemptTimeoutMs: checkMs("timeoutMs", attemptTimeoutMs, refuseArgument),
    totalTimeoutMs: checkMs("totalTimeoutMs", callTimeoutMs, refuseArgument),
    maxRetries: checkNumber("maxRetries", maxRetries ?? config.maxRetries, 0, 10, refuseArgument),
    headers: { ...config.headers, ...checkHeaders(headers, refuseArgument) },
    onResponse: checkFunction("onResponse", onResponse, refuseArgument),
  };
};
