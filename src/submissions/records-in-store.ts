import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import { waitAtMost } from "../sleep.ts";
import type { Clock } from "./clock.ts";
import type { NextRecord, RecordStore, StoredRecord } from "./record-store.ts";
import {
  formatRecord,
  isUndecided,
  jobIdOf,
  keyOf,
  markKeyOf,
  notItsJob,
  openList,
  ownerKeyOf,
  readRecord,
  type StoredSubmission,
  type SubmissionRecord,
} from "./records.ts";

export const storeError = (why: string, cause?: unknown) =>
  makeError("store", `the store of submissions failed: ${why}`, { cause });

/** Error of a loop over a store whose records change faster than they are read, or not at all. */
export const tooOftenError = (id: string) =>
  storeError(`the record of ${JSON.stringify(oneLine(id, 100))} keeps no state that is written`);

/** Most turns of a loop over a store: a broken store must not keep a process busy for ever. */
export const mostTurns = 20;

const otherThanRecords = (name: keyof RecordStore) =>
  makeError("store", `${name} gave something else than a store of records gives`);

/** Reads a record once: one that its store makes lazily may throw, or change. */
const readStored = (name: keyof RecordStore, given: StoredRecord): StoredRecord => {
  const { id, rev, text } = given ?? {};
  if (![id, rev, text].every((part) => typeof part === "string")) throw otherThanRecords(name);
  return { id, rev, text, isLeft: Object.hasOwn(given, "isLeft") && given.isLeft === true };
};

/**
 * A store whose calls end in time, and give records: no other answer may pass for "there is none".
 * They fail with a `StoreError`.
 *
 * @param onFailure - Called with the reason, as it was thrown
 */
export const boundStore = (
  store: RecordStore,
  clock: Clock,
  timeoutMs: number,
  onFailure: (cause: unknown) => void = () => {},
): RecordStore => {
  const within = async <T, R>(
    name: keyof RecordStore,
    ask: () => Promise<T>,
    read: (value: T) => R,
  ): Promise<R> => {
    let answer: { readonly value: R } | undefined;
    const work = async (): Promise<void> => {
      answer = { value: read(await ask()) };
    };
    try {
      await waitAtMost(clock, timeoutMs, undefined, work());
    } catch (cause) {
      onFailure(cause);
      const why = oneLine(cause instanceof Error ? cause.message : String(cause));
      // An error of this library has told all of it in the message.
      throw storeError(why, isAdGenError(cause) ? cause.cause : cause);
    }
    if (answer !== undefined) return answer.value;
    const why = `${name} took longer than ${timeoutMs} ms`;
    onFailure(new Error(why));
    throw storeError(why);
  };
  const readOne = (name: keyof RecordStore, id: string) => (given: StoredRecord | undefined) => {
    if (given === undefined) return undefined;
    const there = readStored(name, given);
    if (there.id !== id) throw otherThanRecords(name);
    return there;
  };
  return {
    get: (id) => within("get", () => store.get(id), readOne("get", id)),
    swap: (id, expected, given) => {
      // Every field is written: a store would read a missing one from `Object.prototype`.
      const next = given && { list: undefined, ttlMs: undefined, ...given };
      return within("swap", () => store.swap(id, expected, next), readOne("swap", id));
    },
    list: (name, limit) =>
      within(
        "list",
        () => store.list(name, limit),
        (given) => {
          if (!Array.isArray(given)) throw otherThanRecords("list");
          return given.map((one) => readStored("list", one));
        },
      ),
  };
};

/** A record to write; `"free"` removes the one that stands there, and `undefined` leaves it. */
export type Change = SubmissionRecord | "free" | undefined;

/** Whether a person took the job for that of the submission, and no answer has named it. */
const isGuess = (record: SubmissionRecord | undefined): boolean =>
  record?.state === "settled" && record.isAdopted === true;

const readMark = (mark: StoredRecord | undefined): { id?: unknown; token?: unknown } => {
  try {
    return Object(JSON.parse(mark?.text ?? ""));
  } catch {
    return {};
  }
};

/**
 * Records by their ids, and by their jobs. A mark names the submission of a job as soon as the job is
 * known: by an answer, or by a decision to adopt it.
 */
export const createRecords = (store: RecordStore) => {
  /** Writes a record over the revision that is expected; gives what stands there then. */
  const swap = async (id: string, expected: string, next?: NextRecord) => {
    const there = await store.swap(keyOf(id), expected, next);
    return there && readRecord(there);
  };
  const get = async (id: string): Promise<StoredSubmission | undefined> => {
    const there = await store.get(keyOf(id));
    return there && readRecord(there);
  };
  /**
   * Replaces a record by what `decide` returns for it, and asks again where another writer was
   * quicker. Returns what stands there then.
   *
   * @param known - Record as it was read. Default: it is read first
   */
  const change = async (
    id: string,
    decide: (there: StoredSubmission | undefined) => Change | Promise<Change>,
    known?: StoredSubmission,
  ): Promise<StoredSubmission | undefined> => {
    let there = known ?? (await get(id));
    for (let turns = 0; turns < mostTurns; turns++) {
      const change = await decide(there);
      if (change === undefined) return there;
      const next = change === "free" ? undefined : formatRecord(change);
      const now = await swap(id, there?.rev ?? "", next);
      if (now?.rev === next?.rev) return now;
      there = now;
    }
    throw tooOftenError(id);
  };

  /** The record that a mark names, where it has the job, or is about to get it. */
  const findMarked = async (jobId: string, mark: StoredRecord | undefined) => {
    const { id, token } = readMark(mark);
    const there = typeof id === "string" ? await get(id) : undefined;
    if (there?.record === undefined) return undefined;
    const isNext = isUndecided(there.record) && there.record.attempt.token === token;
    return isNext || jobIdOf(there.record) === jobId ? there : undefined;
  };
  const findByJob = async (jobId: string): Promise<StoredSubmission | undefined> =>
    findMarked(jobId, await store.get(markKeyOf(jobId)));

  return {
    swap,
    get,
    change,
    /** The records that are not over. */
    async listOpen(): Promise<readonly StoredSubmission[]> {
      const records = await store.list(openList, Number.MAX_SAFE_INTEGER);
      return records.map(readRecord);
    },
    findByJob,
    /** Id of the submission that a job belongs to; `undefined` for a job that is free. */
    async findOwner(jobId: string): Promise<string | undefined> {
      // A job of a proxy's user has an owner, and perhaps no submission on record.
      const owner = (await findByJob(jobId)) ?? (await store.get(ownerKeyOf("job", jobId)));
      return owner?.id;
    },
    /**
     * Marks a job as that of a record, before the record names it. An answer takes it from a guess,
     * which is in doubt from then on, also where its result was acknowledged. A guess takes it from
     * nobody. Returns the id of the submission that keeps it; `undefined` where the mark is written.
     */
    async claim(jobId: string, id: string, record: SubmissionRecord): Promise<string | undefined> {
      // It is kept for as long as its record.
      const { rev, ttlMs } = formatRecord(record);
      const mark = { rev, ttlMs, text: JSON.stringify({ id, token: record.attempt.token }) };
      const contradict = ({ record: now }: Partial<StoredSubmission> = {}): Change => {
        if (isGuess(now) && jobIdOf(now) === jobId) return now && notItsJob(now);
        // By its new revision, a decision that is about to adopt the job fails, and asks again.
        return now?.state === "in-doubt" ? now : undefined;
      };
      let expected = "";
      for (let turns = 0; turns < mostTurns; turns++) {
        const there = await store.swap(markKeyOf(jobId), expected, mark);
        if (there?.rev === rev) return undefined;
        const former = readMark(there).id === id ? undefined : await findMarked(jobId, there);
        if (former !== undefined) {
          const isAnswered = former.record?.state !== "in-doubt" && !isGuess(former.record);
          if (isAnswered || isGuess(record)) return former.id;
          await change(former.id, contradict, former);
        }
        expected = there?.rev ?? "";
      }
      throw tooOftenError(id);
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
