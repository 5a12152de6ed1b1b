/** Record as a store returns it. */
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

/** Record as its writer passes it to a store. */
export interface NextRecord extends Pick<StoredRecord, "text"> {
  /**
   * Random text, new for each write, so that a write that arrives twice or minutes late does not
   * replace a newer record.
   */
  readonly rev: string;
  /** List that holds the record until the record is written again. Default: no list holds it. */
  readonly list?: string | undefined;
  /** Time after which the store forgets the record, in milliseconds. Default: never. */
  readonly ttlMs?: number | undefined;
}

/** Keeps records in memory, in a file, in Redis, or in a database of your own. */
export interface RecordStore {
  /** Reads the record of an id, or returns `undefined` if the id has no record. */
  get(id: string): Promise<StoredRecord | undefined>;
  /**
   * Replaces the record by `next`, or removes it without `next`, if its revision is `expected`.
   * An `expected` of `""` means that no record exists. The swap is atomic, and the write is durable
   * when the promise resolves. Returns the record that the store holds afterwards.
   */
  swap(id: string, expected: string, next?: NextRecord): Promise<StoredRecord | undefined>;
  /** Reads at most `limit` records of a list, the last written first. */
  list(name: string, limit: number): Promise<readonly StoredRecord[]>;
}
