import { statSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ConfigError } from "adgen-sdk";
import type { NextRecord, RecordStore, StoredRecord } from "../record-store.ts";
import { openDatabase, toStoreError, transact, whenUnlocked } from "./database.ts";
import { hasEnded, nameThisProcess } from "./writers.ts";

/** A store in a file. */
export interface FileStore extends RecordStore {
  /** Waits for the swaps under way and closes the file. Later calls are refused. */
  close(): Promise<void>;
}

interface Waiting {
  readonly act: () => StoredRecord | undefined;
  readonly resolve: (there: StoredRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

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
  const fail = (error: unknown): never => {
    throw error instanceof ConfigError ? error : toStoreError(place, error);
  };
  const db = await openDatabase(place).catch(fail);
  const opened = statSync(place);
  const own = nameThisProcess();
  const isFresh = "(until IS NULL OR until > ?)";
  const columns = "SELECT id, rev, text, writer FROM records";
  const find = db.prepare(`${columns} WHERE id = ? AND ${isFresh}`);
  const list = db.prepare(`${columns} WHERE list = ? AND ${isFresh} ORDER BY place DESC LIMIT ?`);
  const removeExpired = db.prepare("DELETE FROM records WHERE until <= ?");
  const remove = db.prepare("DELETE FROM records WHERE id = ?");
  // Replacing a record moves it to the end.
  const write = db.prepare(
    "REPLACE INTO records (id, rev, text, list, until, writer) VALUES (?, ?, ?, ?, ?, ?)",
  );

  const show = (rows: readonly unknown[]): StoredRecord[] => {
    const records = rows as (StoredRecord & { readonly writer: string | null })[];
    const writers = [...new Set(records.map(({ writer }) => writer ?? ""))];
    const ended = writers.filter((writer) => writer !== own && own && hasEnded(writer, own));
    return records.map(({ writer, ...record }) =>
      ended.includes(writer ?? "") ? { ...record, isLeft: true } : record,
    );
  };
  const get = (id: string): StoredRecord | undefined => show(find.all(id, Date.now()))[0];
  const swap = (id: string, expected: string, next: NextRecord | undefined): void => {
    if ((get(id)?.rev ?? "") !== expected) return;
    if (next === undefined) remove.run(id);
    else {
      const { rev, text, list: name = null, ttlMs } = next;
      const until = ttlMs === undefined ? null : Date.now() + ttlMs;
      write.run(id, rev, text, name, until, own ?? null);
    }
  };

  const requireSameFile = (): void => {
    const there = statSync(place, { throwIfNoEntry: false });
    if (there?.ino === opened.ino && there.dev === opened.dev) return;
    throw new Error("it was removed or replaced: open it again");
  };

  let waiting: Waiting[] = [];
  /** Ends when all swaps that were asked for are done. */
  let work: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  /** Swaps that are asked for together are one transaction, with one fsync. */
  const commit = (): void => {
    requireSameFile();
    const answers = transact(db, () => {
      removeExpired.run(Date.now());
      return waiting.map(({ act }) => act());
    });
    for (const [index, { resolve }] of waiting.entries()) resolve(answers[index]);
    waiting = [];
  };
  const flush = async (): Promise<void> => {
    try {
      await whenUnlocked(commit);
    } catch (error) {
      for (const { reject } of waiting) reject(toStoreError(place, error));
      waiting = [];
    }
  };

  const requireOpen = (): void => {
    if (closing !== undefined) fail(new Error("it is closed: open it again"));
  };
  const read = async <T>(act: () => T): Promise<T> => {
    requireOpen();
    return whenUnlocked(act).catch(fail);
  };

  return {
    get: (id) => read(() => get(id)),
    list: (name, limit) =>
      read(() => show(list.all(name, Date.now(), Math.min(limit, Number.MAX_SAFE_INTEGER)))),
    swap: (id, expected, next) =>
      new Promise((resolve, reject) => {
        requireOpen();
        const act = () => {
          swap(id, expected, next);
          return get(id);
        };
        if (waiting.push({ act, resolve, reject }) === 1) work = nextTurn().then(flush);
      }),
    close() {
      closing ??= work.then(() => db.close());
      return closing;
    },
  };
};
