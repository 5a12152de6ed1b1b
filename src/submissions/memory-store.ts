import type { NextRecord, RecordStore, StoredRecord } from "./record-store.ts";
import { createRecordTable } from "./record-table.ts";

const show = (id: string, record: NextRecord | undefined): StoredRecord | undefined =>
  record && { id, rev: record.rev, text: record.text };

/**
 * Makes a store in the memory of this process, for tests, and for processes that want no record of
 * theirs to outlive them. A restart forgets all of it, and a second process knows nothing of it.
 */
export const createMemoryStore = (): RecordStore => {
  const table = createRecordTable<NextRecord>(() => performance.now());
  return {
    get: async (id) => show(id, table.find(id)),
    async swap(id, expected, next) {
      if ((table.find(id)?.rev ?? "") === expected) table.write(id, next);
      return show(id, table.find(id));
    },
    list: async (name, limit) =>
      table.list(name, limit).flatMap(([id, record]) => show(id, record) ?? []),
  };
};
