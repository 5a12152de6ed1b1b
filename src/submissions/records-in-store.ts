import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import { type Clock, waitAtMost } from "./clock.ts";
import type { NextRecord, RecordStore, StoredRecord } from "./record-store.ts";
import {
  formatRecord,
  keyOf,
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
  return {
    swap,
    get,
    /**
     * Replaces a record by what `decide` returns for it, and asks again where another writer was
     * quicker. Returns what stands there then.
     *
     * @param known - Record as it was read. Default: it is read first
     */
    async change(
      id: string,
      decide: (there: StoredSubmission | undefined) => Change | Promise<Change>,
      known?: StoredSubmission,
    ): Promise<StoredSubmission | undefined> {
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
    },
    list: async (name: string): Promise<readonly StoredSubmission[]> => {
      const records = await store.list(name, Number.MAX_SAFE_INTEGER);
      return records.map(readRecord);
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
