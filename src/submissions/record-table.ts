import type { NextRecord } from "./record-store.ts";

interface Entry<R> {
  readonly record: R;
  readonly expiresAt: number;
}

/** The records of a store as this process holds them. */
export interface RecordTable<R extends NextRecord> {
  readonly find: (id: string) => R | undefined;
  /** Replaces a record, or removes it. */
  readonly write: (id: string, record: R | undefined, expiresAt?: number) => void;
  /** Returns the records of a list, the one written last first. */
  readonly list: (name: string, limit: number) => (readonly [id: string, record: R])[];
  /** Returns all records, the one written last at the end. */
  readonly all: () => Iterable<readonly [id: string, entry: Entry<R>]>;
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

/** @param now - Clock of the records' ages. A step of the system's clock must not move it. */
export const createRecordTable = <R extends NextRecord>(now: () => number): RecordTable<R> => {
  const entries = new Map<string, Entry<R>>();
  const lists: Groups<string> = new Map();
  /** Records by their time to live: of one time, the first that was written ends first. */
  const lives: Groups<number> = new Map();

  const remove = (id: string): void => {
    const { list, ttlMs } = entries.get(id)?.record ?? {};
    entries.delete(id);
    removeFrom(lists, list, id);
    removeFrom(lives, ttlMs, id);
  };

  const find = (id: string): R | undefined => {
    const entry = entries.get(id);
    if (entry === undefined || entry.expiresAt > now()) return entry?.record;
    remove(id);
    return undefined;
  };

  /** Forgets what is over. A store in use does so by itself, without a timer. */
  const forgetExpired = (): void => {
    for (const ids of lives.values()) {
      for (const id of ids) if (find(id) !== undefined) break;
    }
  };

  return {
    find,
    write(id, record, expiresAt = now() + (record?.ttlMs ?? Number.POSITIVE_INFINITY)) {
      forgetExpired();
      remove(id);
      if (record === undefined) return;
      entries.set(id, { record, expiresAt });
      addTo(lists, record.list, id);
      addTo(lives, record.ttlMs, id);
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
      forgetExpired();
      return entries;
    },
  };
};
