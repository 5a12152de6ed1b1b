/** Options of writing a value. */
export interface SetOptions {
  /** Time after which the value is forgotten, in milliseconds; absent: it is kept. */
  readonly ttlMs?: number | undefined;
  /** List that the key is put on, such as the jobs of one owner. */
  readonly list?: string | undefined;
}

/**
 * The memory of a proxy. It holds whose each job, brand and ad is, the answer to each call id, and
 * the amounts that owners have used. Several processes of one app must share one store.
 *
 * Every method may throw or reject: the proxy then answers 503, and lets nothing through.
 */
export interface ProxyStore {
  /** Reads a value; `undefined` when there is none, or its time is over. */
  get(key: string): Promise<string | undefined>;
  /**
   * Writes a value where there is none, as one step: of two that write at once, one wins.
   *
   * @returns `true` when it was written; `false` when there is a value.
   */
  setIfAbsent(key: string, value: string, options: SetOptions): Promise<boolean>;
  /** Writes a value over any other. */
  set(key: string, value: string, options: SetOptions): Promise<void>;
  /**
   * Removes a value; one that is not there is no error.
   *
   * @param list - List that its key was put on, and is taken off
   */
  remove(key: string, list?: string): Promise<void>;
  /** Gives the keys that were put on a list, the newest first, at most `limit` of them. */
  list(list: string, limit: number): Promise<readonly string[]>;
  /**
   * Adds to a number, 0 where there is none, unless the sum would be more than `max`. As one step:
   * of many that add at once, only as many succeed as fit. A negative amount gives back.
   *
   * @returns `true` when it was added. {@link ProxyStore.get} reads the number as text.
   */
  add(key: string, amount: number, max: number, ttlMs: number): Promise<boolean>;
}
