import { cutRecord } from "./cut-record.ts";
import type { JournalRecord } from "./entry.ts";
import { createForgotten, type Forgotten, type ForgottenGroup } from "./forgotten.ts";

const mebi = 1024 * 1024;

/** Characters of one text, from which on its beginning alone is kept. */
const longestText = mebi;

/** Characters of all texts together, beyond which those of the oldest requests are cut. */
const maxCharacters = 16 * mebi;

/** Requests in memory, oldest first, up to a limit. */
export interface JournalStore {
  /** Number of the requests that are kept; 0 for a journal that is off. */
  readonly limit: number;
  readonly records: readonly JournalRecord[];
  /** Requests that are no longer kept. */
  readonly forgotten: Forgotten;
  /** Keeps a record, and owns it from then on: later it may cut its texts. */
  add(record: JournalRecord): void;
  /** Clears the requests with a key; without one, all. */
  clear(account: string | undefined): void;
}

const sizeOf = ({ request, response, path, key = "" }: JournalRecord): number =>
  request.length + response.length + path.length + key.length;

export const createJournalStore = (
  limit: number,
  forgotBefore: readonly ForgottenGroup[] = [],
): JournalStore => {
  const forgotten = createForgotten(forgotBefore);
  let records: JournalRecord[] = [];
  /** Place of the oldest record that is kept. Removing it at each request would move all others. */
  let first = 0;
  /** Place of the oldest record whose texts may still be cut. */
  let whole = 0;
  let characters = 0;

  const close = (): JournalRecord[] => {
    if (first > 0) records = records.slice(first);
    whole = Math.max(whole - first, 0);
    first = 0;
    return records;
  };

  const cut = (record: JournalRecord, most?: number): void => {
    characters -= sizeOf(record);
    cutRecord(record, most);
    characters += sizeOf(record);
  };

  return {
    limit,
    forgotten,
    get records() {
      return close();
    },
    add: (record) => {
      if (limit === 0) return forgotten.addUnknown(record.number);
      records.push(record);
      characters += sizeOf(record);
      cut(record, longestText);
      if (records.length - first > limit) {
        const oldest = records[first] as JournalRecord;
        characters -= sizeOf(oldest);
        forgotten.add(oldest);
        first += 1;
      }
      whole = Math.max(whole, first);
      for (; characters > maxCharacters && whole < records.length; whole += 1) {
        cut(records[whole] as JournalRecord);
      }
      // Half of the array is free: moving the others now costs no more than adding them did.
      if (first * 2 > records.length) close();
    },
    clear: (account) => {
      records = account === undefined ? [] : close().filter(({ key }) => key !== account);
      first = 0;
      whole = 0;
      characters = records.reduce((sum, record) => sum + sizeOf(record), 0);
      forgotten.clear(account);
    },
  };
};
