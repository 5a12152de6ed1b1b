import type { RecordStore, StoredRecord } from "../../src/proxy.ts";

/** Names of the store's steps. */
export type Step = keyof RecordStore;

/** One step of a store, as a watcher sees it before it is done. */
export interface StoreCall {
  readonly step: Step;
  readonly args: readonly unknown[];
  /** 1 for the first step of all. */
  readonly number: number;
  /** Does the step. */
  readonly go: () => Promise<unknown>;
}

/** A record as a map store holds it. */
interface Entry {
  readonly rev: string;
  text: string;
  readonly list: string | undefined;
  until: number;
}

/** A store in a map, which keeps everything, and shows it. */
export const createMapStore = () => {
  const values = new Map<string, Entry>();
  const read = (id: string): StoredRecord | undefined => {
    const found = values.get(id);
    if (found === undefined || found.until <= Date.now()) return undefined;
    return { id, rev: found.rev, text: found.text };
  };
  const store: RecordStore = {
    get: async (id) => read(id),
    swap: async (id, expected, next) => {
      if ((read(id)?.rev ?? "") !== expected) return read(id);
      values.delete(id);
      if (next === undefined) return undefined;
      const { rev, text, list, ttlMs = Number.POSITIVE_INFINITY } = next;
      values.set(id, { rev, text, list, until: Date.now() + ttlMs });
      return read(id);
    },
    list: async (name, limit) =>
      [...values]
        .filter(([, { list }]) => list === name)
        .reverse()
        .flatMap(([id]) => read(id) ?? [])
        .slice(0, limit),
  };
  /** Gives the record of a call id, to change it. */
  const callOf = (owner: string, callId: string): Entry => {
    const entry = values.get(`once:proxy:${owner}:${callId}`);
    if (entry === undefined) throw new Error(`${callId} is not on record`);
    return entry;
  };
  return { store, values, callOf };
};

/** Puts a watcher before each step of a store: it may fail, wait, or answer something else. */
export const watchStore = (store: RecordStore, meet: (call: StoreCall) => unknown): RecordStore => {
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
