import type { ErrorCode } from "./errors/error-fields.ts";

/**
 * Plain observers: their results are ignored, what they throw is printed. No event holds the key or
 * a body. `path` has ids filled in, without base URL and query. `attempt` is 1 for the first of a call.
 */
export interface ClientHooks {
  /** Called just before a request is sent. */
  readonly onRequest?:
    | ((event: {
        /** HTTP method. */
        readonly method: "GET" | "POST" | "PATCH" | "DELETE";
        /** Path with ids filled in, without base URL and query. */
        readonly path: string;
        /** Number of the attempt: 1 for the first of a call. */
        readonly attempt: number;
      }) => void)
    | undefined;
  /** Called when the headers of an answer are there, `durationMs` after its request was sent. */
  readonly onResponse?:
    | ((event: {
        /** HTTP method. */
        readonly method: "GET" | "POST" | "PATCH" | "DELETE";
        /** Path with ids filled in, without base URL and query. */
        readonly path: string;
        /** Number of the attempt: 1 for the first of a call. */
        readonly attempt: number;
        /** HTTP status. */
        readonly status: number;
        /** Id that the service gave the request. */
        readonly requestId?: string | undefined;
        /** Wait that the service asked for, in milliseconds. */
        readonly retryAfterMs?: number | undefined;
        /** Time from sending the request to receiving the headers, in milliseconds. */
        readonly durationMs: number;
      }) => void)
    | undefined;
  /**
   * Called just before the wait of `waitMs` that precedes another attempt. `code` is that of the failed
   * one; `status` and `requestId` are there where it had an answer.
   */
  readonly onRetry?:
    | ((event: {
        /** HTTP method. */
        readonly method: "GET" | "POST" | "PATCH" | "DELETE";
        /** Path with ids filled in, without base URL and query. */
        readonly path: string;
        /** Number of the attempt that failed: 1 for the first of a call. */
        readonly attempt: number;
        /** Code of the attempt's error. */
        readonly code: ErrorCode;
        /** HTTP status, when there was an answer. */
        readonly status?: number | undefined;
        /** Id that the service gave the request, when there was an answer. */
        readonly requestId?: string | undefined;
        /** Wait before the next attempt, in milliseconds. */
        readonly waitMs: number;
      }) => void)
    | undefined;
  /** Called when a job has a status that the API's document does not name: `message` tells it. */
  readonly onDrift?:
    | ((event: {
        /** HTTP method. */
        readonly method: "GET" | "POST" | "PATCH" | "DELETE";
        /** Path with ids filled in. */
        readonly path: string;
        /** Difference from the document: one line, without the key. */
        readonly message: string;
      }) => void)
    | undefined;
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

/** What observers of each kind are told. */
type Events = {
  readonly [Name in keyof ClientHooks]-?: Parameters<NonNullable<ClientHooks[Name]>>[0];
};

/** Calls the observers of a client for one kind of event. */
export const observe = <Name extends keyof ClientHooks>(
  { hooks }: { readonly hooks: readonly ClientHooks[] },
  name: Name,
  event: Events[Name],
): void => {
  for (const each of hooks) notify(name, each[name] as (event: Events[Name]) => void, event);
};

/** Calls an observer, where there is one. */
export const notify = <Event>(
  name: string,
  observer: ((event: Event) => unknown) | undefined,
  event: Event,
): void => {
  if (observer !== undefined) callSafely(name, () => observer(event));
};
