import type { JournalRecord } from "./entry.ts";

/** Length of all texts together, beyond which the oldest requests are forgotten. */
const maxCharacters = 64 * 1024 * 1024;

/** Requests in memory, oldest first, up to a limit. */
export interface JournalStore {
  readonly records: readonly JournalRecord[];
  add(record: JournalRecord): void;
  /** Forgets the records that fit. */
  forget(fits: (record: JournalRecord) => boolean): void;
}

const sizeOf = ({ request, response, path, key = "" }: JournalRecord): number =>
  request.length + response.length + path.length + key.length;

export const createJournalStore = (limit: number): JournalStore => {
  let records: JournalRecord[] = [];
  /** Place of the oldest record that is kept. Removing it at each request would move all others. */
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
      // Half of the array is free: moving the others now costs no more than adding them did.
      if (first * 2 > records.length) close();
    },
    forget: (fits) => {
      records = close().filter((record) => !fits(record));
      characters = records.reduce((sum, record) => sum + sizeOf(record), 0);
    },
  };
};
