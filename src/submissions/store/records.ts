/**
 * Reads and writes records in a store. The files of this folder may import the contract, and of the
 * client `errors`, `options` and `internal`. The proxy and the queue build on them.
 */
import { isAdGenError } from "../../client/errors/errors.ts";
import { makeError } from "../../client/errors/make-error.ts";
import { oneLine } from "../../client/errors/text.ts";
import { createRandomId } from "../../client/internal/platform.ts";
import { waitAtMost } from "../../client/internal/sleep.ts";
import type { StoreClock } from "./clock.ts";
import {
  formatRecord,
  isUndecided,
  jobIdOf,
  keyOf,
  markKeyOf,
  openList,
  ownerKeyOf,
  readRecord,
  type Standing,
  type SubmissionRecord,
} from "./record.ts";
import type { RecordStore } from "./record-store.ts";

export const storeError = (why: string, cause?: unknown) =>
  makeError("store", `the store of submissions failed: ${why}`, { cause });

const isRecord = (value: unknown): boolean => {
  const { id, rev, text } = Object(value);
  return [id, rev, text].every((part) => typeof part === "string");
};
const isRecordOrNone = (value: unknown): boolean => value === undefined || isRecord(value);

/**
 * Bounds the time of each call to a store, and checks what it returns, so that no other value
 * passes for "there is no record". A call that fails rejects with a `StoreError`.
 *
 * @param onFailure - Is called with the value that the store threw
 */
export const boundStore = (
  store: RecordStore,
  clock: StoreClock,
  timeoutMs: number,
  onFailure: (cause: unknown) => void = () => {},
): RecordStore => {
  const within = async <T>(
    name: string,
    ask: () => Promise<T>,
    isRight: (value: unknown) => boolean = isRecordOrNone,
  ): Promise<T> => {
    try {
      const work = (async () => ask())();
      if (!(await waitAtMost(clock, timeoutMs, undefined, work))) {
        throw new Error(`${name} took longer than ${timeoutMs} ms (storeTimeoutMs)`);
      }
      if (isRight(await work)) return await work;
      throw new Error(`${name} returned a value that is not a record`);
    } catch (cause) {
      onFailure(cause);
      const why = oneLine(cause instanceof Error ? cause.message : String(cause));
      // The message of an error of this library already says everything about it.
      throw storeError(why, isAdGenError(cause) ? cause.cause : cause);
    }
  };
  return {
    get: (id) => within("get", () => store.get(id)),
    swap: (id, expected, next) => within("swap", () => store.swap(id, expected, next)),
    list: (name, limit) =>
      within(
        "list",
        () => store.list(name, limit),
        (given) => Array.isArray(given) && given.every(isRecord),
      ),
  };
};

/** The record to write, `"free"` to remove the record, or `undefined` to leave it as it is. */
export type Change = SubmissionRecord | "free" | undefined;

/** Maximum number of tries, so that a broken store does not keep a process busy for ever. */
const maxTurns = 20;

/** Creates the functions that read and write records by their ids, and by their jobs. */
export const createRecords = (store: RecordStore, clock: StoreClock) => {
  const swap = async (id: string, expected: string, next?: Parameters<RecordStore["swap"]>[2]) => {
    const there = await store.swap(keyOf(id), expected, next);
    return there && readRecord(there, clock.wall());
  };
  const get = async (id: string): Promise<Standing | undefined> => {
    const there = await store.get(keyOf(id));
    return there && readRecord(there, clock.wall());
  };
  /** Returns the id of a submission if it owns the job, or may still get it. */
  const findByMark = async (jobId: string, id: string | undefined) => {
    const record = id === undefined ? undefined : (await get(id))?.record;
    return record && (isUndecided(record) || jobIdOf(record) === jobId) ? id : undefined;
  };

  return {
    swap,
    get,
    /**
     * Replaces a record by what `decide` returns for it, and asks `decide` again if another writer
     * was faster. Returns the record that the store holds afterwards.
     */
    async change(
      id: string,
      decide: (there: Standing | undefined) => Change | Promise<Change>,
    ): Promise<Standing | undefined> {
      let there = await get(id);
      for (let turns = 0; turns < maxTurns; turns++) {
        const change = await decide(there);
        if (change === undefined) return there;
        const next = change === "free" ? undefined : formatRecord(change, clock.wall());
        there = await swap(id, there?.rev ?? "", next);
        if (there?.rev === next?.rev) return there;
      }
      const quoted = JSON.stringify(oneLine(id, 100));
      throw storeError(`other processes kept changing the record of ${quoted}: try again`);
    },
    /** Lists the records under way and in doubt, the last written first. */
    async listOpen(): Promise<readonly Standing[]> {
      const now = clock.wall();
      const records = await store.list(openList, Number.MAX_SAFE_INTEGER);
      return records.map((record) => readRecord(record, now));
    },
    /**
     * Returns the id of the submission that owns a job, or of the record in which the proxy names
     * its owner. It is `undefined` for a job that nobody owns.
     */
    async findOwner(jobId: string): Promise<string | undefined> {
      const mark = await store.get(markKeyOf(jobId));
      const id = await findByMark(jobId, mark?.text);
      return id ?? (await store.get(ownerKeyOf("job", jobId)))?.id;
    },
    /**
     * Marks a job as the job of a submission, before the record names the job. Returns the id of
     * another submission that already owns the job.
     */
    async claim(jobId: string, id: string, ttlMs: number | undefined): Promise<string | undefined> {
      const mark = { rev: createRandomId(), text: id, ttlMs };
      const key = markKeyOf(jobId);
      const there = await store.swap(key, "", mark);
      if (there === undefined || there.text === id) return undefined;
      const owner = await findByMark(jobId, there.text);
      if (owner === undefined) await store.swap(key, there.rev, mark);
      return owner;
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
