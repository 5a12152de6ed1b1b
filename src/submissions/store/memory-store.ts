import { checkOptions, refuseOption } from "../../client/options/rules.ts";
import type { NextRecord, RecordStore, StoredRecord } from "./record-store.ts";

interface MemoryRecord extends NextRecord {
  /** Time at which the record expires, or `undefined` if it never expires. */
  readonly until: number | undefined;
}

/** Does what {@link createMemoryStore} does, with a clock that a test can control. */
export const createMemoryStoreWith = (now: () => number): RecordStore => {
  const records = new Map<string, MemoryRecord>();
  /** Ids of each list, in the order in which they were written. */
  const lists = new Map<string, Set<string>>();
  let writesUntilCleared = 0;

  const find = (id: string): MemoryRecord | undefined => {
    const record = records.get(id);
    return record?.until === undefined || record.until > now() ? record : undefined;
  };
  const getStored = (id: string): StoredRecord | undefined => {
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
    // One search through n records after n writes keeps the average cost of a write constant.
    if (writesUntilCleared-- > 0) return;
    for (const id of records.keys()) if (find(id) === undefined) remove(id);
    writesUntilCleared = records.size;
  };

  return {
    get: async (id) => getStored(id),
    async swap(id, expected, next) {
      if ((find(id)?.rev ?? "") !== expected) return getStored(id);
      removeExpired();
      remove(id);
      if (next === undefined) return undefined;
      const { list, ttlMs } = next;
      records.set(id, { ...next, until: ttlMs && now() + ttlMs });
      if (list !== undefined) lists.set(list, (lists.get(list) ?? new Set()).add(id));
      return getStored(id);
    },
    async list(name, limit) {
      const ids = [...(lists.get(name) ?? [])].reverse();
      return ids.flatMap((id) => getStored(id) ?? []).slice(0, limit);
    },
  };
};

/**
 * Creates a store in the memory of this process, for tests and for programs whose records need not
 * outlive them. A restart loses all records, and other processes cannot see them.
 *
 * @param options There are no options yet.
 * @throws `AdGenError`
 * - `config`: an option was given.
 */
export const createMemoryStore = (options: Readonly<Record<string, never>> = {}): RecordStore => {
  checkOptions("createMemoryStore", {}, options, refuseOption);
  return createMemoryStoreWith(() => performance.now());
};
