import { type FileHandle, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { header, linesOf, mayBeJournal, wholeBytes } from "./lines.ts";
import { findFile } from "./place.ts";

/** A file of lines that only grows, and is safe after each `append`. */
export interface LogFile {
  /**
   * Writes lines. Lines that come while others are written share the next write and its fsync.
   * When the promise rejects, the line is not in the file.
   */
  readonly append: (line: string, isDurable: boolean) => Promise<void>;
  /** Reads all lines. */
  readonly read: () => Promise<string[]>;
  /** Replaces the file by one with the lines that `isKept`, in one step. */
  readonly rewrite: (isKept: (line: string) => boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly line: string;
  readonly isDurable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a new name in a folder safe. Windows opens no folders, and needs none of it. */
const syncFolder = async (path: string): Promise<void> => {
  try {
    const folder = await open(dirname(path), "r");
    await folder.sync().finally(() => folder.close());
  } catch {
    // The data is safe all the same where the system writes names in order.
  }
};

const writeAll = async (handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
};

/** Opens the file, or makes it; cuts off a line that was not written to its end. */
const openWhole = async (path: string): Promise<{ handle: FileHandle; size: number }> => {
  const handle = await open(path, "a", 0o600).then(async (created) => {
    await created.close();
    return open(path, "r+");
  });
  try {
    const bytes = await handle.readFile();
    if (!mayBeJournal(bytes)) {
      throw new Error(`The file ${path} is no journal, or of a newer version: give another path`);
    }
    let size = wholeBytes(bytes);
    if (size < bytes.length) await handle.truncate(size);
    if (size === 0) {
      const start = Buffer.from(header);
      await writeAll(handle, start, 0);
      size = start.length;
    }
    await handle.sync();
    await syncFolder(path);
    return { handle, size };
  } catch (error) {
    await handle.close();
    throw error;
  }
};

/**
 * Opens a file of lines.
 *
 * @param confirm - Throws when this process may not write any more
 */
export const openLogFile = async (path: string, confirm: () => void): Promise<LogFile> => {
  let { handle, size } = await openWhole(path);
  let waiting: Waiting[] = [];
  /** Ends when all that was asked for is done. */
  let work = Promise.resolve();
  let isClosed = false;
  /** A failed write may have left bytes behind `size`. */
  let mustCut = false;

  const cut = async (): Promise<void> => {
    await handle.truncate(size);
    mustCut = false;
  };

  /** Throws where the next process would not find at this path what this one writes. */
  const requireSame = async (): Promise<void> => {
    const own = await handle.stat();
    const there = await findFile(path);
    if (there === undefined || there.ino !== own.ino || there.dev !== own.dev) {
      throw new Error(`The journal ${path} was removed or replaced: open it again`);
    }
    if (own.size < size || (own.size > size && !mustCut)) {
      throw new Error(`The journal ${path} was changed by another program: open it again`);
    }
  };

  const writeLines = async (batch: readonly Waiting[]): Promise<void> => {
    const bytes = Buffer.from(batch.map(({ line }) => line).join(""));
    confirm();
    await requireSame();
    if (mustCut) await cut();
    mustCut = true;
    await writeAll(handle, bytes, size);
    if (batch.some(({ isDurable }) => isDurable)) await handle.datasync();
    mustCut = false;
    size += bytes.length;
  };

  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      await writeLines(batch);
    } catch (error) {
      if (mustCut) await cut().catch(() => {});
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { resolve } of batch) resolve();
  };

  /** Does one thing after the other. */
  const enqueue = <T>(task: () => Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(new Error(`The journal ${path} is closed: open it again`));
    const result = work.then(task);
    work = result.then(
      () => {},
      () => {},
    );
    return result;
  };

  const readLines = async (): Promise<string[]> => {
    await requireSame();
    return linesOf((await readFile(path)).subarray(0, size));
  };

  const replace = async (isKept: (line: string) => boolean): Promise<void> => {
    confirm();
    const lines = (await readLines()).filter(isKept);
    const temporary = `${path}.new`;
    const bytes = Buffer.from(header + lines.map((line) => `${line}\n`).join(""));
    const next = await open(temporary, "w", 0o600);
    try {
      await writeAll(next, bytes, 0);
      await next.sync();
    } catch (error) {
      await next.close();
      await unlink(temporary).catch(() => {});
      throw error;
    }
    await next.close();
    // Windows replaces no file that is open.
    await handle.close();
    try {
      await rename(temporary, path);
      await syncFolder(path);
    } finally {
      ({ handle, size } = await openWhole(path));
    }
  };

  return {
    append: (line, isDurable) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ line, isDurable, resolve, reject });
        // The first of them writes all that have come by then; the others find nothing to do.
        enqueue(flush).catch(reject);
      }),
    read: () => enqueue(readLines),
    rewrite: (isKept) => enqueue(() => replace(isKept)),
    close: async () => {
      const ended = enqueue(() => handle.close());
      isClosed = true;
      await ended.catch(() => {});
    },
  };
};
