import type { JournalEntry } from "../../journal/entry.ts";
import type { JournalFilter } from "../../journal/filter.ts";
import { refusal } from "../../options/require.ts";
import type { ConnectedJournal } from "./connected-mock.ts";
import type { Connection } from "./connection.ts";

interface Found {
  readonly total: number;
  readonly forgotten: number;
  readonly entries: readonly JournalEntry[];
}

/** Writes a filter for JSON, which has no patterns. */
const writeFilter = ({ path, ...filter }: JournalFilter): object => {
  if (!(path instanceof RegExp)) return { ...filter, path };
  if (path.flags !== "") {
    throw refusal("journal filter.path", `text or a pattern without flags; it is ${path}`);
  }
  return { ...filter, pathPattern: path.source };
};

/** Limit that no journal reaches. */
const everything = Number.MAX_SAFE_INTEGER;

/** Reads an entry. Its time is no part of a comparison, as in the service's own journal. */
const readEntry = ({ tookMs, ...entry }: JournalEntry): JournalEntry =>
  Object.defineProperty(entry, "tookMs", { value: tookMs }) as JournalEntry;

/**
 * Makes the face of the journal.
 *
 * @param account - Key of the account whose journal this is. @default all accounts
 */
export const connectJournal = ({ ask, tell }: Connection, account?: string): ConnectedJournal => {
  const find = async (filter: JournalFilter = {}, limit = everything): Promise<Found> => {
    const asked = { account, filter: writeFilter(filter), limit };
    const found = await ask<Found>("POST", "journal/find", asked);
    return { ...found, entries: found.entries.map(readEntry) };
  };

  const assertCount = async (
    count: number,
    filter: JournalFilter = {},
  ): Promise<readonly JournalEntry[]> => {
    const asked = { account, count, filter: writeFilter(filter) };
    return (await ask<Found>("POST", "journal/assert", asked)).entries.map(readEntry);
  };

  return {
    entries: async () => (await find()).entries,
    count: async () => (await find({}, 0)).total,
    forgotten: async () => (await find({}, 0)).forgotten,
    countForgotten: async (filter) => (await find(filter, 0)).forgotten,
    latest: async (limit) => (limit > 0 ? (await find({}, limit)).entries : []),
    find: async (filter) => (await find(filter)).entries,
    assertOne: async (filter) => (await assertCount(1, filter))[0] as JournalEntry,
    assertCount,
    assertNone: async (filter) => void (await assertCount(0, filter)),
    clear: () => tell("DELETE", "journal", { account }),
  };
};
