import { type Action, isAction } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import type { MockFault } from "../faults/fault.ts";
import { maskKey } from "./mask-key.ts";

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
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  /** Body of the request: JSON, or text that is no JSON; `undefined` without a body. */
  readonly body: unknown;
  /** Field `action` of the body, when it is one of the nine. */
  readonly action: Action | undefined;
  /** Answer; `undefined` when no answer went out. */
  readonly answer: JournalAnswer | undefined;
  /** Header `x-request-id` of the answer. */
  readonly requestId: string;
  /** The service carried the request out, or refused it itself. */
  readonly accepted: boolean;
  /** Fault that the request met, if any; a latency only when there was no other fault. */
  readonly fault: MockFault | undefined;
}

/** Answer to a request. */
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
    "number" | "at" | "operation" | "method" | "path" | "requestId" | "accepted" | "fault"
  > {
  readonly key: string | undefined;
  readonly request: string;
  /** Absent when no answer went out. */
  readonly status: number | undefined;
  readonly response: string;
}

/** Reads JSON; gives the text when it is no JSON, or too deep to be written again. */
const parse = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    const value = JSON.parse(text);
    return isDeeperThan(maxDepth, value) ? text : value;
  } catch {
    return text;
  }
};

/** Shows a request as the users of a journal see it. */
export const showEntry = (record: JournalRecord): JournalEntry => {
  const { key, request, status, response, ...entry } = record;
  const body = parse(request);
  const action = typeof body === "object" && body !== null && "action" in body && body.action;
  return {
    ...entry,
    account: key === undefined ? undefined : maskKey(key),
    body,
    action: isAction(action) ? action : undefined,
    answer: status === undefined ? undefined : { status, body: parse(response) },
  };
};
