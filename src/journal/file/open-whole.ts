import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { describeStart, header, isWhole, mayBeJournal } from "./lines.ts";

/** Number of bytes that are read or written at once. A text holds no more than 512 MiB. */
const pieceBytes = 1_048_576;

/** Makes a new name in a folder safe. Windows opens no folders, and needs none of it. */
export const syncFolder = async (path: string): Promise<void> => {
  try {
    const folder = await open(dirname(path), "r");
    await folder.sync().finally(() => folder.close());
  } catch {
    // The data is safe all the same where the system writes names in order.
  }
};

export const writeAll = async (
  handle: FileHandle,
  bytes: Uint8Array,
  at: number,
): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
};

const readBetween = async (handle: FileHandle, from: number, to: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(to - from);
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
};

/** Reads the lines of a journal behind its header: those of one piece after the other. */
export async function* readLines(
  path: string,
  handle: FileHandle,
  size: number,
): AsyncGenerator<readonly string[]> {
  let rest = Buffer.alloc(0);
  for (let at = header.length; at < size; ) {
    const piece = await readBetween(handle, at, Math.min(at + pieceBytes, size));
    if (piece.length === 0) {
      throw new Error(`The journal ${path} was changed by another program: open it again`);
    }
    at += piece.length;
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(whole);
    yield bytes.toString("utf8", 0, whole).split("\n").slice(0, -1);
  }
}

/** Reads what stands behind the last line feed. */
const readTail = async (handle: FileHandle, size: number): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for (let from = size; from > 0 && !pieces.at(-1)?.includes(10); ) {
    const to = from;
    from = Math.max(0, to - pieceBytes);
    pieces.push(await readBetween(handle, from, to));
  }
  const tail = Buffer.concat(pieces.reverse());
  return tail.subarray(tail.lastIndexOf(10) + 1);
};

/** Opens the file, or makes it; cuts off a line that was not written to its end. */
export const openWhole = async (path: string): Promise<{ handle: FileHandle; size: number }> => {
  const handle = await open(path, "a", 0o600).then(async (created) => {
    await created.close();
    return open(path, "r+");
  });
  try {
    const found = (await handle.stat()).size;
    const start = await readBetween(handle, 0, Math.min(found, pieceBytes));
    if (!mayBeJournal(start)) throw new Error(describeStart(path, start.toString()));
    const tail = await readTail(handle, found);
    let size = found - tail.length;
    let missing = size === 0 ? header : "";
    // A record has 16 KiB at most: a longer tail is none, and may be too long for a text.
    if (size > 0 && tail.length <= pieceBytes && isWhole(tail.toString())) {
      size = found;
      missing = "\n";
    }
    if (size < found) await handle.truncate(size);
    await writeAll(handle, Buffer.from(missing), size);
    size += missing.length;
    await handle.sync();
    await syncFolder(path);
    return { handle, size };
  } catch (error) {
    await handle.close();
    throw error;
  }
};
