/** A record as it stands in a store. */
export interface StoredRecord {
  /** Id under which the record was written. */
  readonly id: string;
  /** Revision that the writer chose at random. */
  readonly rev: string;
  /** Content of the record. The store does not read it. */
  readonly text: string;
  /**
   * Whether the store can prove that the process which wrote the record has ended. A store that
   * does not know its writers leaves it out.
   */
  readonly isOrphaned?: boolean;
}

/** A record as its writer passes it to a store. */
export interface NextRecord extends Pick<StoredRecord, "text"> {
  /**
   * Random text, new for each write. Because of it, a write that arrives twice or minutes late
   * does not replace a newer record.
   */
  readonly rev: string;
  /** List on which the record stands until it is written again. Default: it stands on none. */
  readonly list?: string | undefined;
  /** Time after which the store forgets the record, in milliseconds. Default: never. */
  readonly ttlMs?: number | undefined;
}

/** Keeps records in memory, in a file, in Redis, or in a database of your own. */
export interface RecordStore {
  /** Reads the record of an id, or returns `undefined` if there is none. */
  get(id: string): Promise<StoredRecord | undefined>;
  /**
   * Replaces the record by `next`, or removes it without `next`, if its revision is `expected`.
   * An `expected` of `""` means that no record exists. It is atomic, and what it has written is
   * durable when it resolves. Returns the record that the store has now.
   */
  swap(id: string, expected: string, next?: NextRecord): Promise<StoredRecord | undefined>;
  /** Reads the records of a list, the last written first, at most `limit` of them. */
  list(name: string, limit: number): Promise<readonly StoredRecord[]>;
}
