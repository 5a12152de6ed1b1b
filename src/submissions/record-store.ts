/** A record as it stands in a store. */
export interface StoredRecord {
  /** Id by which the record is found. */
  readonly id: string;
  /** The revision that its writer chose at random. */
  readonly rev: string;
  /** The record itself, which the store does not read. */
  readonly text: string;
  /** The process that wrote it has ended, as far as the store can prove that. */
  readonly isLeft?: boolean;
}

/** A record as its writer gives it. */
export interface NextRecord extends Pick<StoredRecord, "text"> {
  /** Random, made by the writer: a write that arrives twice, or minutes late, changes nothing that has moved on. */
  readonly rev: string;
  /** The list that names the record, for as long as its newest revision says so. */
  readonly list?: string | undefined;
  /** Milliseconds after which the store forgets the record: a timer is one. Default: never. */
  readonly ttlMs?: number | undefined;
}

/** Place that keeps records: memory, a file, Redis, or a database of your own. */
export interface RecordStore {
  /** Reads the record of an id; `undefined` where there is none. */
  get(id: string): Promise<StoredRecord | undefined>;
  /**
   * Replaces the record whose revision is `expected` (`""`: there is none), atomically and durably. Without `next` it is
   * removed. Returns the record that stands there now.
   */
  swap(id: string, expected: string, next?: NextRecord): Promise<StoredRecord | undefined>;
  /** The records of a list, newest first, at most `limit` of them. */
  list(name: string, limit: number): Promise<readonly StoredRecord[]>;
}
