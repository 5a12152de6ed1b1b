import { statSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigError, StoreError } from "adgen-sdk";

/** Time for which a call waits for the lock of another process. */
const busyMs = 5_000;

/** Marks a database as a store: "AdGS" in ASCII. */
const applicationId = 0x41644753;

const schema = `
  CREATE TABLE IF NOT EXISTS records (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, rev TEXT NOT NULL, text TEXT NOT NULL,
    list TEXT, until REAL, writer TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS of_list ON records (list) WHERE list IS NOT NULL;
  CREATE INDEX IF NOT EXISTS of_until ON records (until) WHERE until IS NOT NULL;
  PRAGMA application_id = ${applicationId};
`;

const notOurs =
  "it is damaged, belongs to another program, or was written by adgen-sdk 0.12 or earlier, " +
  "which has to finish its submissions: keep it, and give another path";

/** What to do about failures of SQLite and of the system, by their words. */
const remedies: readonly (readonly [failure: RegExp, remedy: string])[] = [
  [/not a database/, notOurs],
  [/malformed/, "keep a copy, and compare jobs.list() with what you have saved"],
  [/is locked/, `another process has kept it locked for ${busyMs / 1_000} s`],
  [/is full|ENOSPC|disk I\/O/, "make room on its disk"],
  [
    /readonly|unable to open|EACCES|ENOENT|ENOTDIR|EPERM|EROFS/,
    "its folder must exist, and both must be writable",
  ],
];

export const toStoreError = (path: string, error: unknown): StoreError => {
  const words = error instanceof Error ? error.message : String(error);
  const [, remedy] = remedies.find(([failure]) => failure.test(words)) ?? [];
  const message = `The store in ${path} failed: ${words}${remedy ? `; ${remedy}` : ""}`;
  return new StoreError("store", message, { cause: error });
};

/** Retries while another process has the lock: a wait inside SQLite would block this process. */
export const whenUnlocked = async <T>(act: () => T): Promise<T> => {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      return act();
    } catch (error) {
      const isLocked = error instanceof Error && error.message.includes("is locked");
      if (!isLocked || performance.now() > until) throw error;
    }
    await wait(1 + 9 * Math.random());
  }
};

export const transact = <T>(db: DatabaseSync, act: () => T): T => {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = act();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      db.exec("ROLLBACK");
    } catch {
      // SQLite has done so by itself, as it does on a full disk.
    }
    throw error;
  }
};

/** Creates the file where there is none, for its owner alone. */
const requireFile = (path: string): void => {
  try {
    // Only a new file is opened and closed here: closing any other would drop SQLite's locks on it.
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error("it is not a file: give the path of one");
  // Each name would have a log of its own.
  if (stats.nlink > 1) throw new Error("it has several names (hard links): remove the others");
};

/** Checks that the database is ours and whole, and sets up one that is empty. */
const prepare = (db: DatabaseSync): void => {
  const read = (sql: string): unknown => Object.values(db.prepare(sql).get() ?? {})[0];
  // In this order: another process may set it up between the two, its tables and its owner at once.
  const tables = read("SELECT count(*) FROM sqlite_schema");
  const owner = read("PRAGMA application_id");
  const isEmpty = tables === 0 && owner === 0;
  if (owner !== applicationId && !isEmpty) throw new Error(notOurs);
  // A damaged index may hide a record, and its submission would be paid again.
  const found = read("PRAGMA integrity_check(1)");
  if (found !== "ok") throw new Error(`its database is malformed (${found})`);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
  transact(db, () => isEmpty && db.exec(schema));
};

export const openDatabase = async (path: string): Promise<DatabaseSync> => {
  const sqlite = await import("node:sqlite").catch((cause) => {
    const versions = "Node 22.13, Bun 1.4 and Deno 2.9 have it";
    throw new ConfigError("config", `openFileStore needs node:sqlite: ${versions}`, { cause });
  });
  requireFile(path);
  const db = new sqlite.DatabaseSync(path);
  try {
    await whenUnlocked(() => prepare(db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};
