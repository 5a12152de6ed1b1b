import { statSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { setImmediate } from "node:timers";
import { setTimeout as pause } from "node:timers/promises";
import { ConfigError, StoreError } from "adgen-sdk";
import type { NextRecord, RecordStore, StoredRecord } from "../store/record-store.ts";
import { requirePlace } from "./require-place.ts";
import { hasEnded, nameThisProcess } from "./writers.ts";

/**
 * Says what to do about failures of SQLite and of the file system. Failures are recognised by their
 * messages, because not every runtime gives a code with each error of SQLite.
 */
const remedies: readonly (readonly [message: RegExp, remedy: string])[] = [
  [
    /is locked|locking protocol/u,
    "another program holds its lock: end the transaction of that program, such as a " +
      "backup or an open sqlite3, and call again",
  ],
  [/is full|ENOSPC|EDQUOT/u, "free some space on its disk, and call again"],
  [
    /readonly|unable to open|EACCES|EPERM|EROFS/u,
    "let this process write to the file and to its folder, where SQLite keeps two more files, " +
      "or give a path elsewhere",
  ],
  [/ENOENT/u, "create its folder first"],
  [/ENOTDIR/u, "a part of its path is a file: give the path of a file in a folder"],
  [
    /not a database/u,
    "give the path of a new file; if this was a store, it is damaged: restore it from a backup",
  ],
  [/malformed/u, "it is damaged: restore it from a backup, and compare that with jobs.list()"],
  [
    /disk I.O error/u,
    "check that its disk has space, works, and is a local one, and that nothing has removed the " +
      "files beside it",
  ],
];

/** Explains why a step failed and, where that is known, what to do about it. */
export const explainFailure = (cause: unknown): string => {
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/gu, " ");
  const remedy = remedies.find(([message]) => message.test(reason))?.[1];
  return remedy === undefined ? reason : `${reason}: ${remedy}`;
};

/** Returns whether a step failed because another program holds the lock of the file. */
export const isLocked = (cause: unknown): boolean =>
  cause instanceof Error && /is locked|locking protocol/u.test(cause.message);

/** A store of records in a file. */
export interface FileStore extends RecordStore {
  /** Closes the file once earlier writes have ended. Later calls are refused. */
  close(): Promise<void>;
}

/** Marks a database as a store: "AdGS" in ASCII. */
const applicationId = 0x41644753;

/** Counts the changes of the schema. A file of another format is refused. */
const format = 1;

/** SQLite stops the event loop while it waits for the lock of the file. */
const blockingMs = 5;

/** The limit is shorter than the default of `storeTimeoutMs`, so that the error names the lock. */
const maxLockMs = 5_000;

const schema = `
  CREATE TABLE IF NOT EXISTS records (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, rev TEXT NOT NULL, text TEXT NOT NULL,
    list TEXT, until REAL, writer TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS of_list ON records (list) WHERE list IS NOT NULL;
  CREATE INDEX IF NOT EXISTS of_until ON records (until) WHERE until IS NOT NULL;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${format};
`;

/**
 * Each commit is safe on the disk when it returns. SQLite moves its log into the file after 32
 * pages, which are about eight writes. The store does so whenever no write waits.
 */
const settings = `
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
  PRAGMA wal_autocheckpoint = 32;
`;

/**
 * Opens a store in a file, which is an SQLite database. If the file does not exist, it is created
 * with permissions for its owner alone. Any number of processes on one machine can share it. Each
 * swap is safe on the disk (fsync) when it resolves. Use a local disk.
 *
 * While another program holds the lock of the file, calls wait for up to 5 seconds.
 *
 * @param path Path of the file. Its folder must exist, be writable, and last as long as the file:
 * SQLite keeps two more files there while the store is open.
 * @throws `AdGenError`
 * - `config`: the path is not a string, or is empty, or the runtime has no `node:sqlite`.
 * - `store`: the file cannot be written, is locked or damaged, is mounted without its folder, has a
 *   second name, or is not a store of this version. The file stays as it is, the message says what
 *   to do, and `cause` holds the failure.
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
  /** Runs a step, and repeats it while another program holds the lock of the file. */
  const attempt = async <T>(step: () => T, before?: Promise<void>): Promise<T> => {
    const endsAt = performance.now() + maxLockMs;
    if (before !== undefined) await before;
    for (;;) {
      try {
        return step();
      } catch (cause) {
        if (!isLocked(cause) || performance.now() >= endsAt) {
          const words = `The store in ${place} failed: ${explainFailure(cause)}`;
          throw new StoreError("store", words, { cause });
        }
      }
      // The random part keeps two processes from retrying in step.
      await pause(1 + 4 * Math.random());
    }
  };
  const db = await attempt(() => {
    requirePlace(place);
    return new DatabaseSync(place, { timeout: blockingMs });
  });
  const transact = <T>(work: () => T): T => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      // When the disk is full, SQLite rolls the transaction back by itself.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };
  const setUp = (): void => {
    const read = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
    if (read("SELECT count(*) FROM sqlite_schema") !== 0) {
      if (read("PRAGMA application_id") !== applicationId) {
        throw new Error("it belongs to another program: give another path");
      }
      const found = read("PRAGMA user_version");
      if (found !== format) {
        throw new Error(
          `it was made by another version of adgen-sdk (its format is ${found}, and this version ` +
            `reads ${format}): give the path of a new file, or use that version`,
        );
      }
    }
    // A damaged index may hide a record, and its submission would be paid again.
    const found = read("PRAGMA integrity_check(1)");
    if (found !== "ok") throw new Error(`its database is malformed (${found})`);
    db.exec(settings);
    transact(() => db.exec(schema));
  };
  await attempt(setUp).catch((error) => {
    db.close();
    throw error;
  });

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
  const toRecords = (rows: readonly unknown[]): StoredRecord[] =>
    (rows as (StoredRecord & { readonly writer: string | null })[]).map(({ writer, ...record }) => {
      const isOrphaned = writer !== null && writer !== own && own && hasEnded(writer, own);
      return isOrphaned ? { ...record, isOrphaned } : record;
    });
  const get = (id: string) => toRecords(find.all(id, Date.now()))[0];
  const put = (id: string, { rev, text, list: name, ttlMs }: NextRecord): void => {
    const until = ttlMs === undefined ? null : Date.now() + ttlMs;
    write.run(id, rev, text, name ?? null, until, own ?? null);
  };
  const swap = (id: string, expected: string, next: NextRecord | undefined) => {
    requireSameFile();
    const there = get(id);
    // If many writers replace one record, all but one of them lose, and need no lock to find out.
    if ((there?.rev ?? "") !== expected) return there;
    return transact(() => {
      removeExpired.run(Date.now());
      if ((get(id)?.rev ?? "") === expected) {
        if (next === undefined) remove.run(id);
        else put(id, next);
      }
      return get(id);
    });
  };

  /** Moves the log into the file, so that a copy of the file alone holds every record. */
  const emptyLog = (): void => {
    try {
      if (db.isOpen) db.exec("PRAGMA wal_checkpoint");
    } catch {
      // The disk may be full. The records stay safe in the log.
    }
  };
  /** The newest write that has not ended. */
  let last: Promise<void> | undefined;
  /**
   * Runs one write at a time, so that the writes of this process do not compete for the lock. If no
   * other write is under way, this one ends before the function returns: the record of a job must
   * be written before its call times out.
   */
  const inTurn = async <T>(step: () => T): Promise<T> => {
    const before = last;
    let end = (): void => {};
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    last = turn;
    try {
      return await attempt(step, before);
    } finally {
      if (last === turn) last = undefined;
      setImmediate(() => {
        end();
        if (last === undefined) emptyLog();
      });
    }
  };
  return {
    get: (id) => attempt(() => get(id)),
    swap: (id, expected, next) => inTurn(() => swap(id, expected, next)),
    list: (name, limit) =>
      attempt(() =>
        toRecords(list.all(name, Date.now(), Math.min(limit, Number.MAX_SAFE_INTEGER))),
      ),
    close: () =>
      inTurn(() => {
        if (db.isOpen) db.close();
      }),
  };
};
