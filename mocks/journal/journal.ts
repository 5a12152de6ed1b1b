import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { MockFault } from "../faults/fault.ts";

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

/** Which entries are meant; every field that is given must fit. */
export interface JournalFilter {
  /** The entry's number. */
  readonly number?: number;
  /** The call, or one of several. */
  readonly operation?: EndpointName | readonly EndpointName[];
  /** The API key, in full. */
  readonly account?: string;
  /** The `action` in the body. */
  readonly action?: Action;
  /** The HTTP method, in any case. */
  readonly method?: string;
  /** The whole path with its query, or a pattern that it contains. */
  readonly path?: string | RegExp;
  /** The status that was answered. */
  readonly status?: number;
  /** The kind of the fault that was played; `false` for none at all. */
  readonly fault?: MockFault["kind"] | false;
  /** Fields of the body, at any depth: those named must be equal. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** What was asked, by whom, and what was answered. */
export interface MockJournal {
  /** The latest requests, oldest first; as many as `journalLimit` allows. */
  readonly entries: readonly JournalEntry[];
  /** How many are remembered. */
  readonly count: number;
  /** The latest so many, oldest first. */
  latest(limit: number): readonly JournalEntry[];
  /** Those that fit, oldest first. */
  find(filter?: JournalFilter): readonly JournalEntry[];
  /**
   * The only one that fits.
   *
   * @throws Error when there is none, or more than one; it says what was seen instead
   */
  assertOne(filter?: JournalFilter): JournalEntry;
  /**
   * Those that fit, when they are so many.
   *
   * @throws Error when there are more or fewer; it says what was seen instead
   */
  assertCount(count: number, filter?: JournalFilter): readonly JournalEntry[];
  /** @throws Error when there is one that fits; it says what was seen */
  assertNone(filter?: JournalFilter): void;
  /** Forgets everything so far. */
  clear(): void;
}
