import process from "node:process";
import { ConfigError, StoreError } from "adgen-sdk";
import { takeLock } from "../../lock/file-lock.ts";
import type { RecordStore } from "../record-store.ts";
import { openFileRecords } from "./file-records.ts";
import { readJournal } from "./journal-lines.ts";
import { putInPlace, writeBeside } from "./log-file.ts";
import { pathWithoutLinks, requireOneName } from "./place.ts";

/** A store in a file. */
export interface FileStore extends RecordStore {
  /** Absolute path of the file, without symbolic links. */
  readonly path: string;
  /**
   * Waits for the swaps under way, and gives the file to others. Later swaps are refused. A process
   * that ends without this leaves nothing that hinders the next one.
   */
  close(): Promise<void>;
}

/** The system's error tells more than its message, and a refusal of this library does not. */
const toStoreError = (error: unknown): StoreError => {
  const isOfSystem = error instanceof Error && "code" in error;
  const message = error instanceof Error ? error.message : String(error);
  return new StoreError("store", message, isOfSystem ? { cause: error } : {});
};

/**
 * Opens a store in a file, and makes the file where there is none, for its owner alone. Each swap
 * is safe on the disk (fsync) when it resolves. One process has a file at a time: another is
 * refused. The lock of a process that was killed does not last. Use a local disk.
 *
 * `jobs.recover()` tells of each line that something has damaged, with the text of the line. Its id is
 * not free. Compare with `jobs.list()`, then remove the line by hand while no process has the file.
 *
 * A journal of 0.8 or earlier becomes such a store: its file is replaced.
 *
 * @param path Path of the file. Its folder must exist, and be writable: the lock lies there, too.
 * @throws `ConfigError` (`config`) for a path that is no text, or empty.
 * @throws `StoreError` (`store`) when the file is in use, cannot be written, or is no such
 * store; `cause` holds the system's error, if it is one.
 * @example
 * const store = await openFileStore("data/submissions");
 */
export const openFileStore = async (path: string): Promise<FileStore> => {
  if (typeof path !== "string" || path === "") {
    const given = path === "" ? "an empty text" : typeof path;
    throw new ConfigError("config", `openFileStore takes the path of a file, got ${given}`);
  }
  try {
    const absolute = await pathWithoutLinks(path);
    await requireOneName(absolute);
    const refusal = (owner: string, isThisProcess: boolean): string =>
      `The file ${absolute} is in use by ` +
      `${isThisProcess ? `this process (${process.pid})` : owner}: ` +
      "close it there, or give this process a path of its own";
    const lock = await takeLock(absolute, { refusal });
    try {
      const journal = await readJournal(absolute);
      if (journal !== undefined) await putInPlace(await writeBeside(absolute, journal), absolute);
      const records = await openFileRecords(absolute, lock.confirm);
      return {
        ...records,
        path: absolute,
        swap: (...input) =>
          records.swap(...input).catch((error) => {
            throw toStoreError(error);
          }),
        close: () => records.close().finally(lock.release),
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw toStoreError(error);
  }
};
