import { createJournal, JournalError, type JournalStore, type SubmissionJournal } from "adgen-sdk";
import { claimFile } from "./claim.ts";
import { formatLine, parseLine } from "./lines.ts";
import { type LogFile, openLogFile } from "./log-file.ts";
import { pathWithoutLinks, requireOneName } from "./place.ts";

/** A journal in a file. */
export interface FileJournal extends SubmissionJournal {
  /** Absolute path of the file, without symbolic links. */
  readonly path: string;
  /**
   * Waits for the records under way, and gives the file to others. Submissions that come later are
   * refused. A process that ends without this leaves nothing that hinders the next one.
   */
  close(): Promise<void>;
}

/** Share of a file that must be old before it is written anew. */
const oldShare = 0.25;

const idOf = (line: string): unknown => {
  try {
    return JSON.parse(parseLine(line)).id;
  } catch {
    return undefined; // damaged lines stay
  }
};

const createStore = (file: LogFile): JournalStore => ({
  append: ({ text, isDurable }) => file.append(formatLine(text), isDurable),
  read: async () => (await file.read()).map(parseLine),
  forget: async (ids) => {
    const old = new Set<unknown>(ids);
    const lines = await file.read();
    const count = lines.filter((line) => old.has(idOf(line))).length;
    if (count > oldShare * lines.length) await file.rewrite((line) => !old.has(idOf(line)));
  },
});

/**
 * Opens a journal in a file, and makes the file where there is none, for its owner alone. Each
 * intent is safe on the disk (fsync) before its request leaves. One process writes a file at a time:
 * another is refused. The lock of a process that was killed does not last. Use a local disk.
 *
 * @param path Path of the file. Its folder must exist, and be writable: the lock lies there, too.
 * @throws `JournalError` (`journal`) when the file is in use, cannot be written, or is no
 * journal; `cause` holds the system's error.
 * @example
 * const journal = await openFileJournal("data/submissions.journal");
 * const client = createClient({ journal });
 */
export const openFileJournal = async (path: string): Promise<FileJournal> => {
  try {
    const absolute = await pathWithoutLinks(path);
    await requireOneName(absolute);
    const claim = await claimFile(absolute);
    try {
      const file = await openLogFile(absolute, claim.confirm);
      const journal = createJournal(createStore(file));
      await journal.load();
      return {
        ...journal,
        path: absolute,
        async close() {
          await file.close();
          claim.release();
        },
      };
    } catch (error) {
      claim.release();
      throw error;
    }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new JournalError("journal", message, { cause });
  }
};
