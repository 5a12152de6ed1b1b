import { deliberate } from "../domain/deliberate.ts";
import { limit as listLimit, count as wholeCount } from "../options/fields.ts";
import { requireFit } from "../options/require.ts";
import { type JournalEntry, type JournalRecord, showEntry } from "./entry.ts";
import { fits, type JournalFilter, journalFilterSchema } from "./filter.ts";
import { shortenKey } from "./redact.ts";
import {
  describeFilter,
  describeForgotten,
  describeNearest,
  describeOff,
  describeUnknownKeys,
  summarize,
} from "./report.ts";
import {
  type JournalPage,
  type JournalSearch,
  journalSearchSchema,
  searchJournal,
} from "./search.ts";
import type { JournalStore } from "./store.ts";

/** Record of the latest requests and their answers, `journalLimit` of them. */
export interface MockJournal {
  /** Latest requests, oldest first; as many as `journalLimit` allows. */
  readonly entries: readonly JournalEntry[];
  /** Count of the requests that are remembered. */
  readonly count: number;
  /** Count of the requests that are forgotten, because later ones took their places. */
  readonly forgotten: number;
  /** Returns the latest requests, at most `limit` of them, oldest first. */
  latest(limit: number): readonly JournalEntry[];
  /** Finds the requests that fit, oldest first. */
  find(filter?: JournalFilter): readonly JournalEntry[];
  /** Counts the forgotten requests that may fit: only the account and the number are known. */
  countForgotten(filter?: JournalFilter): number;
  /**
   * Returns one page of the requests that fit, newest first, with the counts of the others.
   *
   * @throws TypeError when a field makes no sense; the message names the field
   */
  search(search: JournalSearch): JournalPage;
  /**
   * Returns the only request that fits.
   *
   * @throws Error when no request fits, or more than one; it lists the requests that were seen,
   *   and says how the nearest differs
   * @throws Error when a forgotten request may fit
   */
  assertOne(filter?: JournalFilter): JournalEntry;
  /**
   * Returns the requests that fit, when there are `count` of them.
   *
   * @throws Error when there are more or fewer; it lists the requests that were seen, and says how
   *   the nearest differs when there are fewer
   * @throws Error when a forgotten request may fit
   */
  assertCount(count: number, filter?: JournalFilter): readonly JournalEntry[];
  /**
   * Checks that no request fits.
   *
   * @throws Error when a request fits; it lists the requests that were seen
   * @throws Error when a forgotten request may fit
   */
  assertNone(filter?: JournalFilter): void;
  /** Clears the journal of all requests so far; none of them counts as forgotten. */
  clear(): void;
}

/** The part of a world that a journal reads. */
interface Journalled {
  readonly journal: JournalStore;
  readonly accounts: ReadonlyMap<string, { readonly masked: string }>;
}

/**
 * Creates the journal of a service, or of one account.
 *
 * @param account - Key of the account whose journal this is. @default all accounts
 */
export const createJournal = (
  current: { readonly world: Journalled },
  account?: string,
): MockJournal => {
  const own = account === undefined ? undefined : shortenKey(account);
  const ours = (): readonly JournalRecord[] => {
    const { records } = current.world.journal;
    return own === undefined ? records : records.filter(({ key }) => key === own);
  };

  const show = (record: JournalRecord): JournalEntry => showEntry(record, current.world.accounts);

  const find = (filter: JournalFilter = {}): readonly JournalEntry[] => {
    requireFit("journal filter", journalFilterSchema, filter);
    return ours()
      .filter((record) => fits(record, filter, current.world.accounts))
      .map(show);
  };

  const countForgotten = (filter: JournalFilter = {}): number => {
    const { number = 0, account: asked } = requireFit(
      "journal filter",
      journalFilterSchema,
      filter,
    );
    const keys = [account, asked].filter((key) => key !== undefined).map(shortenKey);
    return current.world.journal.forgotten
      .filter(
        ({ facts, latest }) =>
          (!facts || keys.every((key) => facts.key === key)) && number <= latest,
      )
      .reduce((sum, { count }) => sum + count, 0);
  };

  const assertCount = (count: number, filter: JournalFilter = {}): readonly JournalEntry[] => {
    requireFit("count", wholeCount, count);
    const { journal, accounts } = current.world;
    const found = find(filter);
    if (journal.limit === 0) throw deliberate(new Error(describeOff(filter, count)));
    // More than were expected stay too many, whatever the journal has forgotten.
    const lost = found.length > count ? 0 : countForgotten(filter);
    if (found.length === count && lost === 0) return found;
    const seen = ours();
    const nearest = found.length < count ? describeNearest(seen, filter, accounts) : undefined;
    const masked = Array.from(accounts.values(), (slot) => slot.masked);
    const fitting = [0, count].includes(found.length) ? "" : `, found ${found.length}`;
    throw deliberate(
      new Error(
        `Expected ${describeFilter(filter, count)}${fitting};\n  saw ${summarize(seen, filter)}` +
          (nearest === undefined ? "" : `.\n  The nearest is ${nearest}`) +
          describeForgotten(lost, journal.limit) +
          describeUnknownKeys(seen, masked),
      ),
    );
  };

  return {
    get entries() {
      return ours().map(show);
    },
    get count() {
      return ours().length;
    },
    get forgotten() {
      return countForgotten();
    },
    latest: (limit) => {
      requireFit("limit", listLimit, limit);
      return limit === 0 ? [] : ours().slice(-limit).map(show);
    },
    find,
    countForgotten,
    search: (search) => {
      requireFit("journal search", journalSearchSchema, search);
      return searchJournal(ours(), search, current.world.accounts);
    },
    assertOne: (filter) => assertCount(1, filter)[0] as JournalEntry,
    assertCount,
    assertNone: (filter) => void assertCount(0, filter),
    clear: () => current.world.journal.clear(own),
  };
};
