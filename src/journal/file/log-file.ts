import { open, rename, unlink } from "node:fs/promises";
import { header } from "./lines.ts";
import { openWhole, readLines, syncFolder, writeAll } from "./open-whole.ts";
import { findFile } from "./place.ts";

/** A file of lines that only grows, and is safe after each `append`. */
export interface LogFile {
  /**
   * Writes lines. Lines that come while others are written share the next write and its fsync.
   * When the promise rejects, the line is not in the file.
   */
  readonly append: (line: string, isDurable: boolean) => Promise<void>;
  /** Reads all lines, some at a time. */
  readonly read: () => Promise<AsyncIterable<readonly string[]>>;
  /** Replaces the file by one with the lines that `isKept`, in one step; not while it is read. */
  readonly rewrite: (isKept: (line: string) => boolean) => Promise<void>;
  readonly sizeBytes: () => number;
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly line: string;
  readonly isDurable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

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
  /** Number of readers that are not at their end. */
  let readers = 0;
  /** A failed write may have left bytes behind `size`. */
  let mustCut = false;

  const cut = async (): Promise<void> => {
    await handle.truncate(size);
    mustCut = false;
  };

  const requireUnchanged = async (): Promise<void> => {
    const own = await handle.stat();
    if (own.size < size || (own.size > size && !mustCut)) {
      throw new Error(`The journal ${path} was changed by another program: open it again`);
    }
  };

  /** Throws where the next process would not find at this path what this one writes. */
  const requireSame = async (): Promise<void> => {
    const own = await handle.stat();
    const there = await findFile(path);
    if (there === undefined || there.ino !== own.ino || there.dev !== own.dev) {
      throw new Error(
        `The journal ${path} was removed or replaced: save what jobs.recover() still gives, ` +
          "then open it again",
      );
    }
    await requireUnchanged();
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

  async function* readToEnd(): AsyncGenerator<readonly string[]> {
    try {
      yield* readLines(path, handle, size);
    } finally {
      readers--;
    }
  }

  const replace = async (isKept: (line: string) => boolean): Promise<void> => {
    if (readers > 0) return;
    confirm();
    await requireSame();
    const temporary = `${path}.new`;
    const next = await open(temporary, "w", 0o600);
    try {
      let text = header;
      let at = 0;
      const writeText = async (): Promise<void> => {
        const bytes = Buffer.from(text);
        await writeAll(next, bytes, at);
        at += bytes.length;
        text = "";
      };
      await writeText();
      for await (const lines of readLines(path, handle, size)) {
        for (const line of lines) if (isKept(line)) text += `${line}\n`;
        await writeText();
      }
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
    read: () =>
      enqueue(async () => {
        await requireUnchanged();
        readers++;
        return readToEnd();
      }),
    rewrite: (isKept) => enqueue(() => replace(isKept)),
    sizeBytes: () => size,
    close: async () => {
      const ended = enqueue(() => handle.close());
      isClosed = true;
      await ended.catch(() => {});
    },
  };
};
