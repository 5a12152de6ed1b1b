import type { JournalRecord } from "./entry.ts";

/** All texts together; older exchanges are forgotten beyond it. */
const maxCharacters = 64 * 1024 * 1024;

export interface JournalStore {
  readonly records: readonly JournalRecord[];
  add(record: JournalRecord): void;
  /** Forgets those that fit. */
  forget(fits: (record: JournalRecord) => boolean): void;
}

const sizeOf = ({ request, response, path, key = "" }: JournalRecord): number =>
  request.length + response.length + path.length + key.length;

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
