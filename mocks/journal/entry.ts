import { type Action, isAction } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { readJson } from "../domain/depth.ts";
import type { MockFault } from "../faults/fault.ts";
import { type HeaderPairs, type Keys, maskKey, redactHeaders } from "./redact.ts";
import { unknownParametersOf } from "./unknown-parameters.ts";

/** One request, and its answer. */
export interface JournalEntry {
  /** Number of the request, counted from 1 for the whole service. */
  readonly number: number;
  /** Time of the request, in milliseconds since 1970 by its account's clock. */
  readonly at: number;
  /** Call of the API; `undefined` for a path that the API does not have. */
  readonly operation: EndpointName | undefined;
  /** Masked API key; `undefined` for a request without a key. */
  readonly account: string | undefined;
  /** HTTP method as it was sent: `fetch` leaves "patch" in lower case. */
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  /**
   * Headers of the request, by names in lower case. Keys, cookies and tokens are "[redacted]", and
   * values are cut after 1,000 characters. Empty for an adapter that passes none.
   * They differ from client to client, so they are not enumerable, and snapshots leave them out.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request: JSON, or text that is no JSON; `undefined` without a body. */
  readonly body: unknown;
  /**
   * Names of a submission's parameters that the API's document does not name: the real service may
   * ignore them.
   */
  readonly unknownParameters: readonly string[];
  /** Field `action` of the body, when it is one of the nine. */
  readonly action: Action | undefined;
  /** Id of the job that the request asked for, or that it made. */
  readonly jobId: string | undefined;
  /** Answer; `undefined` when no answer went out. */
  readonly answer: JournalAnswer | undefined;
  /**
   * Milliseconds from the arrival of the whole request to the end of the answer's delivery;
   * `undefined` when no answer went out, or not yet. It differs from run to run, so it is not
   * enumerable: comparisons and snapshots leave it out.
   */
  readonly tookMs: number | undefined;
  /** What a job costs and what is left, for a 402; `undefined` otherwise. */
  readonly hint: string | undefined;
  /** Header `x-request-id` of the answer. */
  readonly requestId: string;
  /** The service carried the request out, or refused it itself. */
  readonly accepted: boolean;
  /** Fault that the request met, if any; a latency only when there was no other fault. */
  readonly fault: MockFault | undefined;
}

/** Answer to a request. @inline */
export interface JournalAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Body of the answer: JSON, or text that is no JSON. */
  readonly body: unknown;
}

/** One request as the journal keeps it: texts, which take less memory than the JSON in them. */
export interface JournalRecord
  extends Pick<
    JournalEntry,
    "number" | "at" | "operation" | "method" | "requestId" | "accepted" | "fault" | "jobId"
  > {
  readonly key: string | undefined;
  readonly path: string;
  readonly request: string;
  /** Absent after a restore: snapshots leave them out. Read when somebody looks, for that takes long. */
  readonly headers?: HeaderPairs | undefined;
  /** Absent when no answer went out. */
  readonly status: number | undefined;
  /** Empty when no answer went out. */
  readonly response: string;
  readonly hint?: string | undefined;
  /** Set when the answer is delivered. */
  tookMs?: number | undefined;
}

/** Finds the action in the body of a submission. */
export const actionIn = (body: unknown): Action | undefined => {
  const action = typeof body === "object" && body !== null && "action" in body && body.action;
  return isAction(action) ? action : undefined;
};

/**
 * Shows a request as the users of a journal see it.
 *
 * @param keys - Keys that no header may show
 */
export const showEntry = (record: JournalRecord, keys: Keys): JournalEntry => {
  const { key, request, status, response, tookMs, headers, hint, ...entry } = record;
  const body = readJson(request);
  const shown = {
    ...entry,
    account: key === undefined ? undefined : maskKey(key),
    body,
    unknownParameters: unknownParametersOf(entry.operation, body),
    action: actionIn(body),
    hint,
    answer: status === undefined ? undefined : { status, body: readJson(response) },
  };
  const redacted = () => redactHeaders(headers, key, keys);
  const hidden = { tookMs: { value: tookMs }, headers: { get: redacted } };
  return Object.defineProperties(shown, hidden) as JournalEntry;
};
