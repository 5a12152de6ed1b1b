import type { NextRecord } from "./record-store.ts";

/** A record as this process holds it. */
export interface TableRecord extends NextRecord {
  /** Time at which it is over, by the table's clock. Absent: never. */
  readonly until?: number | undefined;
}

/** The records of a store as this process holds them. */
export interface RecordTable<R extends TableRecord> {
  readonly find: (id: string) => R | undefined;
  /** Replaces a record, or removes it. */
  readonly write: (id: string, record: R | undefined) => void;
  /** Returns the records of a list, the one written last first. */
  readonly list: (name: string, limit: number) => (readonly [id: string, record: R])[];
  /** Returns all records, the one written last at the end. */
  readonly all: () => Iterable<readonly [id: string, record: R]>;
}

/** @param now - Clock of the records' ages. A step of the system's clock must not move it. */
export const createRecordTable = <R extends TableRecord>(now: () => number): RecordTable<R> => {
  const records = new Map<string, R>();
  /** Ids by their list, in the order of their writes. */
  const lists = new Map<string, Set<string>>();
  let writesUntilCleared = 0;

  const find = (id: string): R | undefined => {
    const record = records.get(id);
    return record?.until === undefined || record.until > now() ? record : undefined;
  };

  const remove = (id: string): void => {
    const { list } = records.get(id) ?? {};
    records.delete(id);
    if (list === undefined) return;
    lists.get(list)?.delete(id);
    if (lists.get(list)?.size === 0) lists.delete(list);
  };

  const removeExpired = (): void => {
    for (const id of records.keys()) if (find(id) === undefined) remove(id);
    writesUntilCleared = records.size;
  };

  return {
    find,
    write(id, record) {
      // Without a timer: as many writes as there are records pay for a search among them.
      if (writesUntilCleared-- <= 0) removeExpired();
      remove(id);
      if (record === undefined) return;
      // A record of a file lacks the fields that it had no value for.
      records.set(id, { list: undefined, until: undefined, ...record });
      const { list } = record;
      if (list !== undefined) lists.set(list, (lists.get(list) ?? new Set()).add(id));
    },
    list(name, limit) {
      const found: [string, R][] = [];
      for (const id of [...(lists.get(name) ?? [])].reverse()) {
        if (found.length >= limit) break;
        const record = find(id);
        if (record !== undefined) found.push([id, record]);
      }
      return found;
    },
    all() {
      removeExpired();
      return records;
    },
  };
};
