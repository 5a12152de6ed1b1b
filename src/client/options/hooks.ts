import type { EndpointName, Method } from "../../contract/endpoint.ts";
import type { ErrorCode, Outcome } from "../errors/error-fields.ts";
import { optionalVariableOf } from "./environment.ts";

/** One request of a call. */
export interface RequestEvent {
  /** The call that it belongs to, such as `"jobs.get"`. */
  readonly operation: EndpointName;
  /** HTTP method. */
  readonly method: Method;
  /** Path with ids filled in, without base URL and query. */
  readonly path: string;
  /** Number of the attempt: 1 for the first of a call. */
  readonly attempt: number;
}

/** The beginning of a response: its status, and facts from its headers. */
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

/** A failed request: no response came, or a refusal, or an unusable response. */
export interface FailureEvent extends RequestEvent {
  /** Code of the error. */
  readonly code: ErrorCode;
  /** HTTP status, when there was an answer. */
  readonly status?: number | undefined;
  /** Id that the service gave the request, when there was an answer. */
  readonly requestId?: string | undefined;
  /** What became of the write so far. Absent for a read. */
  readonly outcome?: Outcome | undefined;
  /** Time that the attempt took, in milliseconds. */
  readonly durationMs: number;
  /**
   * Wait before the next attempt, in milliseconds. Absent if there is no next attempt and the call
   * rejects.
   */
  readonly retryInMs?: number | undefined;
}

/** An answer that differs from the API's document. */
export interface DriftEvent extends Omit<RequestEvent, "attempt"> {
  /** Difference, as one line without the key. */
  readonly message: string;
}

/**
 * Observers of a client: a plain object, or an instance of a class with these methods. What they
 * return is ignored, and what they throw is printed. No event holds the key or a body.
 */
export interface ClientHooks {
  /** Called just before a request is sent. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when the headers of an answer have arrived. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /**
   * Called when a request has failed, and before the wait for the next attempt, if there is one.
   */
  readonly onFailure?: ((event: FailureEvent) => void) | undefined;
  /** Called when a job has a status that the API's document does not name. */
  readonly onDrift?: ((event: DriftEvent) => void) | undefined;
}

/**
 * Calls a function of the caller's, and prints what it throws or rejects with, because a bug in a
 * progress bar must not lose a paid job.
 */
export const callSafely = (name: string, call: () => unknown): void => {
  // Await the call, so that a rejection is printed before the observed wait resolves.
  const run = async () => {
    await call();
  };
  run().catch((error) => console.error(`adgen-sdk: ${name} failed`, error));
};

/** The event of each kind of observer. */
type Events = {
  readonly [Name in keyof ClientHooks]-?: Parameters<NonNullable<ClientHooks[Name]>>[0];
};

/** Calls a client's observers of one kind of event. */
export const callHooks = <Name extends keyof ClientHooks>(
  { hooks }: { readonly hooks: readonly ClientHooks[] },
  name: Name,
  event: Events[Name],
): void => {
  for (const each of hooks) callObserver(name, each[name] as (event: Events[Name]) => void, event);
};

/** Calls an observer, where there is one. */
export const callObserver = <Event>(
  name: string,
  observer: ((event: Event) => unknown) | undefined,
  event: Event,
): void => {
  if (observer !== undefined) callSafely(name, () => observer(event));
};

/** Receives a line for each step of a call. */
export type Log = (line: string) => void;

const inConsole: Log = (line) => console.error(line);

/**
 * Creates the hooks of a log, if one is set. They write a line for each request, response and
 * failure.
 */
export const logHooks = (
  log: Log | undefined = optionalVariableOf("ADGEN_LOG") === "debug" ? inConsole : undefined,
): ClientHooks => {
  if (log === undefined) return {};
  const tell = ({ method, path }: { method: string; path: string }, what: string): void =>
    callSafely("log", () => log(`adgen-sdk: ${method} ${path}${what}`));
  return {
    onRequest: (event) => tell(event, event.attempt > 1 ? ` (attempt ${event.attempt})` : ""),
    onResponse(event) {
      const { status, durationMs, requestId } = event;
      const id = requestId === undefined ? "" : ` (${requestId})`;
      tell(event, ` answered ${status} in ${Math.round(durationMs)} ms${id}`);
    },
    onFailure(event) {
      const { code, retryInMs } = event;
      const next = retryInMs === undefined ? "" : `, again in ${Math.round(retryInMs)} ms`;
      tell(event, ` failed (${code})${next}`);
    },
  };
};
