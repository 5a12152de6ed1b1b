import { type Action, isAction } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import type { MockFault } from "../faults/fault.ts";
import { maskKey } from "./mask-key.ts";

/** One request and what became of it. */
export interface JournalEntry {
  /** Counts the service's requests, from 1. */
  readonly number: number;
  /** When it came, in milliseconds since 1970 by its account's clock. */
  readonly at: number;
  /** Which call of the API it was; `undefined` for a path that is none. */
  readonly operation: EndpointName | undefined;
  /** Whose it was, the key masked; `undefined` when it came without a key. */
  readonly account: string | undefined;
  /** In capitals. */
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  /** What the body holds: JSON, or the text when it is none; `undefined` without a body. */
  readonly body: unknown;
  /** The body's `action`, when it is one of the nine. */
  readonly action: Action | undefined;
  /** What was answered; `undefined` when no answer went out. */
  readonly answer: JournalAnswer | undefined;
  /** The `x-request-id` of the answer. */
  readonly requestId: string;
  /** Whether the service carried it out, or at least looked at it. */
  readonly accepted: boolean;
  /** The fault that it met, if any; latency only when there was no other. */
  readonly fault: MockFault | undefined;
}

/** What went out. */
export interface JournalAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** JSON, or the text when it is none. */
  readonly body: unknown;
}

/** One exchange as it is kept: texts, which take less room than what they hold. */
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

/** Reads JSON; gives the text when it is no JSON, or JSON that could not be written again. */
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
