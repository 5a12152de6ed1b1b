import { type FileHandle, open, rename, rm, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { describeStart, header, readChecked } from "./lines.ts";
import { findFile } from "./place.ts";

/** Number of bytes that are read or written at once. A text holds no more than 512 MiB. */
const pieceBytes = 1_048_576;

/** Number of bytes from which a line without an end is none. */
const longestLine = 256 * pieceBytes;

/** A file of lines that only grows. One method at a time may run. */
export interface LogFile {
  /** Writes lines, safely (fsync). When the promise rejects, they are not in the file. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** Replaces the file by one with these lines, in one step. */
  readonly rewrite: (lines: Iterable<string>) => Promise<void>;
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

const writeAll = async (handle: FileHandle, text: string, at: number): Promise<number> => {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
  return at + bytes.length;
};

async function* readPieces(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(pieceBytes), 0, pieceBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Reads the lines behind the first one.
 *
 * @param first - The first line, without which the file is not read, unless it has less
 * @returns the size of the whole lines, and what stands behind them
 */
export const readLines = async (
  path: string,
  handle: FileHandle,
  first: string,
  onLine: (line: string) => void,
): Promise<{ readonly size: number; readonly tail: string }> => {
  let size = 0;
  let tail: Buffer[] = [];
  for await (const piece of readPieces(handle)) {
    if (size === 0 && tail.length === 0) {
      const start = piece.toString();
      if (first.startsWith(start)) break;
      if (!start.startsWith(first)) throw new Error(describeStart(path, start));
    }
    const end = piece.lastIndexOf(10) + 1;
    if (end > 0) {
      const bytes = Buffer.concat([...tail, piece.subarray(0, end)]);
      const from = size === 0 ? first.length : 0;
      for (const line of bytes.toString("utf8", from).split("\n").slice(0, -1)) onLine(line);
      size += bytes.length;
      tail = [];
    }
    tail.push(piece.subarray(end));
  }
  const last = Buffer.concat(tail);
  // A longer tail was no line, and may be too long for a text.
  return { size, tail: last.length > longestLine ? "" : last.toString() };
};

/** Reads all lines, and makes the file end with a whole one. */
const readWhole = async (
  path: string,
  handle: FileHandle,
  onLine: (line: string) => void,
): Promise<number> => {
  const { size, tail } = await readLines(path, handle, header, onLine);
  await handle.truncate(size);
  if (size === 0) return writeAll(handle, header, 0);
  if (readChecked(tail) === undefined) return size;
  onLine(tail);
  return writeAll(handle, `${tail}\n`, size);
};

/**
 * Writes a new file beside another one.
 *
 * @returns its path
 */
export const writeBeside = async (path: string, lines: Iterable<string>): Promise<string> => {
  const temporary = `${path}.new`;
  // A file of a crash, or a link of another user, would show the records, or lead them elsewhere.
  await rm(temporary, { force: true });
  const next = await open(temporary, "wx", 0o600);
  try {
    let end = 0;
    let text = header;
    for (const line of lines) {
      text += `${line}\n`;
      if (text.length < pieceBytes) continue;
      end = await writeAll(next, text, end);
      text = "";
    }
    await writeAll(next, text, end);
    await next.sync();
  } catch (error) {
    await next.close();
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await next.close();
  return temporary;
};

/** Replaces a file in one step. Windows replaces none that is open. */
export const putInPlace = async (temporary: string, path: string): Promise<void> => {
  await rename(temporary, path);
  await syncFolder(path);
};

/**
 * Opens a file of lines, or makes it.
 *
 * @param confirm - Throws when this process may not write any more
 * @param onLine - Is called for each line, without its line feed
 */
export const openLogFile = async (
  path: string,
  confirm: () => void,
  onLine: (line: string) => void,
): Promise<LogFile> => {
  // "a" makes a file that is missing, and "r+" lets lines be written at a place.
  const created = await open(path, "a", 0o600);
  await created.close();
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
  const requireSame = async (): Promise<void> => {
    confirm();
    const own = await handle.stat();
    const there = await findFile(path);
    if (there === undefined || there.ino !== own.ino || there.dev !== own.dev) {
      throw new Error(
        `The file ${path} was removed or replaced: save what jobs.recover() still gives, ` +
          "then open it again",
      );
    }
    if (own.size < size || (own.size > size && !mustCut)) {
      throw new Error(`The file ${path} was changed by another program: open it again`);
    }
  };

  return {
    async append(lines) {
      await requireSame();
      if (mustCut) await cut();
      mustCut = true;
      try {
        const end = await writeAll(handle, `${lines.join("\n")}\n`, size);
        await handle.datasync();
        size = end;
        mustCut = false;
      } catch (error) {
        await cut().catch(() => {});
        throw error;
      }
    },
    async rewrite(lines) {
      await requireSame();
      if (mustCut) await cut();
      const temporary = await writeBeside(path, lines);
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
