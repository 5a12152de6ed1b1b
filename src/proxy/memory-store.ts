import type { ProxyStore } from "./proxy-store.ts";

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /**
   * Largest number of values, 1 or more. A store that is full refuses new ones, and the proxy
   * answers 503.
   * @default 100000
   */
  readonly maxEntries?: number | undefined;
}

/**
 * Makes a store in the memory of this process. **It is for one process**: a second one would not
 * know whose the jobs are, would let limits be used twice, and a repeated submission be paid twice.
 * A restart forgets all of it.
 *
 * @throws {@link AdGenError} with code `config` for a bad option.
 */
export const createMemoryStore = (_options?: MemoryStoreOptions): ProxyStore => {
  throw new Error("not there yet");
};
