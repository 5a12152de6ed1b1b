// A store of your own, in SQL: the records of a proxy, or of `createSubmissions`, in your database.
// This one is SQLite; test/examples.test.ts runs the tests of the library's own stores on it.
import { DatabaseSync } from "node:sqlite";
import type { RecordStore, StoredRecord } from "adgen-sdk/submissions";

const never = 1e15;

/** Creates a store in a file that any number of processes on one machine may share. */
export const createSqliteStore = (path: string): RecordStore => {
  const database = new DatabaseSync(path, { timeout: 2000 });
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS records
      (place INTEGER PRIMARY KEY, id TEXT UNIQUE, rev TEXT, text TEXT, list TEXT, until REAL);
    CREATE INDEX IF NOT EXISTS of_list ON records (list) WHERE list IS NOT NULL;
    CREATE INDEX IF NOT EXISTS of_until ON records (until);
  `);
  const columns = "SELECT id, rev, text FROM records";
  const read = database.prepare(`${columns} WHERE id = ? AND until > ?`);
  const readList = database.prepare(
    `${columns} WHERE list = ? AND until > ? ORDER BY place DESC LIMIT ?`,
  );
  const remove = database.prepare("DELETE FROM records WHERE id = ?");
  const removeExpired = database.prepare("DELETE FROM records WHERE until <= ?");
  // A new row comes last, even if it replaces the row of an older record.
  const write = database.prepare(
    "INSERT INTO records (id, rev, text, list, until) VALUES (?, ?, ?, ?, ?)",
  );
  const get = (id: string) => read.get(id, Date.now()) as StoredRecord | undefined;

  return {
    get: async (id) => get(id),
    swap: async (id, expected, next) => {
      database.exec("BEGIN IMMEDIATE"); // one writer at a time, in any process
      try {
        removeExpired.run(Date.now());
        if ((get(id)?.rev ?? "") === expected) {
          remove.run(id);
          if (next !== undefined) {
            const until = Date.now() + (next.ttlMs ?? never);
            write.run(id, next.rev, next.text, next.list ?? null, until);
          }
        }
        const there = get(id);
        database.exec("COMMIT");
        return there;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    list: async (name, limit) =>
      readList.all(name, Date.now(), Math.min(limit, 1e9)) as unknown as StoredRecord[],
  };
};
