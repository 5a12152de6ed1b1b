import { createJournal, JournalError, type JournalStore, type SubmissionJournal } from "adgen-sdk";
import { takeLock } from "../../lock/file-lock.ts";
import { formatLine, parseLine } from "./lines.ts";
import { type LogFile, openLogFile } from "./log-file.ts";
import { pathWithoutLinks, requireOneName } from "./place.ts";

/** A journal in a file. */
export interface FileJournal extends SubmissionJournal {
  /** Absolute path of the file, without symbolic links. */
  readonly path: string;
  /**
   * Waits for the records under way, and gives the file to others. Submissions that come later are
   * refused. It prints the ids of jobs that the disk has not taken. A process that ends without
   * this leaves nothing that hinders the next one.
   */
  close(): Promise<void>;
}

/** Size below which a file is not written anew between two openings. */
const smallBytes = 1_048_576;

interface FileStore extends JournalStore {
  /** Tries once more to write the ids of jobs that were refused; gives those that still are. */
  readonly end: () => Promise<readonly string[]>;
}

/** Gives the id of a job that no earlier record holds: that of an end stands in its acceptance. */
const jobIdIn = (text: string): string | undefined => {
  const { event, jobId } = JSON.parse(text);
  return event === "finished" || event === "acknowledged" ? undefined : jobId;
};

/** @param tidy - Reads the journal, and prunes its store where that is of use */
const createStore = (file: LogFile, tidy: () => Promise<void>): FileStore => {
  /** Texts with jobs that the disk has refused. */
  const late = new Set<string>();
  let isEnding = false;
  const nextTidyAt = (): number => 2 * Math.max(file.sizeBytes(), smallBytes);
  let tidyAtBytes = nextTidyAt();

  const tidyIfGrown = async (): Promise<void> => {
    if (file.sizeBytes() < tidyAtBytes || isEnding) return;
    tidyAtBytes = Number.POSITIVE_INFINITY;
    try {
      await tidy();
    } catch (error) {
      if (!isEnding) console.error("adgen-sdk: the journal cannot forget", error);
    }
    tidyAtBytes = nextTidyAt();
  };

  const append = async (text: string, isDurable: boolean): Promise<void> => {
    try {
      await file.append(formatLine(text), isDurable);
    } catch (error) {
      if (jobIdIn(text) !== undefined) late.add(text);
      throw error;
    }
    late.delete(text);
    void tidyIfGrown();
  };

  return {
    append: ({ text, isDurable }) => append(text, isDurable),
    read: async () => readTexts(await file.read()),
    prune: async (isOfUse) => {
      if (isEnding) return;
      await file.rewrite((line) => isOfUse(parseLine(line)));
      tidyAtBytes = nextTidyAt();
    },
    end: async () => {
      isEnding = true;
      await Promise.allSettled(Array.from(late, (text) => append(text, true)));
      const lost = Array.from(late, (text) => jobIdIn(text) ?? "");
      late.clear();
      return lost;
    },
  };
};

async function* readTexts(pieces: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const lines of pieces) for (const line of lines) yield parseLine(line);
}

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
    const refusal = (owner: string, isThisProcess: boolean): string =>
      `The journal ${absolute} is in use by ` +
      `${isThisProcess ? `this process (${process.pid})` : owner}: ` +
      "close it there, or give this process a path of its own";
    const lock = await takeLock(absolute, { refusal });
    try {
      const file = await openLogFile(absolute, lock.confirm);
      const store = createStore(file, () => journal.load());
      const journal = createJournal(store);
      await journal.load();
      return {
        ...journal,
        path: absolute,
        async close() {
          const lost = await store.end();
          await file.close();
          lock.release();
          if (lost.length === 0) return;
          console.error(`adgen-sdk: the journal ${absolute} is closed without the jobs`, lost);
        },
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new JournalError("journal", message, { cause });
  }
};
