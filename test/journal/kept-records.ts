import type { JournalRecord, JournalStore } from "adgen-sdk";

/** A store that keeps records in a list, and does as its test says. */
export interface TestStore extends JournalStore {
  readonly kept: JournalRecord[];
  /** Events of the records, in the order in which they were kept. */
  readonly events: () => string[];
  /** Runs before each record is kept; what it throws refuses the record. */
  beforeAppend: (event: string) => unknown;
}

/** Writes a record as an earlier process may have left it. */
export const recordOf = (id: string, event: object): JournalRecord => ({
  id,
  text: JSON.stringify({ v: 1, id, at: new Date().toISOString(), ...event }),
  isDurable: true,
});

/** Reads one field of a record. */
export const fieldOf = ({ text }: JournalRecord, name: string): unknown => JSON.parse(text)[name];

/** Makes a store with the records of an earlier one. */
export const createTestStore = (earlier: readonly JournalRecord[] = []): TestStore => {
  const kept = [...earlier];
  const store: TestStore = {
    kept,
    events: () => kept.map((record) => String(fieldOf(record, "event"))),
    beforeAppend: () => {},
    append: async (record) => {
      await store.beforeAppend(String(fieldOf(record, "event")));
      kept.push(record);
    },
    read: async () => kept.map(({ text }) => text),
    forget: async (ids) => {
      const others = kept.filter(({ id }) => !ids.includes(id));
      kept.splice(0, kept.length, ...others);
    },
  };
  return store;
};
