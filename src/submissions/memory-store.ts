import type { NextRecord, RecordStore, StoredRecord } from "./record-store.ts";

interface Entry {
  readonly record: StoredRecord;
  readonly list: string | undefined;
  readonly ttlMs: number | undefined;
  /** By `performance.now()`: a step of the system's clock makes no record older. */
  readonly expiresAt: number;
}

/** A set of ids for each name, in the order of their writes. */
type Groups<Name> = Map<Name, Set<string>>;

const addTo = <Name>(groups: Groups<Name>, name: Name | undefined, id: string): void => {
  if (name !== undefined) groups.set(name, (groups.get(name) ?? new Set()).add(id));
};

const removeFrom = <Name>(groups: Groups<Name>, name: Name | undefined, id: string): void => {
  if (name === undefined) return;
  groups.get(name)?.delete(id);
  if (groups.get(name)?.size === 0) groups.delete(name);
};

/**
 * Makes a store in the memory of this process, for tests, and for processes that want no record of
 * theirs to outlive them. A restart forgets all of it, and a second process knows nothing of it.
 */
export const createMemoryStore = (): RecordStore => {
  const entries = new Map<string, Entry>();
  const lists: Groups<string> = new Map();
  /** Records by their time to live: of one time, the first that was written ends first. */
  const lives: Groups<number> = new Map();

  const remove = (id: string): void => {
    const { list, ttlMs } = entries.get(id) ?? {};
    entries.delete(id);
    removeFrom(lists, list, id);
    removeFrom(lives, ttlMs, id);
  };

  const find = (id: string): StoredRecord | undefined => {
    const entry = entries.get(id);
    if (entry === undefined || entry.expiresAt > performance.now()) return entry?.record;
    remove(id);
    return undefined;
  };

  /** Forgets what is over. A store in use does so by itself, without a timer. */
  const forgetExpired = (): void => {
    for (const ids of lives.values()) {
      for (const id of ids) if (find(id) !== undefined) break;
    }
  };

  const write = (id: string, { rev, text, list, ttlMs }: NextRecord): void => {
    const expiresAt = performance.now() + (ttlMs ?? Number.POSITIVE_INFINITY);
    entries.set(id, { record: { id, rev, text }, list, ttlMs, expiresAt });
    addTo(lists, list, id);
    addTo(lives, ttlMs, id);
  };

  return {
    get: async (id) => find(id),
    async swap(id, expected, next) {
      forgetExpired();
      if ((find(id)?.rev ?? "") !== expected) return find(id);
      remove(id);
      if (next !== undefined) write(id, next);
      return find(id);
    },
    async list(name, limit) {
      const newestFirst = [...(lists.get(name) ?? [])].reverse();
      return newestFirst.flatMap((id) => find(id) ?? []).slice(0, limit);
    },
  };
};
