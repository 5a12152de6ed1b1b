import { makeError } from "../errors/make-error.ts";
import { describeValue, oneLine } from "../errors/text.ts";
import { refuseOption } from "../options/rules.ts";
import type { JournalRecord, JournalStore } from "./journal-store.ts";
import {
  createRecordSum,
  formatRecord,
  type JournalEvent,
  type ReadRecords,
  type RecordSum,
} from "./records.ts";

/** Longest time in which a store that is read gives no record. */
const longestReadMs = 60_000;

/**
 * Pauses after which a refused record is tried again, while nothing else is written. They end after
 * about an hour; the next record that is written takes it along all the same.
 */
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
const mostRetries = 60;

/**
 * Waits for work, but no longer than it may. Resolves with `true` when the work ended. Work that
 * fails makes it reject.
 */
export const waitAtMost = async (
  ms: number,
  signal: AbortSignal | undefined,
  work: Promise<unknown>,
): Promise<boolean> => {
  let stop = (): void => {};
  const over = new Promise<false>((resolve) => {
    stop = () => resolve(false);
  });
  const timer = setTimeout(stop, ms);
  signal?.addEventListener?.("abort", stop);
  if (signal?.aborted) stop();
  try {
    return await Promise.race([work.then(() => true), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener?.("abort", stop);
  }
};

/** Describes the failure of a store, for a message. */
export const describeFailure = (cause: unknown): string =>
  oneLine(cause instanceof Error ? cause.message : String(cause));

/** Keeps the records of a journal in its store, and those that the store did not take yet. */
export interface RecordKeeper {
  /** Keeps a record; rejects with the store's own error. */
  readonly append: (id: string, event: JournalEvent, isDurable?: boolean) => Promise<void>;
  /** Keeps a record. It never rejects: a refused record stays here, and is tried again later. */
  readonly keep: (
    id: string,
    event: JournalEvent,
    options?: { readonly isDurable?: boolean; readonly isQuiet?: boolean },
  ) => Promise<void>;
  /** Reads the store, and calls `use`. Each `reread` adds the records that came since. */
  readonly read: <T>(
    signal: AbortSignal | undefined,
    use: (reread: () => ReadRecords) => Promise<T>,
  ) => Promise<T>;
}

/** Makes the keeper of a store's records. */
export const createRecordKeeper = (store: JournalStore): RecordKeeper => {
  if (typeof store?.append !== "function" || typeof store.read !== "function") {
    refuseOption(
      `createJournal takes a store: { append, read, forget? }, got ${describeValue(store)}`,
    );
  }
  /** Records that the store has not confirmed. */
  const pending = new Set<JournalRecord>();
  /** Records that the store refused, and that must not be lost. */
  const refused = new Set<JournalRecord>();
  /** Lists of the readers under way, which must not miss a record. */
  const readers = new Set<string[]>();

  let retries = 0;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const write = async (record: JournalRecord): Promise<void> => {
    await store.append(record);
    pending.delete(record);
    retries = 0;
    // The store works: whatever it refused earlier follows.
    for (const late of refused) {
      refused.delete(late);
      void keepRecord(late, false);
    }
  };

  const keepRecord = async (record: JournalRecord, isQuiet: boolean): Promise<void> => {
    try {
      await write(record);
    } catch (error) {
      refused.add(record);
      retryLater();
      if (!isQuiet)
        console.error("adgen-sdk: the journal could not keep a record", record.text, error);
    }
  };

  /** Tries a refused record again. Once the store works, all follow. It keeps no process alive. */
  const retryLater = (): void => {
    if (retrying !== undefined || retries >= mostRetries) return;
    retrying = setTimeout(
      () => {
        retrying = undefined;
        const [record] = refused;
        if (record === undefined) return;
        refused.delete(record);
        void keepRecord(record, true);
      },
      Math.min(firstRetryMs * 2 ** retries, longestRetryMs),
    );
    (retrying as { unref?: () => void }).unref?.();
    retries++;
  };

  const makeRecord = (id: string, event: JournalEvent, isDurable: boolean): JournalRecord => {
    const record = { id, text: formatRecord(id, event), isDurable };
    pending.add(record);
    for (const texts of readers) texts.push(record.text);
    return record;
  };

  const readStore = async (signal: AbortSignal | undefined): Promise<RecordSum> => {
    const records = createRecordSum();
    let count = 0;
    let isLeft = false;
    const readAll = async (): Promise<void> => {
      for await (const text of await store.read()) {
        if (isLeft) return;
        records.add(text);
        count++;
      }
    };
    try {
      const reading = readAll();
      for (let before = -1; count > before && !signal?.aborted; ) {
        before = count;
        if (await waitAtMost(longestReadMs, signal, reading)) return records;
      }
    } catch (cause) {
      throw makeError("journal", `the journal cannot be read: ${describeFailure(cause)}`, {
        cause,
      });
    } finally {
      isLeft = true;
    }
    if (signal?.aborted) {
      throw makeError("aborted", "reading the journal was aborted", { cause: signal.reason });
    }
    throw makeError("journal", `the journal's store gave no record for ${longestReadMs} ms`);
  };

  return {
    async append(id, event, isDurable = true) {
      const record = makeRecord(id, event, isDurable);
      try {
        await write(record);
      } catch (cause) {
        pending.delete(record);
        throw cause;
      }
    },
    keep: (id, event, { isDurable = true, isQuiet = false } = {}) =>
      keepRecord(makeRecord(id, event, isDurable), isQuiet),
    async read(signal, use) {
      const recent = Array.from(pending, ({ text }) => text);
      readers.add(recent);
      try {
        const records = await readStore(signal);
        return await use(() => {
          for (const text of recent.splice(0)) records.add(text);
          return records.sum();
        });
      } finally {
        readers.delete(recent);
      }
    },
  };
};
