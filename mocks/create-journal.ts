import { isAction } from "../src/contract/actions.ts";
import type { JournalEntry, JournalFilter, MockJournal } from "./journal.ts";
import {
  checkFilter,
  describeFilter,
  fitsFilter,
  type Readable,
  summarize,
} from "./journal-filter.ts";
import { maskKey } from "./masked-key.ts";

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

/** All texts together; older exchanges are forgotten beyond it. */
const maxCharacters = 64 * 1024 * 1024;

export interface JournalStore {
  readonly records: readonly JournalRecord[];
  add(record: JournalRecord): void;
  /** Forgets those that fit. */
  forget(fits: (record: JournalRecord) => boolean): void;
}

const sizeOf = ({ request, response, path }: JournalRecord): number =>
  request.length + response.length + path.length;

export const createJournalStore = (limit: number): JournalStore => {
  let records: JournalRecord[] = [];
  /** Where the records that are kept begin: moving all of them at each request would cost. */
  let first = 0;
  let characters = 0;

  const close = (): JournalRecord[] => {
    if (first > 0) records = records.slice(first);
    first = 0;
    return records;
  };

  return {
    get records() {
      return close();
    },
    add: (record) => {
      if (limit === 0) return;
      records.push(record);
      characters += sizeOf(record);
      while (records.length - first > limit || characters > maxCharacters) {
        const oldest = records[first];
        if (oldest === undefined) break;
        characters -= sizeOf(oldest);
        first += 1;
      }
      // Not at once: moving the others costs as much as there are.
      if (first * 2 > records.length) close();
    },
    forget: (fits) => {
      records = close().filter((record) => !fits(record));
      characters = records.reduce((sum, record) => sum + sizeOf(record), 0);
    },
  };
};

/** JSON, or the text when it is none. */
const parse = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const show = (record: JournalRecord): JournalEntry => {
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

/** `account`: for the journal of one account alone, its key. */
export const createJournal = (store: () => JournalStore, account?: string): MockJournal => {
  const isOurs = ({ key }: JournalRecord): boolean => account === undefined || key === account;
  const ours = (): readonly JournalRecord[] => {
    const { records } = store();
    return account === undefined ? records : records.filter(isOurs);
  };

  const find = (filter: JournalFilter = {}): readonly JournalEntry[] => {
    checkFilter(filter);
    return ours()
      .filter((record) => fitsOutside(record, filter))
      .map(show)
      .filter((entry) => fitsBody(entry, filter));
  };

  const assertCount = (count: number, filter: JournalFilter = {}): readonly JournalEntry[] => {
    const found = find(filter);
    if (found.length === count) return found;
    const expected = describeFilter(filter, count);
    throw new Error(`Expected ${expected}; saw ${summarize(ours().map(show), filter)}`);
  };

  return {
    get entries() {
      return ours().map(show);
    },
    get count() {
      return ours().length;
    },
    latest: (limit) => (limit > 0 ? ours().slice(-limit).map(show) : []),
    find,
    assertOne: (filter) => assertCount(1, filter)[0] as JournalEntry,
    assertCount,
    assertNone: (filter) => void assertCount(0, filter),
    clear: () => store().forget(isOurs),
  };
};
