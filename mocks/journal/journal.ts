import { requireFit } from "../options/require.ts";
import { type JournalEntry, type JournalRecord, showEntry } from "./entry.ts";
import { fitsBody, fitsOutside, type JournalFilter, journalFilterSchema } from "./filter.ts";
import { describeFilter, summarize } from "./report.ts";
import type { JournalStore } from "./store.ts";

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
    assertOne: (filter) => assertCount(1, filter)[0] as JournalEntry,
    assertCount,
    assertNone: (filter) => void assertCount(0, filter),
    clear: () => current.world.journal.forget(isOurs),
  };
};
