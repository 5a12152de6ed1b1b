import { checkOptions, refuseOption, wholeNumber } from "../options/rules.ts";
import type { ProxyStore, SetOptions } from "./proxy-store.ts";

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /**
   * Largest number of values, from 1 to 10000000. A store that is full takes no new POSTs: the proxy
   * answers 503, and sends nothing. Owners of what was just made may take as much again.
   * @default 100000
   */
  readonly maxEntries?: number | undefined;
}

interface Entry {
  readonly value: string;
  /** By `performance.now()`: a clock that is set forward must not forget a call id. */
  readonly expiresAt: number;
  readonly list: string | undefined;
  readonly ttlMs: number | undefined;
}

/** Puts a key into one of many sets. */
const put = <Name>(sets: Map<Name, Set<string>>, name: Name, key: string): void =>
  void sets.set(name, (sets.get(name) ?? new Set()).add(key));

/** Takes a key out of one of many sets, and drops the set when it is empty. */
const take = <Name>(sets: Map<Name, Set<string>>, name: Name, key: string): void => {
  const set = sets.get(name);
  set?.delete(key);
  if (set?.size === 0) sets.delete(name);
};

/**
 * Makes a store in the memory of this process. **It is for one process.** A second one
 * would not know whose the jobs are. Limits could be used twice, and a repeated submission paid
 * twice.
 * A restart forgets all of it.
 *
 * @throws `ConfigError` (`config`) for a bad option.
 */
export const createMemoryStore = (options: MemoryStoreOptions = {}): ProxyStore => {
  const rules = { maxEntries: wholeNumber(1, 10_000_000) };
  const defaults = { maxEntries: 100_000 };
  const { maxEntries } = checkOptions("createMemoryStore", rules, options, refuseOption, defaults);
  const entries = new Map<string, Entry>();
  const lists = new Map<string, Set<string>>();
  /** Keys by their time to live: of one time, the first that was written ends first. */
  const queues = new Map<number, Set<string>>();

  const remove = (key: string): void => {
    const { list, ttlMs } = entries.get(key) ?? {};
    entries.delete(key);
    if (list !== undefined) take(lists, list, key);
    if (ttlMs !== undefined) take(queues, ttlMs, key);
  };

  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.expiresAt > performance.now()) return entry;
    remove(key);
    return undefined;
  };

  /** Forgets what is over. A store in use does so by itself, without a timer. */
  const sweep = (): void => {
    for (const queue of queues.values()) {
      for (const key of queue) if (find(key) !== undefined) break;
    }
  };

  const write = (key: string, value: string, { ttlMs, list }: SetOptions): void => {
    sweep();
    const expiresAt = performance.now() + (ttlMs ?? Number.POSITIVE_INFINITY);
    const name = list ?? entries.get(key)?.list;
    // What is written again is the newest of its list.
    remove(key);
    entries.set(key, { value, expiresAt, list: name, ttlMs });
    if (name !== undefined) put(lists, name, key);
    if (ttlMs !== undefined) put(queues, ttlMs, key);
  };

  const requireRoom = (list?: string): void => {
    sweep();
    // What is listed exists by now, and was paid: there is nothing left to refuse.
    if (entries.size < (list === undefined ? maxEntries : 2 * maxEntries)) return;
    throw new Error(`The store holds ${maxEntries} values: raise maxEntries, or use Redis`);
  };

  // Methods that are async reject where they throw, as those of a store elsewhere do.
  return {
    get: async (key) => find(key)?.value,
    async setIfAbsent(key, value, options) {
      if (find(key) !== undefined) return false;
      requireRoom(options.list);
      write(key, value, options);
      return true;
    },
    set: async (key, value, options) => write(key, value, options),
    remove: async (key) => remove(key),
    async list(name, limit) {
      const found: string[] = [];
      for (const key of [...(lists.get(name) ?? [])].reverse()) {
        if (found.length >= limit) break;
        if (find(key) !== undefined) found.push(key);
      }
      return found;
    },
    async add(key, amount, max, ttlMs) {
      const before = find(key);
      // Sums of fractions would drift, and a limit that is used up exactly would not fit.
      const counted = amount > 0 ? Math.max(amount, 1e-6) : amount;
      const sum = Math.round((Number(before?.value ?? 0) + counted) * 1e6) / 1e6;
      if (Number.isNaN(sum)) throw new Error(`The value of ${key} is no number: remove it`);
      if (amount > 0 && sum > max) return false;
      if (before === undefined && amount <= 0) return true;
      if (before === undefined) requireRoom();
      write(key, String(Math.max(0, sum)), { ttlMs });
      return true;
    },
  };
};
