/**
 * The request log, whose headers hide secrets. This folder imports the domain, the options and the types of faults.
 */
import { type Action, isAction } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { hasFields, readJson } from "../domain/json-values.ts";
import type { MockFault } from "../faults/fault.ts";
import { countAlike, listSome, requireKnown, showValue } from "../options/require.ts";
import { maskKey, redactHeaders } from "./redact.ts";
import { unknownParametersOf } from "./unknown-parameters.ts";

/** A request and its answer. */
export interface JournalEntry {
  /** Number of the request, counted from 1 for the whole service. */
  readonly number: number;
  /** Time of the request, in milliseconds since 1970 by its account's clock. */
  readonly at: number;
  /** The operation of the API; `undefined` for any other path. */
  readonly operation: EndpointName | undefined;
  /** Masked API key; `undefined` if the request had none. In a filter, give the whole key. */
  readonly account: string | undefined;
  /** HTTP method as it was sent. */
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly path: string;
  /** Headers, by names in lower case. Keys, cookies and tokens are replaced by "[redacted]". */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request: parsed JSON, or the text if it isn't JSON; `undefined` without a body. */
  readonly body: unknown;
  /** Parameters of a submission that the API's document doesn't name. */
  readonly unknownParameters: readonly string[];
  /** The `action` of the body, if it is one of the nine. */
  readonly action: Action | undefined;
  /** Id of the job that the request asked for or created. */
  readonly jobId: string | undefined;
  /** HTTP status of the answer; `undefined` if no answer was sent. */
  readonly status: number | undefined;
  /** Body of the answer: parsed JSON, or the text if it isn't JSON. */
  readonly answer: unknown;
  /** For a 402, what the job costs and what is left; otherwise `undefined`. */
  readonly hint: string | undefined;
  /** The answer's header `x-request-id`. */
  readonly requestId: string;
  /** `true` if the request reached the service, `false` if a fault kept it away. */
  readonly accepted: boolean;
  /** The fault that the request met. A latency is given only if there was no other fault. */
  readonly fault: MockFault | undefined;
}

/** Selects requests that have these fields, at any depth. */
export type JournalFilter = { readonly [Name in keyof JournalEntry]?: unknown };

/** A request as the journal stores it. Bodies stay texts, which take less memory than parsed JSON. */
export interface JournalRecord
  extends Omit<JournalEntry, "account" | "body" | "unknownParameters" | "action" | "headers"> {
  readonly key: string | undefined;
  readonly request: string;
  readonly sent: Iterable<readonly [string, string]> | undefined;
  readonly answer: string;
}

const names: readonly (keyof JournalEntry)[] = [
  ...(["number", "at", "operation", "account", "method", "path", "headers", "body"] as const),
  ...(["unknownParameters", "action", "jobId", "status", "answer", "hint"] as const),
  ...(["requestId", "accepted", "fault"] as const),
];

/** The log of the latest requests and their answers. The option `journalLimit` limits its length. */
export interface MockJournal {
  /** The latest requests, oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Number of requests in the log. */
  readonly count: number;
  /** Finds the requests that the filter selects, oldest first. */
  find(filter?: JournalFilter): readonly JournalEntry[];
  /** Returns the only request that the filter selects. @throws Error unless it selects exactly one */
  assertOne(filter?: JournalFilter): JournalEntry;
  /** Returns the requests that the filter selects. @throws Error unless it selects `count` */
  assertCount(count: number, filter?: JournalFilter): readonly JournalEntry[];
  /** Checks that the filter selects no request. @throws Error when it selects any */
  assertNone(filter?: JournalFilter): void;
  /** Deletes all requests so far from the log. */
  clear(): void;
}

/** The stored requests, oldest first, and the number of older ones that were dropped. */
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
 * @param account - API key of the only account whose requests it shows. @default all accounts
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
    return ours().filter((entry) => hasFields(entry, wanted));
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

/** Adds a request, and drops the oldest one if there are more than `limit`. */
export const addRecord = (journal: JournalStore, record: JournalRecord, limit: number): void => {
  journal.records.push(record);
  if (journal.records.length <= limit) return;
  journal.records.shift();
  journal.forgotten += 1;
};
