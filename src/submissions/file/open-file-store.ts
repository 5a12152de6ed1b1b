import { statSync, writeFileSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { ConfigError, StoreError } from "adgen-sdk";
import type { NextRecord, RecordStore, StoredRecord } from "../record-store.ts";
import { hasEnded, nameThisProcess } from "./writers.ts";

/** A store in a file. */
export interface FileStore extends RecordStore {
  /** Closes the file. Later calls are refused. */
  close(): Promise<void>;
}

/** Marks a database as a store: "AdGS" in ASCII. */
const applicationId = 0x41644753;

const schema = `
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS records (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, rev TEXT NOT NULL, text TEXT NOT NULL,
    list TEXT, until REAL, writer TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS of_list ON records (list) WHERE list IS NOT NULL;
  CREATE INDEX IF NOT EXISTS of_until ON records (until) WHERE until IS NOT NULL;
  PRAGMA application_id = ${applicationId};
  COMMIT;
`;

/**
 * Opens a store in a file, an SQLite database, and creates the file where there is none, for its
 * owner alone. Any number of processes on one machine can share it. Each swap is safe on the disk
 * (fsync) when it resolves. Use a local disk.
 *
 * @param path Path of the file. Its folder must exist and be writable: SQLite keeps two more files
 * there while the store is open.
 * @throws `ConfigError` (`config`) for a path that is no text, or empty, and where the runtime has no
 * `node:sqlite`.
 * @throws `StoreError` (`store`) when the file cannot be written, is damaged, or is no such store.
 * It stays as it is; `cause` holds the failure.
 * @example
 * const store = await openFileStore("data/submissions");
 */
export const openFileStore = async (path: string): Promise<FileStore> => {
  if (typeof path !== "string" || path === "") {
    const given = path === "" ? "an empty text" : typeof path;
    throw new ConfigError("config", `openFileStore takes the path of a file, got ${given}`);
  }
  const place = resolvePath(path);
  const { DatabaseSync } = await import("node:sqlite").catch((cause) => {
    const versions = "Node 22.13, Bun 1.4 and Deno 2.9 have it";
    throw new ConfigError("config", `openFileStore needs node:sqlite: ${versions}`, { cause });
  });
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new StoreError("store", `The store in ${place} failed: ${words}`, { cause });
    }
  };
  const db = attempt(() => {
    // A new file is for its owner alone.
    if (!statSync(place, { throwIfNoEntry: false })) writeFileSync(place, "", { mode: 0o600 });
    return new DatabaseSync(place, { timeout: 5_000 });
  });
  try {
    attempt(() => {
      const read = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
      const isOther = read("SELECT count(*) FROM sqlite_schema") !== 0;
      if (isOther && read("PRAGMA application_id") !== applicationId) {
        throw new Error("it belongs to another program, or to adgen-sdk 0.12: give another path");
      }
      // A damaged index may hide a record, and its submission would be paid again.
      const found = read("PRAGMA integrity_check(1)");
      if (found !== "ok") throw new Error(`its database is malformed (${found})`);
      db.exec(schema);
    });
  } catch (error) {
    db.close();
    throw error;
  }

  const opened = statSync(place);
  const requireSameFile = (): void => {
    const there = statSync(place, { throwIfNoEntry: false });
    if (there?.ino === opened.ino && there.dev === opened.dev) return;
    throw new Error("it was removed or replaced: open it again");
  };

  const isFresh = "(until IS NULL OR until > ?)";
  const own = nameThisProcess();
  const columns = "SELECT id, rev, text, writer FROM records";
  const find = db.prepare(`${columns} WHERE id = ? AND ${isFresh}`);
  const list = db.prepare(`${columns} WHERE list = ? AND ${isFresh} ORDER BY place DESC LIMIT ?`);
  const removeExpired = db.prepare("DELETE FROM records WHERE until <= ?");
  const remove = db.prepare("DELETE FROM records WHERE id = ?");
  // Replacing a record moves it to the end.
  const write = db.prepare(
    "REPLACE INTO records (id, rev, text, list, until, writer) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const show = (rows: readonly unknown[]): StoredRecord[] =>
    (rows as (StoredRecord & { readonly writer: string | null })[]).map(({ writer, ...record }) => {
      const isLeft = writer !== null && writer !== own && own && hasEnded(writer, own);
      return isLeft ? { ...record, isLeft } : record;
    });
  const get = (id: string) => show(find.all(id, Date.now()))[0];
  const swap = (id: string, expected: string, next: NextRecord | undefined) => {
    requireSameFile();
    db.exec("BEGIN IMMEDIATE");
    try {
      removeExpired.run(Date.now());
      if ((get(id)?.rev ?? "") === expected) {
        if (next === undefined) remove.run(id);
        else {
          const { rev, text, list: name = null, ttlMs } = next;
          write.run(
            id,
            rev,
            text,
            name,
            ttlMs === undefined ? null : Date.now() + ttlMs,
            own ?? null,
          );
        }
      }
      const there = get(id);
      db.exec("COMMIT");
      return there;
    } catch (error) {
      // SQLite may have done so by itself, as it does on a full disk.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    get: async (id) => attempt(() => get(id)),
    swap: async (id, expected, next) => attempt(() => swap(id, expected, next)),
    list: async (name, limit) =>
      attempt(() => show(list.all(name, Date.now(), Math.min(limit, Number.MAX_SAFE_INTEGER)))),
    close: async () => {
      if (db.isOpen) db.close();
    },
  };
};
