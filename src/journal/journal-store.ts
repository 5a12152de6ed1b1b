/** One record of a journal, ready to be kept. */
export interface JournalRecord {
  /** Id of the submission that the record is about. A submission has two to four records. */
  readonly id: string;
  /** The record: one line of JSON without line breaks, at most 16 KiB. */
  readonly text: string;
  /** Tells that a power failure after `append` must not lose the record; others may be lost. */
  readonly isDurable: boolean;
}

/**
 * Keeps the records of a journal, in a file, a database or a bucket. The order of records does not
 * matter, and a record that is kept twice does no harm.
 *
 * @example
 * const store: JournalStore = {
 *   append: ({ id, text }) => database.query("INSERT INTO journal VALUES ($1, $2)", [id, text]),
 *   read: async () => (await database.query("SELECT text FROM journal")).rows.map((row) => row.text),
 * };
 */
export interface JournalStore {
  /**
   * Keeps a record. The promise resolves when the record is safe. When it rejects, a submission is
   * refused before anything is sent.
   */
  append(record: JournalRecord): Promise<unknown>;
  /** Gives the `text` of every record that was kept: all at once, or as they are read. */
  read(): Promise<Iterable<string> | AsyncIterable<string>>;
  /**
   * Removes every record of these submissions, which ended more than a week ago. It is called by
   * `jobs.recover()`. Without this method the store only grows.
   */
  forget?(ids: readonly string[]): Promise<unknown>;
  /**
   * Removes every record whose text is no longer of use, in place of `forget`. Of a submission that
   * is settled it leaves the job's id alone. It needs a store that one process has for itself.
   */
  prune?(isOfUse: (text: string) => boolean): Promise<unknown>;
}
