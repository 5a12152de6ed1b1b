import { type Action, isAction } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { readJson } from "../domain/depth.ts";
import { findDifferences } from "../domain/difference.ts";
import type { MockFault } from "../faults/fault.ts";
import { countAlike, listSome, requireKnown, showValue } from "../options/require.ts";
import { type HeaderPairs, maskKey, redactHeaders } from "./redact.ts";
import { unknownParametersOf } from "./unknown-parameters.ts";

/** A request and its answer. */
export interface JournalEntry {
  /** Number of the request, counted from 1 for the whole service. */
  readonly number: number;
  /** Time of the request, in milliseconds since 1970 by its account's clock. */
  readonly at: number;
  /** Call of the API; `undefined` for a path that the API does not have. */
  readonly operation: EndpointName | undefined;
  /** Masked API key; `undefined` for a request without a key. A filter takes the whole key. */
  readonly account: string | undefined;
  /** HTTP method as it was sent. */
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  /** Headers, by names in lower case. Keys, cookies and tokens are "[redacted]". */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request: parsed JSON, or the text when it is not JSON; `undefined` without a body. */
  readonly body: unknown;
  /** Names of a submission's parameters that the API's document does not name. */
  readonly unknownParameters: readonly string[];
  /** Field `action` of the body, when it is one of the nine. */
  readonly action: Action | undefined;
  /** Id of the job that the request asked for, or that it made. */
  readonly jobId: string | undefined;
  /** HTTP status of the answer; `undefined` when no answer went out. */
  readonly status: number | undefined;
  /** Body of the answer: parsed JSON, or the text when it is not JSON. */
  readonly answer: unknown;
  /** What a job costs and what is left, for a 402; `undefined` otherwise. */
  readonly hint: string | undefined;
  /** Header `x-request-id` of the answer. */
  readonly requestId: string;
  /** `true` when the request reached the service, `false` when a fault answered in its place. */
  readonly accepted: boolean;
  /** Fault that the request met, if any; a latency only when there was no other fault. */
  readonly fault: MockFault | undefined;
}

/** Fields that a request must have, at any depth. */
export type JournalFilter = { readonly [Name in keyof JournalEntry]?: unknown };

/** A request as the journal keeps it: texts, which take less memory than the JSON in them. */
export interface JournalRecord
  extends Omit<JournalEntry, "account" | "body" | "unknownParameters" | "action" | "headers"> {
  readonly key: string | undefined;
  readonly request: string;
  readonly sent: HeaderPairs | undefined;
  readonly answer: string;
}

const names: readonly (keyof JournalEntry)[] = [
  ...(["number", "at", "operation", "account", "method", "path", "headers", "body"] as const),
  ...(["unknownParameters", "action", "jobId", "status", "answer", "hint"] as const),
  ...(["requestId", "accepted", "fault"] as const),
];

/** Record of the latest requests and their answers, `journalLimit` of them. */
export interface MockJournal {
  /** Latest requests, oldest first; as many as `journalLimit` allows. */
  readonly entries: readonly JournalEntry[];
  /** Count of the requests that are remembered. */
  readonly count: number;
  /** Finds the requests that have these fields, at any depth, oldest first. */
  find(filter?: JournalFilter): readonly JournalEntry[];
  /** Returns the only request that fits. @throws Error when no request fits, or more than one */
  assertOne(filter?: JournalFilter): JournalEntry;
  /** Returns the requests that fit. @throws Error when there are not `count` of them */
  assertCount(count: number, filter?: JournalFilter): readonly JournalEntry[];
  /** Checks that no request fits. @throws Error when one does */
  assertNone(filter?: JournalFilter): void;
  /** Clears the journal of all requests so far. */
  clear(): void;
}

/** Requests in memory, oldest first, and how many came before them. */
export interface JournalStore {
  records: JournalRecord[];
  forgotten: number;
}

const showEntry = ({ key, request, sent, ...record }: JournalRecord): JournalEntry => {
  const body = readJson(request);
  const { action }: { action?: unknown } = Object(body);
  return {
    ...record,
    account: key === undefined ? undefined : maskKey(key),
    headers: redactHeaders(sent),
    body,
    unknownParameters: unknownParametersOf(record.operation, body),
    action: isAction(action) ? action : undefined,
    answer: readJson(record.answer),
  };
};

const describe = ({ operation, method, path, action, status }: JournalEntry): string =>
  `${operation ?? `${method} ${path}`}${action === undefined ? "" : ` of ${action}`} (${status ?? "no answer"})`;

/**
 * Creates the journal of a service, or of one account.
 *
 * @param account - Key of the account whose journal this is. @default all accounts
 */
export const createJournal = (
  { journal }: { readonly journal: JournalStore },
  account?: string,
): MockJournal => {
  const isOurs = ({ key }: JournalRecord): boolean => account === undefined || key === account;
  const ours = () => journal.records.filter(isOurs).map(showEntry);

  const find = (filter: JournalFilter = {}): readonly JournalEntry[] => {
    requireKnown("requests", names, filter);
    const { account: key } = filter;
    const wanted = typeof key === "string" ? { ...filter, account: maskKey(key) } : filter;
    return ours().filter((entry) => findDifferences(entry, wanted).length === 0);
  };

  const assertCount = (count: number, filter: JournalFilter = {}): readonly JournalEntry[] => {
    const found = find(filter);
    const { forgotten } = journal;
    if (found.length === count && forgotten === 0) return found;
    const seen = countAlike(ours().map(describe)).map(([words, times]) => `${times} ${words}`);
    const list = listSome(seen, 8);
    const lost = forgotten === 0 ? "" : `, and has forgotten ${forgotten}: raise journalLimit`;
    throw new Error(
      `Expected ${count} of ${showValue(filter)}, found ${found.length};\n  saw ${list || "nothing"}${lost}`,
    );
  };

  return {
    get entries() {
      return ours();
    },
    get count() {
      return journal.records.filter(isOurs).length;
    },
    find,
    assertCount,
    assertOne: (filter) => assertCount(1, filter)[0] as JournalEntry,
    assertNone: (filter) => void assertCount(0, filter),
    clear: () => {
      journal.records = journal.records.filter((record) => !isOurs(record));
      if (account === undefined) journal.forgotten = 0;
    },
  };
};

/** Adds a request, and drops the oldest one beyond the limit. */
export const addRecord = (journal: JournalStore, record: JournalRecord, limit: number): void => {
  journal.records.push(record);
  if (journal.records.length <= limit) return;
  journal.records.shift();
  journal.forgotten += 1;
};
