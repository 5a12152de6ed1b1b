import type { ProxyStore } from "../../src/proxy.ts";

/** Names of the store's steps. */
export type Step = keyof ProxyStore;

/** One step of a store, as a watcher sees it before it is done. */
export interface StoreCall {
  readonly step: Step;
  readonly args: readonly unknown[];
  /** 1 for the first step of all. */
  readonly number: number;
  /** Does the step. */
  readonly go: () => Promise<unknown>;
}

/** A store in a map, which keeps everything, and shows it. */
export const createMapStore = () => {
  const values = new Map<string, { value: string; until: number }>();
  const lists = new Map<string, string[]>();
  const read = (key: string): string | undefined => {
    const found = values.get(key);
    return found && found.until > Date.now() ? found.value : undefined;
  };
  const store: ProxyStore = {
    get: async (key) => read(key),
    setIfAbsent: async (key, value, options) => {
      if (read(key) !== undefined) return false;
      await store.set(key, value, options);
      return true;
    },
    set: async (key, value, { ttlMs = Number.POSITIVE_INFINITY, list }) => {
      values.set(key, { value, until: Date.now() + ttlMs });
      if (list === undefined) return;
      const keys = lists.get(list) ?? [];
      lists.set(list, [key, ...keys.filter((other) => other !== key)]);
    },
    remove: async (key) => void values.delete(key),
    list: async (list, limit) =>
      (lists.get(list) ?? []).filter((key) => read(key) !== undefined).slice(0, limit),
    add: async (key, amount, max, ttlMs) => {
      const sum = Number(read(key) ?? 0) + amount;
      if (amount > 0 && sum > max) return false;
      const until = values.get(key)?.until ?? Date.now() + ttlMs;
      values.set(key, { value: String(sum), until });
      return true;
    },
  };
  return { store, values, lists };
};

/** Puts a watcher before each step of a store: it may fail, wait, or answer something else. */
export const watchStore = (store: ProxyStore, meet: (call: StoreCall) => unknown): ProxyStore => {
  let number = 0;
  const steps = Object.entries(store).map(([name, step]) => [
    name,
    (...args: unknown[]) =>
      meet({
        step: name as Step,
        args,
        number: ++number,
        go: () => (step as (...args: unknown[]) => Promise<unknown>)(...args),
      }),
  ]);
  return Object.fromEntries(steps);
};
