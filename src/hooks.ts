import type { Method } from "./contract/endpoint.ts";
import type { ErrorCode } from "./errors/error-fields.ts";

/** One request, as the hooks see it. It never holds the key, nor a body. */
export interface RequestEvent {
  /** HTTP method. */
  readonly method: Method;
  /** Path with ids filled in, without base URL and query. */
  readonly path: string;
  /** Number of the attempt: 1 for the first of a call. */
  readonly attempt: number;
}

/** One answer. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status. */
  readonly status: number;
  /** Id that the service gave the request. */
  readonly requestId?: string | undefined;
  /** Wait that the service asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Time from sending the request to receiving the headers, in milliseconds. */
  readonly durationMs: number;
}

/** A failed attempt that is about to be made again. */
export interface RetryEvent extends RequestEvent {
  /** Code of the attempt's error. */
  readonly code: ErrorCode;
  /** HTTP status, when there was an answer. */
  readonly status?: number | undefined;
  /** Id that the service gave the request, when there was an answer. */
  readonly requestId?: string | undefined;
  /** Wait before the next attempt, in milliseconds. */
  readonly waitMs: number;
}

/** An answer that can be used but is not what the API's document says. */
export interface DriftEvent {
  /** HTTP method. */
  readonly method: Method;
  /** Path with ids filled in. */
  readonly path: string;
  /** Difference from the document: one line, without the key. */
  readonly message: string;
}

/** Plain observers: their results are ignored, what they throw is printed. */
export interface ClientHooks {
  /** Called just before a request is sent. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when the headers of an answer are there. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called just before the wait that precedes another attempt. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called when a job has a status that the API's document does not name. */
  readonly onDrift?: ((event: DriftEvent) => void) | undefined;
}

/**
 * Calls a function of the caller's. What it throws or rejects with is printed and goes no further,
 * because a bug in a progress bar must not lose a paid job.
 */
export const callSafely = (name: string, call: () => unknown): void => {
  // Awaited, so that what it rejects with is printed before a wait that it observes resolves.
  const run = async () => {
    await call();
  };
  run().catch((error) => console.error(`adgen-sdk: ${name} failed`, error));
};

/** Calls an observer, where there is one. */
export const notify = <Event>(
  name: string,
  observer: ((event: Event) => unknown) | undefined,
  event: Event,
): void => {
  if (observer !== undefined) callSafely(name, () => observer(event));
};
