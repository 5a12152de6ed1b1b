import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import { type Clock, waitAtMost } from "./clock.ts";
import type { NextRecord, RecordStore, StoredRecord } from "./record-store.ts";
import {
  formatRecord,
  keyOf,
  readRecord,
  type Standing,
  type SubmissionRecord,
} from "./records.ts";

export const storeError = (why: string, cause?: unknown) =>
  makeError("store", `the store of submissions failed: ${why}`, { cause });

/** Error of a loop over a store whose records change faster than they are read, or not at all. */
export const tooOftenError = (id: string) =>
  storeError(`the record of ${JSON.stringify(oneLine(id, 100))} keeps no state that is written`);

/** Most turns of a loop over a store: a broken store must not keep a process busy for ever. */
export const mostTurns = 20;

const isRecord = (value: StoredRecord): boolean =>
  [value?.id, value?.rev, value?.text].every((part) => typeof part === "string");

const isRecordOf = (id: string) => (value: StoredRecord | undefined) =>
  value === undefined || (isRecord(value) && value.id === id);

const areRecords = (value: readonly StoredRecord[]): boolean =>
  Array.isArray(value) && value.every(isRecord);

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
  const within = async <T>(
    name: keyof RecordStore,
    isRight: (value: T) => boolean,
    ask: () => Promise<T>,
  ): Promise<T> => {
    let answer: { readonly value: T } | undefined;
    const work = async (): Promise<void> => {
      answer = { value: await ask() };
    };
    try {
      await waitAtMost(clock, timeoutMs, undefined, work());
    } catch (cause) {
      onFailure(cause);
      const why = oneLine(cause instanceof Error ? cause.message : String(cause));
      // A store of this library has told all of it in the message.
      throw storeError(why, isAdGenError(cause) ? cause.cause : cause);
    }
    if (answer !== undefined && isRight(answer.value)) return answer.value;
    const why =
      answer === undefined
        ? `${name} took longer than ${timeoutMs} ms`
        : `${name} gave something else than a store of records gives`;
    onFailure(new Error(why));
    throw storeError(why);
  };
  return {
    get: (id) => within("get", isRecordOf(id), () => store.get(id)),
    swap: (id, expected, next) =>
      within("swap", isRecordOf(id), () => store.swap(id, expected, next)),
    list: (name, limit) => within("list", areRecords, () => store.list(name, limit)),
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
  const get = async (id: string): Promise<Standing | undefined> => {
    const there = await store.get(keyOf(id));
    return there && readRecord(there);
  };
  return {
    swap,
    get,
    /**
     * Makes of a record what `decide` says of what stands there, until that is written or left.
     * Gives what stands there then.
     *
     * @param known - Record as it was read. Default: it is read first
     */
    async change(
      id: string,
      decide: (there: Standing | undefined) => Change | Promise<Change>,
      known?: Standing,
    ): Promise<Standing | undefined> {
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
    list: async (name: string): Promise<readonly Standing[]> =>
      (await store.list(name, Number.MAX_SAFE_INTEGER)).map(readRecord),
  };
};

export type Records = ReturnType<typeof createRecords>;
