import { type FileHandle, open, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { describeFile, header, lastLineIn, linesIn } from "./lines.ts";

/** Number of characters that are written at once. */
const pieceLength = 1_048_576;

/** A file of lines that only grows. One method at a time may run. */
export interface LogFile {
  /** Writes lines, safely (fsync). When the promise rejects, they are not in the file. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** Replaces the file by one with these lines, in one step. */
  readonly rewrite: (lines: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
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

/** Writes lines at a place of a file; gives where they end. */
const writeLines = async (
  handle: FileHandle,
  lines: readonly string[],
  at: number,
): Promise<number> => {
  let end = at;
  let text = "";
  const write = async (): Promise<void> => {
    const bytes = Buffer.from(text);
    text = "";
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, end);
      done += bytesWritten;
      end += bytesWritten;
    }
  };
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length >= pieceLength) await write();
  }
  await write();
  return end;
};

/** Writes a new file beside another one; gives its path. */
export const writeBeside = async (path: string, lines: readonly string[]): Promise<string> => {
  const temporary = `${path}.new`;
  // A file of a crash, or a link of another user, would show the records, or lead them elsewhere.
  await rm(temporary, { force: true });
  const next = await open(temporary, "wx", 0o600);
  try {
    await writeLines(next, [header, ...lines], 0);
    await next.sync();
  } catch (error) {
    await next.close();
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await next.close();
  return temporary;
};

/** Gives a new file the name of another, in one step. */
export const putInPlace = async (temporary: string, path: string): Promise<void> => {
  await rename(temporary, path);
  await syncFolder(path);
};

/** Reads all lines, and makes the file end with a whole one; gives its size. */
const readWhole = async (
  path: string,
  handle: FileHandle,
  onLine: (line: string) => void,
): Promise<number> => {
  const bytes = await readFile(path);
  const first = `${header}\n`;
  // The file may be new, or its header may have been cut off.
  if (!first.startsWith(bytes.toString("utf8", 0, first.length))) {
    throw new Error(describeFile(path, bytes));
  }
  const size = bytes.lastIndexOf(10) + 1;
  await handle.truncate(size);
  if (size === 0) return writeLines(handle, [header], 0);
  for (const line of linesIn(bytes)) onLine(line);
  const last = lastLineIn(bytes);
  if (last === undefined) return size;
  onLine(last);
  return writeLines(handle, [last], size);
};

/**
 * Opens a file of lines. One that is empty gets its header.
 *
 * @param confirm - Throws when this process may not write any more
 * @param onLine - Is called for each line, without its line feed
 */
export const openLogFile = async (
  path: string,
  confirm: () => void,
  onLine: (line: string) => void,
): Promise<LogFile> => {
  let handle = await open(path, "r+");
  let size = 0;
  /** A failed write may have left bytes behind `size`. */
  let mustCut = false;
  try {
    size = await readWhole(path, handle, onLine);
    await handle.sync();
    await syncFolder(path);
  } catch (error) {
    await handle.close();
    throw error;
  }

  const cut = async (): Promise<void> => {
    await handle.truncate(size);
    mustCut = false;
  };

  /** Throws where the next process would not find at this path what this one has written. */
  const makeReady = async (): Promise<void> => {
    confirm();
    const own = await handle.stat();
    const there = await stat(path).catch(() => undefined);
    if (there === undefined || there.ino !== own.ino || there.dev !== own.dev) {
      throw new Error(
        `The file ${path} was removed or replaced: save what jobs.recover() still gives, ` +
          "then open it again",
      );
    }
    if (own.size < size || (own.size > size && !mustCut)) {
      throw new Error(`The file ${path} was changed by another program: open it again`);
    }
    if (mustCut) await cut();
  };

  return {
    async append(lines) {
      await makeReady();
      mustCut = true;
      try {
        const end = await writeLines(handle, lines, size);
        await handle.datasync();
        size = end;
        mustCut = false;
      } catch (error) {
        await cut().catch(() => {});
        throw error;
      }
    },
    async rewrite(lines) {
      await makeReady();
      const temporary = await writeBeside(path, lines);
      // Windows replaces no file that is open.
      await handle.close();
      try {
        await putInPlace(temporary, path);
      } finally {
        handle = await open(path, "r+");
        ({ size } = await handle.stat());
      }
    },
    close: () => handle.close(),
  };
};
