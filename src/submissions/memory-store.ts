import { checkOptions, refuseOption } from "../options/rules.ts";
import type { NextRecord, RecordStore, StoredRecord } from "./record-store.ts";

interface MemoryRecord extends NextRecord {
  /** Time at which it is over. Absent: never. */
  readonly until: number | undefined;
}

/** Creates a store in memory with a clock of its own, as for tests. */
export const createMemoryStoreWith = (now: () => number): RecordStore => {
  const records = new Map<string, MemoryRecord>();
  /** Ids by their list, in the order of their writes. */
  const lists = new Map<string, Set<string>>();
  let writesUntilCleared = 0;

  const find = (id: string): MemoryRecord | undefined => {
    const record = records.get(id);
    return record?.until === undefined || record.until > now() ? record : undefined;
  };
  const show = (id: string): StoredRecord | undefined => {
    const record = find(id);
    return record && { id, rev: record.rev, text: record.text };
  };

  const remove = (id: string): void => {
    const { list } = records.get(id) ?? {};
    records.delete(id);
    if (list === undefined) return;
    lists.get(list)?.delete(id);
    if (lists.get(list)?.size === 0) lists.delete(list);
  };
  const removeExpired = (): void => {
    // Without a timer: as many writes as there are records pay for a search among them.
    if (writesUntilCleared-- > 0) return;
    for (const id of records.keys()) if (find(id) === undefined) remove(id);
    writesUntilCleared = records.size;
  };

  return {
    get: async (id) => show(id),
    async swap(id, expected, next) {
      if ((find(id)?.rev ?? "") !== expected) return show(id);
      removeExpired();
      remove(id);
      if (next === undefined) return undefined;
      const { list, ttlMs } = next;
      records.set(id, { ...next, until: ttlMs && now() + ttlMs });
      if (list !== undefined) lists.set(list, (lists.get(list) ?? new Set()).add(id));
      return show(id);
    },
    async list(name, limit) {
      const ids = [...(lists.get(name) ?? [])].reverse();
      return ids.flatMap((id) => show(id) ?? []).slice(0, limit);
    },
  };
};

/**
 * Creates a store in the memory of this process, for tests, and for processes that want no record of
 * theirs to outlive them. A restart forgets all of it, and a second process knows nothing of it.
 *
 * @param options It has none: there is no limit to set
 * @throws `ConfigError` (`config`) for an option.
 */
export const createMemoryStore = (options: Readonly<Record<string, never>> = {}): RecordStore => {
  checkOptions("createMemoryStore", {}, options, refuseOption);
  return createMemoryStoreWith(() => performance.now());
};
