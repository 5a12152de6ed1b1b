import { checkOptions, refuseOption } from "../options/rules.ts";
import type { RecordStore, StoredRecord } from "./record-store.ts";
import { createRecordTable, type TableRecord } from "./record-table.ts";

const show = (id: string, record: TableRecord | undefined): StoredRecord | undefined =>
  record && { id, rev: record.rev, text: record.text };

/** Makes a store in memory with a clock of its own, as for tests. */
export const createMemoryStoreWith = (now: () => number): RecordStore => {
  const table = createRecordTable(now);
  return {
    get: async (id) => show(id, table.find(id)),
    async swap(id, expected, next) {
      if ((table.find(id)?.rev ?? "") === expected) {
        table.write(id, next && { ...next, until: next.ttlMs && now() + next.ttlMs });
      }
      return show(id, table.find(id));
    },
    list: async (name, limit) =>
      table.list(name, limit).flatMap(([id, record]) => show(id, record) ?? []),
  };
};

/**
 * Makes a store in the memory of this process, for tests, and for processes that want no record of
 * theirs to outlive them. A restart forgets all of it, and a second process knows nothing of it.
 *
 * @param options It has none: there is no limit to set
 * @throws `ConfigError` (`config`) for an option.
 */
export const createMemoryStore = (options: Readonly<Record<string, never>> = {}): RecordStore => {
  checkOptions("createMemoryStore", {}, options, refuseOption);
  return createMemoryStoreWith(() => performance.now());
};
