import type { Method } from "./contract/endpoint.ts";
import type { ErrorCode } from "./error-context.ts";

/** One request, as the hooks see it. It never holds the key, nor a body. */
export interface RequestEvent {
  /** HTTP method. */
  readonly method: Method;
  /** Path with ids filled in, without base URL and query. */
  readonly path: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
}

/** One answer. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status. */
  readonly status: number;
  /** The service's id of the request. */
  readonly requestId?: string | undefined;
  /** From sending the request to receiving the headers, in milliseconds. */
  readonly durationMs: number;
}

/** A failed attempt that is about to be made again. */
export interface RetryEvent extends RequestEvent {
  /** Why the attempt failed. */
  readonly code: ErrorCode;
  /** The HTTP status, when there was an answer. */
  readonly status?: number | undefined;
  /** The service's id of the request, when there was an answer. */
  readonly requestId?: string | undefined;
  /** The wait before the next attempt, in milliseconds. */
  readonly waitMs: number;
}

/** An answer that can be used but is not what the API's document says. */
export interface DriftEvent {
  /** HTTP method. */
  readonly method: Method;
  /** Path with ids filled in. */
  readonly path: string;
  /** What differs. */
  readonly message: string;
}

/** Plain observers: what they return is ignored, what they throw is printed. */
export interface ClientHooks {
  /** Just before a request is sent. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** When the headers of an answer are there. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Just before the wait that precedes another attempt. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** When a job has a status that the API's document does not name. */
  readonly onDrift?: ((event: DriftEvent) => void) | undefined;
}

/**
 * Calls an observer. What it throws or rejects with is printed and goes no further:
 * a bug in a progress bar must not lose a paid job.
 */
export const observe = <Event, Name extends string>(
  observers: { readonly [N in Name]?: ((event: Event) => unknown) | undefined },
  name: Name,
  event: Event,
): void => {
  const call = async () => observers[name]?.(event);
  call().catch((error) => console.error(`adgen-sdk: ${name} failed`, error));
};
