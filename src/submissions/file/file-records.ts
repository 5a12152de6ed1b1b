import { checksum } from "../../lock/checksum.ts";
import { type Owner, ownerRuns, thisProcess } from "../../lock/owner.ts";
import type { NextRecord, RecordStore, StoredRecord } from "../record-store.ts";
import { createRecordTable, type TableRecord } from "../record-table.ts";
import { openList } from "../records.ts";
import { formatLine, parseLine } from "./lines.ts";
import { openLogFile } from "./log-file.ts";

/** A process that had the file open. */
interface Session {
  readonly owner: Owner;
  hasEnded: boolean;
}

interface FileRecord extends TableRecord {
  readonly session?: Session | undefined;
  /** Stands for a damaged line, which is its text. */
  readonly isDamaged?: true;
  /** Whole record of the id before that line: it holds again where the line is removed by hand. */
  readonly earlier?: FileRecord | undefined;
}

interface Waiting {
  readonly id: string;
  readonly expected: string;
  readonly next: NextRecord | undefined;
  readonly resolve: (there: StoredRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Number of lines below which a file is not written anew. */
const fewLines = 1_000;

/** Reads the id of a damaged line, where that part of it seems whole. */
const idIn = (line: string): string | undefined => {
  try {
    const [, id] = /\{"id":("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    return id && JSON.parse(id);
  } catch {
    return undefined;
  }
};

/** Records of a file. */
interface FileRecords extends RecordStore {
  /** Waits for the swaps under way; others are refused. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the records of a file, as they stand on the disk.
 *
 * @param confirm - Throws when this process may not write any more
 */
export const openFileRecords = async (path: string, confirm: () => void): Promise<FileRecords> => {
  const own: Session = { owner: thisProcess(), hasEnded: false };
  const openedAt = performance.now();
  /** Time for which the file was open before. It ages only while open: no clock may be set. */
  let ageMs = 0;
  const now = (): number => ageMs + performance.now() - openedAt;
  const table = createRecordTable<FileRecord>(now);
  /** Session of the last line in the file. */
  let latest: Session | undefined;
  let lines = 0;

  const readDamaged = (line: string): void => {
    const rev = `damaged ${checksum(line)}`;
    const record = { rev, text: line, isDamaged: true } as const;
    // It may have been a reservation: its id is not free before a whole line follows.
    const id = idIn(line);
    if (id !== undefined) {
      const there = table.find(id);
      table.write(id, { ...record, earlier: there?.isDamaged ? there.earlier : there });
    }
    // Readers are told of the line for as long as it is there. It follows the earlier record.
    table.write(`line:${checksum(line)}`, { ...record, list: openList });
    // It may have named another session.
    latest = undefined;
  };

  const read = (line: string): void => {
    lines++;
    const found = parseLine(line);
    ageMs = Math.max(ageMs, found?.at ?? 0);
    if (found === undefined) readDamaged(line);
    else if ("session" in found) {
      latest = found.session === null ? undefined : { owner: found.session, hasEnded: false };
    } else if (found.rev === undefined) table.write(found.id, undefined);
    else {
      const { id, at: _, ...record } = found;
      table.write(id, { ...record, session: latest });
    }
  };

  const log = await openLogFile(path, confirm, read);
  let rewriteAt = 2 * [...table.all()].length + fewLines;
  let waiting: Waiting[] = [];
  /** Ends when all that was asked for is done. */
  let work = Promise.resolve();
  let isClosed = false;

  const at = (): number => Math.floor(now());
  const formatSession = (session: Session | undefined): string =>
    formatLine({ session: session?.owner ?? null, at: at() });
  const formatRecord = (id: string, record: FileRecord | undefined): string => {
    if (record === undefined) return formatLine({ id, at: at() });
    const { session: _, ...next } = record;
    return formatLine({ id, ...next, at: at() });
  };

  const show = (id: string, record: FileRecord | undefined): StoredRecord | undefined => {
    if (record === undefined) return undefined;
    const { rev, text, session } = record;
    if (session && session !== own) session.hasEnded ||= ownerRuns(session.owner) === false;
    return { id, rev, text, ...(session?.hasEnded && { isLeft: true }) };
  };

  const rewrite = async (): Promise<void> => {
    const next: string[] = [];
    let session: Session | undefined;
    for (const [id, record] of table.all()) {
      const whole = record.isDamaged ? record.earlier : record;
      if (whole !== undefined) {
        if (whole.session !== session) next.push(formatSession(whole.session));
        session = whole.session;
        next.push(formatRecord(id, whole));
      }
      if (record.isDamaged && record.list !== undefined) {
        next.push(record.text);
        session = undefined;
      }
    }
    await log.rewrite(next);
    lines = next.length;
    latest = undefined;
  };

  const rewriteIfGrown = async (): Promise<void> => {
    if (lines < rewriteAt) return;
    try {
      await rewrite();
    } catch (error) {
      console.error(`adgen-sdk: the file ${path} cannot be made smaller`, error);
    }
    rewriteAt = 2 * lines + fewLines;
  };

  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    /** Each swap is judged by those before it, which readers see only when they are safe. */
    const changes = new Map<string, FileRecord | undefined>();
    const next = latest === own ? [] : [formatSession(own)];
    const answers = batch.map(({ id, expected, next: given }) => {
      const there = changes.has(id) ? changes.get(id) : table.find(id);
      if ((there?.rev ?? "") !== expected || (!there && !given)) return show(id, there);
      const until = given?.ttlMs && now() + given.ttlMs;
      const mine = given && { ...given, until, session: own };
      changes.delete(id);
      changes.set(id, mine);
      next.push(formatRecord(id, mine));
      return show(id, mine);
    });
    try {
      if (changes.size > 0) {
        await log.append(next);
        latest = own;
        lines += next.length;
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const [id, record] of changes) table.write(id, record);
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index]);
    await rewriteIfGrown();
  };

  await rewriteIfGrown();
  return {
    get: async (id) => show(id, table.find(id)),
    swap: (id, expected, next) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error(`The file ${path} is closed: open it again`);
        waiting.push({ id, expected, next, resolve, reject });
        // The first of them writes all that have come by then; the others find nothing to do.
        if (waiting.length === 1) work = work.then(flush).catch(reject);
      }),
    async list(name, limit) {
      const found = table.list(name, limit);
      return found.flatMap(([id, record]) => {
        return show((record.isDamaged && idIn(record.text)) || id, record) ?? [];
      });
    },
    async close() {
      isClosed = true;
      await work;
      await log.close();
    },
  };
};
