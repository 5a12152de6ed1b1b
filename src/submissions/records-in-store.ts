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

/** Makes the error of a store that fails. */
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
      if (answer === undefined) throw new Error(`${name} took longer than ${timeoutMs} ms`);
      if (isRight(answer.value)) return answer.value;
      throw new Error(`${name} gave something else than a store of records gives`);
    } catch (cause) {
      onFailure(cause);
      throw storeError(oneLine(cause instanceof Error ? cause.message : String(cause)), cause);
    }
  };
  return {
    get: (id) => within("get", isRecordOf(id), () => store.get(id)),
    swap: (id, expected, next) =>
      within("swap", isRecordOf(id), () => store.swap(id, expected, next)),
    list: (name, limit) => within("list", areRecords, () => store.list(name, limit)),
  };
};

/** Makes the records of submissions in a store. */
export const createRecords = (store: RecordStore) => {
  /** Writes a record over the revision that is expected; gives what stands there then. */
  const swap = async (id: string, expected: string, next?: NextRecord) => {
    const there = await store.swap(keyOf(id), expected, next);
    return there && readRecord(there);
  };
  return {
    swap,
    async get(id: string): Promise<Standing | undefined> {
      const there = await store.get(keyOf(id));
      return there && readRecord(there);
    },
    /** Replaces what was read; gives whether it did, and what stands there then. */
    async replace({ id, rev }: Standing, record: SubmissionRecord | undefined) {
      const next = record && formatRecord(record);
      const there = await swap(id, rev, next);
      return { isDone: there?.rev === next?.rev, there };
    },
    list: async (name: string): Promise<readonly Standing[]> =>
      (await store.list(name, Number.MAX_SAFE_INTEGER)).map(readRecord),
  };
};

export type Records = ReturnType<typeof createRecords>;
