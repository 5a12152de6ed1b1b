import type {
  NextRecord,
  RecordStore,
  StoredRecord,
} from "../../src/submissions/store/record-store.ts";

/** One step of a store, before it is done. */
export interface StoreCall {
  readonly step: keyof RecordStore;
  readonly args: readonly unknown[];
  /** Does the step. */
  readonly go: () => Promise<unknown>;
}

/** Replaces a step. It may fail, wait, or answer something else. */
export type Meet = (call: StoreCall) => unknown;

/** Creates a store in a map that tests can read. */
export const createMapStore = () => {
  const values = new Map<string, NextRecord & { readonly until: number }>();
  const read = (id: string): StoredRecord | undefined => {
    const { rev, text, until } = values.get(id) ?? { rev: "", text: "", until: 0 };
    return until > Date.now() ? { id, rev, text } : undefined;
  };
  const store: RecordStore = {
    get: async (id) => read(id),
    swap: async (id, expected, next) => {
      if ((read(id)?.rev ?? "") !== expected) return read(id);
      values.delete(id);
      if (next === undefined) return undefined;
      const { ttlMs = Number.POSITIVE_INFINITY } = next;
      values.set(id, { ...next, until: Date.now() + ttlMs });
      return read(id);
    },
    list: async (name, limit) =>
      [...values]
        .filter(([, { list }]) => list === name)
        .reverse()
        .flatMap(([id]) => read(id) ?? [])
        .slice(0, limit),
  };
  return { store, values };
};

/** Calls `meet` in place of each step of a store. */
export const watchStore = (store: RecordStore, meet: Meet): RecordStore => {
  const steps = Object.entries(store).map(([step, go]) => [
    step,
    async (...args: unknown[]) => meet({ step, args, go: () => go(...args) } as StoreCall),
  ]);
  return Object.fromEntries(steps);
};
