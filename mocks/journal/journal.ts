import { requireFit } from "../options/require.ts";
import { type JournalEntry, type JournalRecord, showEntry } from "./entry.ts";
import { fitsBody, fitsOutside, type JournalFilter, journalFilterSchema } from "./filter.ts";
import { describeFilter, summarize } from "./report.ts";
import { type JournalPage, type JournalSearch, searchJournal } from "./search.ts";
import type { JournalStore } from "./store.ts";

/** Record of all requests and their answers. */
export interface MockJournal {
  /** Latest requests, oldest first; as many as `journalLimit` allows. */
  readonly entries: readonly JournalEntry[];
  /** Count of the requests that are remembered. */
  readonly count: number;
  /** Gives the latest requests, at most `limit` of them, oldest first. */
  latest(limit: number): readonly JournalEntry[];
  /** Finds the requests that fit, oldest first. */
  find(filter?: JournalFilter): readonly JournalEntry[];
  /** Gives one page of the requests that fit, newest first, with the counts of the others. */
  search(search: JournalSearch): JournalPage;
  /**
   * Gives the only request that fits.
   *
   * @throws Error when no request fits, or more than one; it lists the requests that were seen
   */
  assertOne(filter?: JournalFilter): JournalEntry;
  /**
   * Gives the requests that fit, when there are `count` of them.
   *
   * @throws Error when there are more or fewer; it lists the requests that were seen
   */
  assertCount(count: number, filter?: JournalFilter): readonly JournalEntry[];
  /** @throws Error when a request fits; it lists the requests that were seen */
  assertNone(filter?: JournalFilter): void;
  /** Forgets all requests so far. */
  clear(): void;
}

/**
 * Makes the journal of a service, or of one account.
 *
 * @param account - Key of the account whose journal this is. @default all accounts
 */
export const createJournal = (
  current: { readonly world: { readonly journal: JournalStore } },
  account?: string,
): MockJournal => {
  const isOurs = ({ key }: JournalRecord): boolean => account === undefined || key === account;
  const ours = (): readonly JournalRecord[] => {
    const { records } = current.world.journal;
    return account === undefined ? records : records.filter(isOurs);
  };

  const find = (filter: JournalFilter = {}): readonly JournalEntry[] => {
    requireFit("journal filter", journalFilterSchema, filter);
    return ours()
      .filter((record) => fitsOutside(record, filter))
      .map(showEntry)
      .filter((entry) => fitsBody(entry, filter));
  };

  const assertCount = (count: number, filter: JournalFilter = {}): readonly JournalEntry[] => {
    const found = find(filter);
    if (found.length === count) return found;
    const expected = describeFilter(filter, count);
    throw new Error(`Expected ${expected}; saw ${summarize(ours().map(showEntry), filter)}`);
  };

  return {
    get entries() {
      return ours().map(showEntry);
    },
    get count() {
      return ours().length;
    },
    latest: (limit) => (limit > 0 ? ours().slice(-limit).map(showEntry) : []),
    find,
    search: (search) => searchJournal(ours(), search),
    assertOne: (filter) => assertCount(1, filter)[0] as JournalEntry,
    assertCount,
    assertNone: (filter) => void assertCount(0, filter),
    clear: () => current.world.journal.forget(isOurs),
  };
};
